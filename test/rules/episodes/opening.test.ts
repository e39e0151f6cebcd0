import { describe } from 'vitest';
import { goneAtOnce, sayAll, settle2m } from './cases.ts';
import { MINUTE } from './fixture.ts';

describe('the first look', () => {
  sayAll([
    { promise: 'the first poll of a new rule is a silent baseline', polls: ['0m ada grace', '1m ada grace'], says: [] },
    { promise: 'what comes after the baseline is new', polls: ['0m ada', '1m ada grace'], says: ['1m then entered grace'] },
    { promise: 'an empty list is a baseline, too', polls: ['0m', '1m ada'], says: ['1m then entered ada'] },
    { promise: 'a failed poll is no baseline', polls: ['0m !', '1m ada', '2m ada'], says: [] },
    {
      promise: 'a silent episode has neither while nor finally',
      rule: goneAtOnce,
      polls: ['0m ada', '1m ada', '2m'],
      says: [],
    },
    {
      promise: '`first: fire` announces what the first poll of a new rule finds',
      rule: { watched: { first: 'fire' } },
      polls: ['0m ada grace', '1m ada grace'],
      says: ['0m then entered ada', '0m then entered grace', '1m while ada', '1m while grace'],
    },
    {
      promise: '`first: fire` waits for settle like any other entry',
      rule: { while: [], watched: { first: 'fire', settleMs: 2 * MINUTE } },
      polls: ['0m ada', '1m ada', '2m ada'],
      says: ['2m then entered ada'],
    },
  ]);
});

describe('opening', () => {
  sayAll([
    {
      promise: 'it opens at the first poll at or after the end of settle that has it',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m ada', '3m ada'],
      says: ['3m then entered ada'],
    },
    {
      promise: 'settle runs from slot to slot, however few polls fall into it',
      rule: settle2m,
      polls: ['0m', '1m ada', '4m ada'],
      says: ['4m then entered ada'],
    },
    {
      promise: 'one good poll without a pending item makes it absent',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m', '3m ada', '4m ada', '5m ada'],
      says: ['5m then entered ada'],
    },
    {
      promise: 'it opens only on a poll that has it',
      rule: settle2m,
      polls: ['0m', '1m ada', '3m', '4m'],
      says: [],
    },
    {
      promise: 'a failed poll neither ends nor fulfils a settle',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m !', '3m !', '4m ada'],
      says: ['4m then entered ada'],
    },
    {
      promise: 'a list that was cut short does not make a pending item absent',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m ...', '3m ada'],
      says: ['3m then entered ada'],
    },
    {
      promise: '`confirm.new` polls in a row must have it',
      rule: { while: [], watched: { confirm: { new: 3, gone: 2 } } },
      polls: ['0m', '1m ada', '2m ada', '3m', '4m ada', '5m ada', '6m ada'],
      says: ['6m then entered ada'],
    },
    {
      promise: 'the poll that opens sends then only; while follows with the next',
      polls: ['0m', '1m ada', '2m ada', '3m ada'],
      says: ['1m then entered ada', '2m while ada', '3m while ada'],
    },
  ]);
});
