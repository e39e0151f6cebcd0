import { expect, test } from 'vitest';
import type { Outage } from '#src/engine/outages.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const OUTAGE: Outage = {
  account: 'twitch',
  access: 'read',
  sinceMs: SLOT_MS,
  seenMs: SLOT_MS,
  fault: 'unavailable',
  problem: 'twitch is down',
};

/** The contract of the outages of accounts. */
export function outagesContract(open: OpenStore): void {
  test('a later failure keeps the start of an outage', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const later: Outage = { ...OUTAGE, sinceMs: SLOT_MS + 5, seenMs: SLOT_MS + 5, fault: 'rateLimited', problem: 'too many “requests”' };
    await store.outages.put(OUTAGE);
    await store.outages.put(later);

    expect(await store.outages.all()).toEqual([{ ...later, sinceMs: SLOT_MS }]);
  });

  test('reads and writes of an account have separate outages, and the oldest is first', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.outages.put({ ...OUTAGE, account: 'x', access: 'write', sinceMs: SLOT_MS + 1 });
    await store.outages.put(OUTAGE);
    await store.outages.put({ ...OUTAGE, access: 'write', sinceMs: SLOT_MS + 2, seenMs: SLOT_MS + 2 });
    await store.outages.end({ account: 'x', access: 'read' });

    expect((await store.outages.all()).map(({ account, access }) => `${account} ${access}`)).toEqual([
      'twitch read',
      'x write',
      'twitch write',
    ]);
    await store.outages.end({ account: 'x', access: 'write' });
    await store.outages.drop(SLOT_MS + 1);
    expect((await store.outages.all()).map(({ account, access }) => `${account} ${access}`)).toEqual(['twitch write']);
  });
}
