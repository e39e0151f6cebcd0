import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { History } from '#src/clients/history/history.ts';
import type { LoggedOutage } from '#src/clients/history/outage-log.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { emptyHistory } from '../../support/history.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const out = (account: string, access: LoggedOutage['access'], sinceMs: number): LoggedOutage => ({
  account,
  access,
  sinceMs,
  fault: 'unavailable',
  problem: `${access} of ${account}`,
});

test('an account is one item, with the reason of its first failure', async () => {
  const clock = new ManualClock();
  const outages = { all: () => Promise.resolve([out('twitch', 'read', 1), out('x', 'write', 2), out('x', 'read', 3)]) };
  const history = new History({ platform: recorded({ ...emptyHistory, outages, catalogue, clock }), clock });

  expect((await history.getOutages()).items).toEqual([
    { id: 'twitch', account: 'twitch', reads: false, writes: true, fault: 'unavailable', reason: 'read of twitch', startedAt: new Date(1) },
    { id: 'x', account: 'x', reads: false, writes: false, fault: 'unavailable', reason: 'write of x', startedAt: new Date(2) },
  ]);
});
