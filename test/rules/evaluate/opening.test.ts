import { describe } from 'vitest';
import { goneAtOnce, testCases, settle2m } from './cases.ts';
import { MINUTE } from './fixture.ts';

describe('the first poll', () => {
  testCases([
    { promise: 'the first poll of a new rule is a silent baseline', polls: ['0m ada grace', '1m ada grace'], fires: [] },
    { promise: 'an item that enters after the baseline is new', polls: ['0m ada', '1m ada grace'], fires: ['1m then entered grace'] },
    { promise: 'an empty list is a baseline too', polls: ['0m', '1m ada'], fires: ['1m then entered ada'] },
    { promise: 'a failed poll is not a baseline', polls: ['0m !', '1m ada', '2m ada'], fires: [] },
    {
      promise: 'a suppressed episode has neither `while` nor `finally`',
      rule: goneAtOnce,
      polls: ['0m ada', '1m ada', '2m'],
      fires: [],
    },
    {
      promise: '`first: fire` announces the items of the first poll',
      rule: { watched: { first: 'fire' } },
      polls: ['0m ada grace', '1m ada grace'],
      fires: ['0m then entered ada', '0m then entered grace', '1m while ada', '1m while grace'],
    },
    {
      promise: '`first: fire` waits for settle like any other entry',
      rule: { while: [], watched: { first: 'fire', settleMs: 2 * MINUTE } },
      polls: ['0m ada', '1m ada', '2m ada'],
      fires: ['2m then entered ada'],
    },
  ]);
});

describe('opening', () => {
  testCases([
    {
      promise: 'an episode opens in the first poll with its item after `settle`',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m ada', '3m ada'],
      fires: ['3m then entered ada'],
    },
    {
      promise: '`settle` counts the time between slots, not polls',
      rule: settle2m,
      polls: ['0m', '1m ada', '4m ada'],
      fires: ['4m then entered ada'],
    },
    {
      promise: 'a good poll without a pending item ends its episode',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m', '3m ada', '4m ada', '5m ada'],
      fires: ['5m then entered ada'],
    },
    {
      promise: 'an episode opens only in a poll with its item',
      rule: settle2m,
      polls: ['0m', '1m ada', '3m', '4m'],
      fires: [],
    },
    {
      promise: 'a failed poll neither ends nor completes `settle`',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m !', '3m !', '4m ada'],
      fires: ['4m then entered ada'],
    },
    {
      promise: 'an incomplete list does not end a pending episode',
      rule: settle2m,
      polls: ['0m', '1m ada', '2m ...', '3m ada'],
      fires: ['3m then entered ada'],
    },
    {
      promise: 'an episode opens after `confirm.new` polls with its item',
      rule: { while: [], watched: { confirm: { new: 3, gone: 2 } } },
      polls: ['0m', '1m ada', '2m ada', '3m', '4m ada', '5m ada', '6m ada'],
      fires: ['6m then entered ada'],
    },
    {
      promise: 'the poll that opens an episode fires `then` only; `while` follows in the next poll',
      polls: ['0m', '1m ada', '2m ada', '3m ada'],
      fires: ['1m then entered ada', '2m while ada', '3m while ada'],
    },
  ]);
});
