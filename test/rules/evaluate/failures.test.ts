import { expect, test } from 'vitest';
import { cardRule, condition, HOUR, MINUTE, rankingRule, slotRule } from './fixture.ts';
import { firings, runPolls } from './run-polls.ts';

// The failures that other notifiers are known for; between all polls here the state is written down and read back.

test('1. online, empty, online within 75 s with the same id: exactly one announcement', () => {
  const rule = cardRule({ while: [], finally: [], schedule: { everyMs: 15_000 }, watched: { confirm: { new: 1, gone: 1 } } });

  const fired = firings(rule, ['0s', '15s ada', '30s', '45s', '60s', '90s ada', '105s ada']);

  expect(fired).toEqual(['15s then entered ada']);
});

test('4. after a restart, `settle` continues once the item is seen again', () => {
  const rule = cardRule({ while: [], watched: { settleMs: 10 * MINUTE } });
  const before = runPolls(rule, ['0m', '1m ada grace', '6m ada grace']);

  const after = runPolls(rule, ['8m ada', '11m ada'], before.state);

  expect([before.lines, after.lines]).toEqual([[], ['11m then entered ada']]);
});

test('7. after 3 hours of downtime, items older than `maxAge` are not announced, and newer ones are announced once', () => {
  const rule = cardRule({ while: [], maxAgeMs: HOUR });

  const fired = firings(rule, ['0m', '3h ada@1h grace@119m linus@2h mary@179m', '181m ada@1h grace@119m linus@2h mary@179m']);

  expect(fired).toEqual(['3h then entered linus', '3h then entered mary']);
});

test('8. a stream that ended during downtime: its card closes after the start', () => {
  const rule = cardRule({ while: [] });
  const before = runPolls(rule, ['0m', '1m ada']);

  const after = firings(rule, ['5h', '301m'], before.state);

  expect(after).toEqual(['301m finally left ada']);
});

test.for([
  { answer: 'incomplete', poll: '2m ada ...' },
  { answer: 'doubled', poll: '2m ada grace linus ada grace linus' },
  { answer: 'an error', poll: '2m !' },
  { answer: 'partly unreadable', poll: '2m ada ?' },
])('9. a poll whose answer is $answer announces no departure', ({ poll }) => {
  const rule = rankingRule({ while: [], watched: { changes: [{ kind: 'left' }], confirm: { new: 1, gone: 1 } } });

  const fired = firings(rule, ['0m ada grace linus', '1m ada grace linus', poll, '3m ada grace linus']);

  expect(fired).toEqual([]);
});

test('9. an empty poll in between closes no episode', () => {
  const fired = firings(rankingRule({ while: [], watched: { changes: [{ kind: 'entered' }, { kind: 'left' }] } }), [
    '0m ada grace',
    '1m',
    '2m ada grace',
  ]);

  expect(fired).toEqual([]);
});

test('13. the first run is a silent baseline, for every rule that watches', () => {
  const always = condition('true', () => true);
  const rules = [
    cardRule(),
    rankingRule(),
    cardRule({ if: always, watched: { settleMs: MINUTE, changes: [{ kind: 'entered' }, { kind: 'left' }] } }),
  ];

  const fired = rules.flatMap((rule) => firings(rule, ['0m ada grace', '1m ada grace', '5m ada grace']));

  expect(fired).toEqual([]);
  expect(firings(slotRule(), ['0m'])).toHaveLength(1);
});
