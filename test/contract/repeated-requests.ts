import { expect, test } from 'vitest';
import { CLAIM_EXPIRES_MS, REPEATED_WITHIN_MS } from '#src/admin/actions/repeated-requests.ts';
import { committing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const KEY = { actor: 'ada', key: 'k1' };

/** The contract of requests that may be repeated. */
export function repeatedRequestsContract(open: OpenStore): void {
  test('of simultaneous claims of a key, one succeeds; each actor has its own keys', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { repeatedRequests: requests } = store;

    const claims = await Promise.all(Array.from({ length: 8 }, (_, index) => requests.claim({ ...KEY, fingerprint: `${index}` })));
    const lost = claims.filter((claim) => claim !== undefined);
    const winner = String(claims.indexOf(undefined));

    expect(lost).toEqual(Array(7).fill({ fingerprint: winner }));
    expect(await requests.claim({ ...KEY, actor: 'grace', fingerprint: 'x' })).toBeUndefined();
  });

  test('a request of a killed process ends after the clock was ahead, as it does without', async () => {
    const clock = new ManualClock(SLOT_MS + 30 * REPEATED_WITHIN_MS);
    await using store = await open(clock);
    const { repeatedRequests: requests, storedClock } = store;
    await requests.claim({ ...KEY, fingerprint: 'a' });

    clock.set(SLOT_MS);
    await storedClock.continueFromNow();
    const atOnce = await requests.claim({ ...KEY, fingerprint: 'b' });
    await clock.advance(CLAIM_EXPIRES_MS);

    expect(atOnce).toEqual({ fingerprint: 'a' });
    expect(await requests.claim({ ...KEY, fingerprint: 'b' })).toBeUndefined();
  });

  test('only the keys of an actor with an answer are answered', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { repeatedRequests: requests } = store;
    for (const [actor, key] of [
      ['ada', 'k1'],
      ['ada', 'k2'],
      ['grace', 'k3'],
    ] as const) {
      await requests.claim({ actor, key, fingerprint: 'a' });
      if (key !== 'k2') await requests.answer({ actor, key }, { status: 204, body: '' });
    }

    expect(await requests.answered('ada', ['k1', 'k2', 'k3', 'k4'])).toEqual(new Set(['k1']));
  });

  test('an answer is kept for a day, and a released key can be claimed again', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { repeatedRequests: requests } = store;
    const request = { ...KEY, fingerprint: 'a' };
    await requests.claim(request);
    await requests.answer(KEY, { status: 200, body: '{}' });

    // Only a request without an answer can be released.
    await requests.release(KEY);
    expect(await requests.claim(request)).toEqual({ fingerprint: 'a', answer: { status: 200, body: '{}' } });
    await clock.advance(REPEATED_WITHIN_MS - 1);
    expect(await requests.claim({ ...KEY, fingerprint: 'b' })).toMatchObject({ fingerprint: 'a' });
    await clock.advance(1);
    expect(await requests.claim({ ...KEY, fingerprint: 'b' })).toBeUndefined();
    expect(await requests.claim(request)).toEqual({ fingerprint: 'b' });

    await requests.release(KEY);
    expect(await requests.claim(request)).toBeUndefined();
  });

  test('old answers and old actions are deleted', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const request = { ...KEY, fingerprint: 'a' };
    await store.repeatedRequests.claim(request);
    await store.repeatedRequests.answer(KEY, { status: 200, body: '{}' });
    await store.auditLog.start({ id: 'a', action: 'pauseRule', by: { name: 'ada', via: 'cli' }, target: 'live' });

    clock.set(SLOT_MS + 3 * 365 * REPEATED_WITHIN_MS);
    await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
    clock.set(SLOT_MS);

    expect(await store.repeatedRequests.claim(request)).toBeUndefined();
    expect((await store.auditLog.list()).items).toEqual([]);
  });

  test('the key of a process that ended can be claimed when its claim expires', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const request = { ...KEY, fingerprint: 'a' };
    await store.repeatedRequests.claim(request);

    await clock.advance(CLAIM_EXPIRES_MS - 1);
    await store.repeatedRequests.renew(KEY);
    await clock.advance(CLAIM_EXPIRES_MS - 1);
    expect(await store.repeatedRequests.claim(request)).toEqual({ fingerprint: 'a' });
    await clock.advance(1);
    expect(await store.repeatedRequests.claim(request)).toBeUndefined();
  });
}
