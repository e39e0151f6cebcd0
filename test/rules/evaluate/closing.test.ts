import { describe } from 'vitest';
import { goneAtOnce, grace5m, testCases } from './cases.ts';
import { MINUTE, type RuleOptions } from './fixture.ts';

describe('closing', () => {
  testCases([
    {
      promise: 'an episode closes after `confirm.gone` polls without its item',
      rule: { while: [] },
      polls: ['0m', '1m ada', '2m', '3m ada', '4m', '5m'],
      fires: ['1m then entered ada', '5m finally left ada'],
    },
    {
      promise: '`grace` starts with the first good poll without the item',
      rule: { while: [], watched: { graceMs: 5 * MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '4m ada', '5m', '9m', '10m'],
      fires: ['1m then entered ada', '10m finally left ada'],
    },
    {
      promise: 'after `grace`, the episode waits for `confirm.gone` polls',
      rule: { while: [], watched: { graceMs: MINUTE, confirm: { new: 1, gone: 3 } } },
      polls: ['0m', '1m ada', '2m', '10m', '11m'],
      fires: ['1m then entered ada', '11m finally left ada'],
    },
    {
      promise: 'an item that returns restarts `grace`',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '6m ada', '7m', '8m', '11m', '12m'],
      fires: ['1m then entered ada', '12m finally left ada'],
    },
    {
      promise: 'a poll without the item has no `while`',
      rule: grace5m,
      polls: ['0m', '1m ada', '2m', '3m ada'],
      fires: ['1m then entered ada', '3m while ada'],
    },
    {
      promise: 'a failed poll does not count and does not restart the count',
      rule: { while: [] },
      polls: ['0m', '1m ada', '2m', '3m !', '4m'],
      fires: ['1m then entered ada', '4m finally left ada'],
    },
    {
      promise: 'an incomplete list closes no episode',
      rule: { while: [], ...goneAtOnce },
      polls: ['0m', '1m ada', '2m ...', '3m grace ...', '4m grace ...'],
      fires: ['1m then entered ada', '3m then entered grace'],
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
              Number(item?.['viewerCount']) >= 50 ? { holds: true } : { holds: false, condition: { kind: 'false', clauses: [] } },
          },
        },
      },
      polls: ['0m', '1m ada=60', '2m ada=40'],
      fires: ['1m then entered ada', '2m finally left ada'],
    },
    {
      promise: 'an item below the first `take` has left',
      rule: { while: [], watched: { take: 1, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada grace', '2m grace ada'],
      fires: ['1m then entered ada', '2m finally left ada', '2m then entered grace'],
    },
  ]);
});

describe('items that leave', () => {
  const left: RuleOptions = { while: [], finally: [], watched: { changes: [{ kind: 'left' }], confirm: { new: 1, gone: 1 } } };

  testCases([
    { promise: '`left` without `entered` announces no entry', rule: left, polls: ['0m', '1m ada', '2m'], fires: ['2m then left ada'] },
    { promise: '`left` fires for a suppressed episode too', rule: left, polls: ['0m ada', '1m'], fires: ['1m then left ada'] },
    {
      promise: '`left` does not fire for an item that left before its episode opened',
      rule: { ...left, watched: { ...left.watched, settleMs: MINUTE } },
      polls: ['0m', '1m ada', '2m'],
      fires: [],
    },
    {
      promise: 'items that left come first, then the others by rank',
      rule: { ...left, watched: { ...left.watched, changes: [{ kind: 'entered' }, { kind: 'left' }] } },
      polls: ['0m ada grace', '1m linus mary'],
      fires: ['1m then left ada', '1m then left grace', '1m then entered linus', '1m then entered mary'],
    },
  ]);
});
