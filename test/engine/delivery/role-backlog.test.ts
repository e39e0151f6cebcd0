import { expect, test } from 'vitest';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { committing, episodeOf, firing, keysOf, renderPlainly, setting, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('the removal of a role finds that another stream added it just before, at the end of an outage', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const done: string[] = [];
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform: ({ do: verb }) => {
      done.push(verb);
      return Promise.resolve({ id: '9', role: { id: '8' } });
    },
    recover: () => Promise.resolve('absent'),
    render: renderPlainly,
    clock,
    log: silentLog,
  });
  const params = { with: { user: '9', role: '8' } };
  const added = firing([setting(['x'], { do: 'discord.addRole', ...params })], { episode: 'grace@1' });
  const removed = firing([setting(['x'], { do: 'discord.removeRole', ...params })], { section: 'finally' });
  const put = [episodeOf('grace@1'), { ...episodeOf('ada@1'), phase: 'closed' as const, closedMs: SLOT_MS }];
  await store.ruleStates.commit(committing([added, removed], { change: { memory: NEW_STATE.memory, put, drop: [] } }));

  const stop = new AbortController();
  const running = engine.run(stop.signal);
  await clock.advance(1_000);
  stop.abort(new Error('the test is over'));
  await clock.advance(60_000);
  await running;

  expect(done).toEqual(['discord.addRole']);
  expect(await store.deliveries.find(keysOf(removed)[0] ?? '')).toMatchObject({ state: 'skipped', reason: { kind: 'roleOfOther' } });
});
