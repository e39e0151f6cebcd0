import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProcessLock } from '#src/store/process-lock.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Opens one lock in a new state for each of two processes. */
export type OpenLocks = (clock: ManualClock) => Promise<readonly [ProcessLock, ProcessLock]>;

/** A condition that a file or a statement fulfils soon. */
const SOON = { interval: 3 };

/** The contract of a lock that one process holds at a time. */
export function processLockContract(open: OpenLocks): void {
  describe('a lock', () => {
    async function openBoth() {
      const clock = new ManualClock();
      const [one, other] = await open(clock);
      onTestFinished(() => [one, other].forEach((lock) => lock.close()));
      const { signal } = new AbortController();
      return { clock, one, other, signal };
    }

    /** Advances the clock until a claim succeeds. */
    async function claimed(claim: Promise<Disposable>, clock: ManualClock): Promise<Disposable> {
      let got: Disposable | undefined;
      void claim.then((one) => (got = one));
      await expect.poll(async () => (await clock.advance(250), got), SOON).toBeDefined();
      return claim;
    }

    test('is held by one process, and another process waits until it is released', async () => {
      const { clock, one, other, signal } = await openBoth();
      const first = await one.claim({ signal, onWait: () => expect.fail('nothing holds the lock') });
      let [waits, isClaimed] = [0, false];
      const second = other.claim({ signal, onWait: () => waits++ }).finally(() => (isClaimed = true));
      await expect.poll(() => waits, SOON).toBe(1);
      for (let round = 0; round < 4; round++) await clock.advance(250);
      expect([isClaimed, waits]).toEqual([false, 1]);

      first[Symbol.dispose]();
      const held = await claimed(second, clock);
      // A second release does not release the lock of the other process.
      first[Symbol.dispose]();
      const third = one.claim({ signal, onWait: () => waits++ });
      await expect.poll(() => waits, SOON).toBe(2);
      held[Symbol.dispose]();
      (await claimed(third, clock))[Symbol.dispose]();
    });

    test('is held by one part of a process, and another part waits until it is released', async () => {
      const { clock, one, other, signal } = await openBoth();
      const first = await one.claim({ signal });
      let waits = 0;
      const second = one.claim({ signal, onWait: () => waits++ });
      await expect.poll(() => waits, SOON).toBe(1);
      first[Symbol.dispose]();
      const held = await claimed(second, clock);
      first[Symbol.dispose]();
      const third = other.claim({ signal, onWait: () => waits++ });
      await expect.poll(() => waits, SOON).toBe(2);
      held[Symbol.dispose]();
      (await claimed(third, clock))[Symbol.dispose]();
    });

    test('is not claimed by a process that stopped waiting', async () => {
      const { clock, one, other } = await openBoth();
      const { signal } = new AbortController();
      const held = await one.claim({ signal });
      const stop = new AbortController();
      let waits = 0;
      const waiting = other.claim({ signal: stop.signal, onWait: () => waits++ });
      await expect.poll(() => waits, SOON).toBe(1);
      stop.abort(new Error('the process stops'));
      await expect(waiting).rejects.toThrow('the process stops');
      await expect(other.claim({ signal: stop.signal })).rejects.toThrow('the process stops');
      held[Symbol.dispose]();
      await expect(other.claim({ signal: stop.signal })).rejects.toThrow('the process stops');
      (await claimed(one.claim({ signal }), clock))[Symbol.dispose]();
    });

    test('is released by a process that ends', async () => {
      const { clock, one, other, signal } = await openBoth();
      one.close();
      await one.claim({ signal });
      one.close();
      const claim = await claimed(other.claim({ signal }), clock);
      expect(claim).toBeDefined();
    });
  });
}
