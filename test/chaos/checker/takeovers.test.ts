import { expect, test } from 'vitest';
import { check } from './check.ts';
import { ObservedRun, START_MS } from './observed.ts';
import { reportOf } from './report.ts';
import { quantile, takeoversIn } from './takeovers.ts';

const sent = (process: string) => ({ kind: 'sent', process, account: 'discord', rule: 'card-1', delivery: 'd' }) as const;

/** `w1-1` holds the lane of Discord. */
function run(): ObservedRun {
  return lane(new ObservedRun('card-1').line(1, { kind: 'ready', worker: 'w2' }), 2, 'w1-1');
}

function lane(to: ObservedRun, seconds: number, process: string): ObservedRun {
  return to.line(seconds, { kind: 'lane', account: 'discord', process, sinceMs: START_MS + seconds * 1000 });
}

function killed(): ObservedRun {
  return run().line(10, { kind: 'fault', id: 1, fault: 'kill', worker: 'w1', process: 'w1-1' });
}

test('a takeover lasts from the fault to the lease and to the first delivery of another process', () => {
  const { history } = lane(killed(), 17, 'w2-1').line(18, sent('w2-1')).line(19, sent('w2-1')).at(20);

  expect(takeoversIn(history)).toEqual({ leasesMs: [7_000], deliveriesMs: [8_000], handoversMs: [], slotsMs: [] });
});

test('a lane of another process is not taken over', () => {
  const { history } = lane(run(), 9, 'w2-1').fault(10, 30, 'freeze', { worker: 'w1', process: 'w1-1' }).line(11, sent('w2-1')).at(40);

  expect(takeoversIn(history)).toEqual({ leasesMs: [], deliveriesMs: [], handoversMs: [], slotsMs: [] });
});

test('a lane that was given back before the fault is not taken over', () => {
  const idle = run().line(9, { kind: 'lane', account: 'discord', sinceMs: START_MS });
  const { history } = lane(idle.line(10, { kind: 'fault', id: 1, fault: 'kill', worker: 'w1', process: 'w1-1' }), 17, 'w2-1').at(20);

  expect(takeoversIn(history).leasesMs).toEqual([]);
});

test('a process that continues after a freeze takes nothing over', () => {
  const frozen = run().fault(10, 14, 'freeze', { worker: 'w1', process: 'w1-1' });
  const { history } = lane(lane(frozen, 15, 'w1-1'), 20, 'w2-1')
    .line(21, sent('w2-1'))
    .at(40);

  expect(takeoversIn(history)).toEqual({ leasesMs: [], deliveriesMs: [], handoversMs: [], slotsMs: [] });
});

test('the time without a database does not count', () => {
  const { history } = lane(killed().fault(12, 16, 'postgresKill'), 20, 'w2-1')
    .line(21, sent('w2-1'))
    .at(40);

  expect(takeoversIn(history)).toEqual({ leasesMs: [6_000], deliveriesMs: [7_000], handoversMs: [], slotsMs: [] });
});

test('a takeover that a further fault interrupts starts again', () => {
  const { history } = lane(
    lane(killed().line(16, { kind: 'ready', worker: 'w1' }), 17, 'w2-1').fault(18, 40, 'freeze', { worker: 'w2', process: 'w2-1' }),
    30,
    'w1-2',
  )
    .line(31, sent('w1-2'))
    .at(40);

  expect(takeoversIn(history)).toMatchObject({ leasesMs: [7_000, 12_000], deliveriesMs: [13_000] });
});

test('a process that is asked to stop gives its lanes back', () => {
  const stopped = run().line(10, { kind: 'fault', id: 1, fault: 'restart', worker: 'w1', process: 'w1-1' });
  const { history } = lane(stopped.line(11, { kind: 'lane', account: 'discord', sinceMs: START_MS }), 14, 'w2-1').at(20);

  expect(takeoversIn(history)).toEqual({ leasesMs: [], deliveriesMs: [], handoversMs: [1_000], slotsMs: [] });
});

test('slots that were committed long after a fault were taken over', () => {
  const { history } = killed()
    .line(11, { kind: 'batch', sinceMs: START_MS + 8_000 })
    .line(19, { kind: 'batch', sinceMs: START_MS + 9_000 })
    .line(30, { kind: 'batch', sinceMs: START_MS + 25_000 })
    .at(40);

  expect(takeoversIn(history)).toEqual({ leasesMs: [], deliveriesMs: [], handoversMs: [], slotsMs: [9_000] });
});

test('quantiles of measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);

  expect([0.5, 0.9, 0.99, 1].map((part) => quantile(values, part))).toEqual([51, 91, 100, 100]);
  expect(quantile([], 0.5)).toBeUndefined();
});

test('the report shows each violation with its evidence and the faults near it', () => {
  const observed = lane(
    killed().world(11, 'wentLive', 'grace', '71', 't1').message(14, 'opened card-1 grace 71 t1').message(15, 'opened card-1 grace 71 t1'),
    13,
    'w2-1',
  )
    .line(14, sent('w2-1'))
    .at(20);

  expect(reportOf(observed.history, check(observed), takeoversIn(observed.history))).toEqual([
    'VIOLATION duplicated: "opened 71" arrived 2 times (card-1, discord, grace), 18:00:14.000 to 18:00:15.000',
    '    18:00:14.000 discord: opened stream 71 t1 (m1)',
    '    18:00:15.000 discord: opened stream 71 t1 (m2)',
    '    faults: 18:00:10.000 kill w1',
    'faults: 1 kill',
    'time from an event to its announcement, without outages: p50 4.0 s, p90 4.0 s, p99 4.0 s, max 4.0 s (2 values)',
    'time to take over the work of a killed or frozen worker, without outages:',
    '  lease of an account: p50 3.0 s, p90 3.0 s, p99 3.0 s, max 3.0 s (1 values)',
    '  first delivery through the account: p50 4.0 s, p90 4.0 s, p99 4.0 s, max 4.0 s (1 values)',
    '  slots of rules: nothing measured',
    'time until a worker that was asked to stop gave the lease of an account back: nothing measured',
    'arrived: discord 2, club 0, x 0',
    '2 messages, posts and edits compared with the events: 1 duplicated',
  ]);
});
