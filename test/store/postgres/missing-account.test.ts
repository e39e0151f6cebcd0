import { expect, test } from 'vitest';
import { createClients } from '#src/clients/clients.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { createSharedLanes } from '#src/store/postgres/lanes.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly, setting } from '../../support/firings.ts';
import { startTwoProcesses, type TimedProcess } from './timed-database.ts';

const { database, one, two, ending, awaitEnd } = await startTwoProcesses();

type Steps = Pick<Parameters<typeof createDeliveryEngine>[0], 'perform' | 'recover' | 'search'>;

function start(process: TimedProcess, steps: Steps): void {
  const lanes = createSharedLanes({ ...process, share: () => 0.5 });
  const { store, clock, log } = process;
  const engine = createDeliveryEngine({ ...steps, deliveries: store.deliveries, render: renderPlainly, lanes, clock, log });
  awaitEnd(engine.run(ending()));
}

test('deliveries that one worker tried without their account are sent by a worker that has it', async () => {
  const { perform, recover, records } = new FakePlatform(one.clock);
  const none = createClients({ streaming: [], social: [], discord: [] }, two.clock);
  const fired = firing([creating(['mastodon'], { id: 'post' }), setting(['mastodon'], { id: 'pin', do: 'social.pinPost' })]);
  const states = async () => (await Promise.all(keysOf(fired).map((key) => one.store.deliveries.find(key)))).map((found) => found?.state);
  const attempts = async () => (await one.store.deliveries.find(keysOf(fired)[0] ?? ''))?.attempts;
  const passUntil = async (read: () => Promise<unknown>, wanted: unknown): Promise<void> => {
    await expect.poll(async () => (await database.advance(1_000, one, two), read()), { interval: 3 }).toEqual(wanted);
  };
  start(two, stepsThrough({ clients: none, watch: (_account, work) => work() }));
  await one.store.ruleStates.commit(committing([fired]));
  await passUntil(async () => [await attempts(), await states()], [1, ['pending', 'pending']]);

  start(one, { perform, recover, search: recover });
  await passUntil(states, ['sent', 'sent']);

  expect(records.map((record) => record.do)).toEqual(['social.createPost', 'social.pinPost']);
});
