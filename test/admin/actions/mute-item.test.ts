import { expect, test } from 'vitest';
import type { Actor } from '#src/admin/actions/actor.ts';
import { createDeliveryActions } from '#src/admin/actions/delivery-actions.ts';
import type { MuteOutcome } from '#src/engine/scheduler/rule-states.ts';
import { runEngine } from '../../engine/delivery/running-engine.ts';
import { creating, firing, keysOf } from '../../support/firings.ts';

const GRACE: Actor = { name: 'grace', via: 'discord', role: 'editor', id: '7', origin: '42' };
const ELSEWHERE: Actor = { ...GRACE, scope: { server: '43', accounts: [] } };

test('the item of a delivery is muted by name, and the log of actions has each attempt', async () => {
  await using running = await runEngine();
  const { store, engine, clock } = running;
  const about = firing([creating(['discord'])], { item: { key: 'ada', name: 'Ada' }, episode: 'ada@1' });
  const plain = firing([creating(['x'])], { episode: 'poll' });
  await running.commit([about, plain]);
  const [delivery = '', ofPoll = ''] = [about, plain].flatMap(keysOf);
  const muted: unknown[] = [];
  const outcomes: MuteOutcome[] = ['muted', 'already'];
  const actions = createDeliveryActions({
    deliveries: store.deliveries,
    deliveryEngine: engine,
    ruleStates: {
      paused: () => store.ruleStates.paused(),
      mute: async (...call) => {
        muted.push(call);
        return outcomes.shift() ?? 'over';
      },
    },
    auditLog: store.auditLog,
    findRule: () => undefined,
    isPost: () => false,
    clock,
  });
  const mute = (id: string, by = GRACE) => actions.muteItem({ delivery: id }, by);

  expect([await mute(delivery), await mute(delivery), await mute(delivery)]).toEqual(['muted', 'already', 'over']);
  expect([await mute(ofPoll), await mute('none'), await mute(delivery, ELSEWHERE)]).toEqual([undefined, undefined, undefined]);

  expect(muted).toEqual([1, 2, 3].map(() => ['live', 'ada@1', 'grace (Discord)']));
  const { items } = await store.auditLog.list();
  expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'refused', 'refused', 'refused', 'unchanged', 'unchanged']);
});
