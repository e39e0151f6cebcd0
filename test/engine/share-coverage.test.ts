import { expect, onTestFinished, test } from 'vitest';
import type { NotifierReport } from '#src/clients/operation/notifier.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { shareCoverage } from '#src/engine/share-coverage.ts';
import { silentLog } from '#src/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

const OPERATIONS = [{ operation: 'getStreams', parameter: 'users' }];

test('the names that another process covers count here, with and without their changed items, until its connection ends', async () => {
  const clock = new ManualClock(0);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const coverage = createCoverage();
  let report: NotifierReport = { state: 'connected', covered: { getStreams: ['Ada'] }, coveredPresence: { getStreams: ['grace'] } };
  void shareCoverage({
    accounts: [{ client: 'streaming', account: 'twitch', notifier: { operations: OPERATIONS, connect: () => Promise.resolve() } }],
    store: { reports: () => Promise.resolve(new Map([['twitch', report]])) },
    coverage,
    clock,
    log: silentLog,
    signal: stopping.signal,
  });
  const seen = () =>
    ['ada', 'Grace', 'linus'].map((name) => {
      const query = { account: 'twitch', verb: 'streaming.getStreams', name };
      return [coverage.covers(query), coverage.coversChanges(query)];
    });

  await expect.poll(seen).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);

  report = { state: 'failed', covered: { getStreams: ['Ada'] } };
  await clock.advance(15_000);
  await expect.poll(seen).toEqual([
    [false, false],
    [false, false],
    [false, false],
  ]);
});
