import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { runs } from '../../support/property.ts';
import { installation, watching } from './eventsub-fixture.ts';

const WAIT = { timeout: 20_000, interval: 5 };
const STEP_MS = 4_000;
/** The silence after which a connection is lost, the pauses before the next ones, and the polls of the new one. */
const LONGEST_GAP_MS = 60_000;
/** Helix shows a change up to two minutes after it happened. */
const LATE_MS = 110_000;

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
      await running.pass(LATE_MS + 2 * LONGEST_GAP_MS, STEP_MS);
      await vi.waitUntil(async () => (await running.report())?.state === 'connected', WAIT);
      const polledAtMs = running.hintTimes('ada');
      const lastMs = changedAtMs.slice(-1);
      for (const atMs of changedAtMs) expect(polledAtMs.some((polled) => polled >= atMs && polled <= atMs + LONGEST_GAP_MS)).toBe(true);
      // Repeats of an earlier change go on with the last one.
      for (const atMs of lastMs) expect(polledAtMs.some((polled) => polled >= atMs + LATE_MS)).toBe(true);
    }),
    { numRuns: runs(3, 40) },
  );
}, 240_000);
