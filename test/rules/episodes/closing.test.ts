import { describe } from 'vitest';
import { goneAtOnce, grace5m, sayAll } from './cases.ts';
import { MINUTE, type RuleOptions } from './fixture.ts';

describe('closing', () => {
  sayAll([
    {
      promise: '`confirm.gone` polls in a row must lack it',
      rule: { while: [] },
      polls: ['0m', '1m ada', '2m', '3m ada', '4m', '5m'],
      says: ['1m then entered ada', '5m finally left ada'],
    },
    {
      promise: 'grace starts with the first good poll without it',
      rule: { while: [], watched: { graceMs: 5 * MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '4m ada', '5m', '9m', '10m'],
      says: ['1m then entered ada', '10m finally left ada'],
    },
    {
      promise: 'grace that is over closes nothing before enough polls agree',
      rule: { while: [], watched: { graceMs: MINUTE, confirm: { new: 1, gone: 3 } } },
      polls: ['0m', '1m ada', '2m', '10m', '11m'],
      says: ['1m then entered ada', '11m finally left ada'],
    },
    {
      promise: 'an item that comes back within grace starts the next grace from its next miss',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '6m ada', '7m', '8m', '11m', '12m'],
      says: ['1m then entered ada', '12m finally left ada'],
    },
    {
      promise: 'there is no while in a poll that lacks it',
      rule: grace5m,
      polls: ['0m', '1m ada', '2m', '3m ada'],
      says: ['1m then entered ada', '3m while ada'],
    },
    {
      promise: 'a failed poll counts for nothing, and ends no row',
      rule: { while: [] },
      polls: ['0m', '1m ada', '2m', '3m !', '4m'],
      says: ['1m then entered ada', '4m finally left ada'],
    },
    {
      promise: 'a list that was cut short says nothing of who is missing',
      rule: { while: [], ...goneAtOnce },
      polls: ['0m', '1m ada', '2m ...', '3m grace ...', '4m grace ...'],
      says: ['1m then entered ada', '3m then entered grace'],
    },
    {
      promise: 'an item that no longer fits `where` has left',
      rule: {
        while: [],
        watched: {
          confirm: { new: 1, gone: 1 },
          where: {
            source: 'item.viewerCount >= 50',
            test: ({ item }) =>
              Number(item?.['viewerCount']) >= 50 ? { holds: true } : { holds: false, because: { kind: 'false', clauses: [] } },
          },
        },
      },
      polls: ['0m', '1m ada=60', '2m ada=40'],
      says: ['1m then entered ada', '2m finally left ada'],
    },
    {
      promise: 'an item below the first `take` has left',
      rule: { while: [], watched: { take: 1, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada grace', '2m grace ada'],
      says: ['1m then entered ada', '2m finally left ada', '2m then entered grace'],
    },
  ]);
});

describe('who leaves', () => {
  const left: RuleOptions = { while: [], finally: [], watched: { changes: [{ kind: 'left' }], confirm: { new: 1, gone: 1 } } };

  sayAll([
    { promise: '`left` alone says nothing of who enters', rule: left, polls: ['0m', '1m ada', '2m'], says: ['2m then left ada'] },
    { promise: '`left` fires for an episode that opened silently, too', rule: left, polls: ['0m ada', '1m'], says: ['1m then left ada'] },
    {
      promise: '`left` says nothing of who was gone before it opened',
      rule: { ...left, watched: { ...left.watched, settleMs: MINUTE } },
      polls: ['0m', '1m ada', '2m'],
      says: [],
    },
    {
      promise: 'in one poll those who left come first, then the others by rank',
      rule: { ...left, watched: { ...left.watched, changes: [{ kind: 'entered' }, { kind: 'left' }] } },
      polls: ['0m ada grace', '1m linus mary'],
      says: ['1m then left ada', '1m then left grace', '1m then entered linus', '1m then entered mary'],
    },
  ]);
});
