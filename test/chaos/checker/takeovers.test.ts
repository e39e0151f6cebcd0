import { expect, test } from 'vitest';
import { check } from './check.ts';
import { ObservedRun } from './observed.ts';
import { reportOf } from './report.ts';
import { quantile, takeoversIn } from './takeovers.ts';

const sent = (worker: string, account = 'discord') => ({ kind: 'sent', worker, account, rule: 'card-1', delivery: 'd' }) as const;

function run(): ObservedRun {
  return new ObservedRun('card-1').line(1, { kind: 'ready', worker: 'w2' }).line(2, sent('w1')).line(3, sent('w2', 'club'));
}

test('a takeover lasts from the fault until another worker sends through the account', () => {
  const { history } = run()
    .line(10, { kind: 'fault', id: 1, fault: 'kill', worker: 'w1' })
    .line(12, sent('w2', 'club'))
    .line(17, sent('w2'))
    .line(18, sent('w2'))
    .at(20);

  expect(takeoversIn(history)).toMatchObject([{ account: 'discord', from: 'w1', by: 'w2', fault: 'kill', tookMs: 7_000 }]);
});

test('a worker that goes on itself takes nothing over', () => {
  const { history } = run().fault(10, 30, 'freeze', { worker: 'w1' }).line(31, sent('w1')).line(32, sent('w2')).at(40);

  expect(takeoversIn(history)).toEqual([]);
});

test('the time without a database does not count', () => {
  const { history } = run().fault(10, 30, 'freeze', { worker: 'w1' }).fault(12, 16, 'postgresKill').line(20, sent('w2')).at(40);

  expect(takeoversIn(history)).toMatchObject([{ tookMs: 6_000 }]);
});

test('quantiles of measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);

  expect([0.5, 0.9, 0.99, 1].map((part) => quantile(values, part))).toEqual([51, 91, 100, 100]);
  expect(quantile([], 0.5)).toBeUndefined();
});

test('the report shows each violation with its evidence and the faults near it', () => {
  const observed = run()
    .world(10, 'wentLive', 'grace', '71', 't1')
    .line(12, { kind: 'fault', id: 1, fault: 'kill', worker: 'w1' })
    .line(13, sent('w2'))
    .message(14, 'opened card-1 grace 71 t1')
    .message(15, 'opened card-1 grace 71 t1')
    .at(20);

  expect(reportOf(observed.history, check(observed), takeoversIn(observed.history))).toEqual([
    'VIOLATION duplicated: "opened 71" arrived 2 times (card-1, discord, grace)',
    '    18:00:14.000 discord: opened stream 71 t1 (m1)',
    '    18:00:15.000 discord: opened stream 71 t1 (m2)',
    '    faults: 18:00:12.000 kill w1',
    'faults: 1 kill',
    'time from an event to its announcement, without outages: p50 5.0 s, p90 5.0 s, p99 5.0 s, max 5.0 s (2 values)',
    'time to take over a lane, without outages: p50 1.0 s, p90 1.0 s, p99 1.0 s, max 1.0 s (1 values)',
    '2 messages, posts and edits compared with the events: 1 duplicated',
  ]);
});
