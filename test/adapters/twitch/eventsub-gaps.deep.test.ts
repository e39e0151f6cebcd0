import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { runs } from '../../support/property.ts';
import { installation, watching } from './eventsub-fixture.ts';

const WAIT = { timeout: 240_000, interval: 5 };
const STEP_MS = 4_000;
/** The silence after which a connection is lost: its keepalive, and the time that a message may be late. */
const SILENCE_MS = 15_000;
/** The longest pause before the first connection after a loss. Each further loss doubles it. */
const PAUSE_MS = 2_000;
/** The steps of the clock, and the polls of a new connection. */
const POLLS_MS = 12_000;
/** Helix shows a change up to two minutes after it happened. */
const LATE_MS = 110_000;

/** The longest time without a poll, if each of these events ends a connection and the next connection is lost too. */
const longestGapMs = (events: number): number => events * SILENCE_MS + PAUSE_MS * (2 ** events - 1) + POLLS_MS;

const socketEvents = fc.constantFrom(
  { path: '/twitch/eventsub', order: { do: 'reconnect' } },
  { path: '/twitch/eventsub', order: { do: 'disconnect' } },
  { path: '/twitch/eventsub', order: { do: 'disconnect', code: 4000 } },
  { path: '/faults', order: { platform: 'twitch', kind: 'silentSocket', times: 1 } },
  { path: '/faults', order: { platform: 'twitch', kind: 'status', route: '/eventsub/conduits', times: 1 } },
  { path: '/twitch/eventsub', order: { do: 'revoke', user: 'grace' } },
);
const steps = fc.array(fc.record({ socket: fc.option(socketEvents, { nil: undefined }), goesLive: fc.boolean() }), {
  minLength: 2,
  maxLength: 6,
});

test('whatever happens to the connection, each change has a poll after it, and another one when Helix shows it late', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await using twitch = await openEventSub();
      await using store = await openStore();
      for (const user of ['ada', 'grace']) await twitch.order('/world', { do: 'end', user });
      const rules = [watching('live', ['ada', 'grace'])];
      await using running = installation({ twitch, store: store.notifiers, rules });
      await running.subscribed(6);
      const changedAtMs: number[] = [];
      let isLive = false;
      for (const { socket, goesLive } of sequence) {
        if (socket) await twitch.order(socket.path, socket.order);
        if (goesLive) {
          isLive = !isLive;
          changedAtMs.push(twitch.clock.nowMs());
          await twitch.order('/world', { do: isLive ? 'goLive' : 'end', user: 'ada' });
        }
        await running.pass(STEP_MS, 1_000);
      }
      const gapMs = longestGapMs(sequence.filter(({ socket }) => socket).length);
      await running.pass(LATE_MS + 2 * gapMs, STEP_MS);
      await vi.waitUntil(async () => (await running.report())?.state === 'connected', WAIT);
      const polledAtMs = running.hintTimes('ada');
      const lastMs = changedAtMs.slice(-1);
      for (const atMs of changedAtMs) expect(polledAtMs.some((polled) => polled >= atMs && polled <= atMs + gapMs)).toBe(true);
      // Repeats of an earlier change go on with the last one.
      for (const atMs of lastMs) expect(polledAtMs.some((polled) => polled >= atMs + LATE_MS)).toBe(true);
    }),
    { numRuns: runs(3, 40) },
  );
});
