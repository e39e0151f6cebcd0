import { expect, test } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { PlatformError } from '#src/errors.ts';
import { NEW_STATE, type Episode } from '#src/rules/episode.ts';
import type { Firing } from '#src/rules/firing.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { committing, episodeOf, firing, keysOf, renderPlainly, setting, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const STEP = { with: { user: '9', role: '8' } };
const added = firing([setting(['x'], { do: 'discord.addRole', ...STEP })], { episode: 'grace@1' });
const removed = firing([setting(['x'], { do: 'discord.removeRole', ...STEP })], { section: 'finally' });
const ended = { ...episodeOf('ada@1'), phase: 'closed', closedMs: SLOT_MS } as const;

/** A running engine whose platform fails as often as stated. */
async function open(failures: number) {
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ clock });
  const attempts: string[] = [];
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform({ do: verb }) {
      attempts.push(verb);
      if (attempts.length <= failures) return Promise.reject(new PlatformError('down', { platform: 'discord', fault: 'unavailable' }));
      return Promise.resolve({ id: '9', role: { id: '8' } });
    },
    recover: () => Promise.resolve('absent'),
    render: renderPlainly,
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = engine.run(stop.signal);
  let slotMs = SLOT_MS;
  return {
    attempts,
    async commit(firings: readonly Firing[], put: readonly Episode[]) {
      await store.ruleStates.commit(committing(firings, { slotMs: slotMs++, change: { memory: NEW_STATE.memory, put, drop: [] } }));
      engine.wake();
      await clock.advance(0);
    },
    advance: (ms: number) => clock.advance(ms),
    removal: () => store.deliveries.find(keysOf(removed)[0] ?? ''),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the test is over'));
      await clock.advance(60_000);
      await running;
      await store[Symbol.asyncDispose]();
    },
  };
}

test('the removal of a role finds that another stream added it just before, at the end of an outage', async () => {
  await using stage = await open(0);

  await stage.commit([added, removed], [episodeOf('grace@1'), ended]);

  expect(stage.attempts).toEqual(['discord.addRole']);
  expect(await stage.removal()).toMatchObject({ state: 'skipped', reason: { kind: 'roleOfOther' } });
});

test('the removal of a role is not repeated after another stream added it', async () => {
  await using stage = await open(1);
  await stage.commit([removed], [ended]);
  await stage.commit([added], [episodeOf('grace@1')]);

  await stage.advance(60_000);

  expect(stage.attempts).toEqual(['discord.removeRole', 'discord.addRole']);
  expect(await stage.removal()).toMatchObject({ state: 'skipped', reason: { kind: 'roleOfOther' } });
});
