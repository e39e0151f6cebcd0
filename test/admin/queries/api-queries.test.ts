import { expect, test } from 'vitest';
import { createApiQueries, type ApiQueries, type ApiQueriesOptions } from '#src/admin/queries/api-queries.ts';
import { createEventBus, type EventBus } from '#src/engine/event-bus.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { find, settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule } from '../../support/rules.ts';

const clock = new ManualClock(SLOT_MS);

/** The queries over a store, with the rule `live`. */
function queriesOf(store: Store, eventBus: EventBus = createEventBus()): ApiQueries {
  const rules = [makeRule({ id: 'live' })];
  const options: Partial<ApiQueriesOptions> = {
    ...store,
    clients: { streaming: new Map(), social: new Map(), discord: new Map() },
    registry: { now: { rules, diagnostics: [] }, running: rules, isOn: () => true } as unknown as ApiQueriesOptions['registry'], // what rules read
    scheduler: { plansOf: async () => new Map() } as Partial<ApiQueriesOptions['scheduler']> as ApiQueriesOptions['scheduler'], // as above
    eventBus,
    process: { database: () => ({}) } as Partial<ApiQueriesOptions['process']> as ApiQueriesOptions['process'], // as above
    clock,
  };
  return createApiQueries(options as ApiQueriesOptions); // as above
}

test('the rules show a delivery that was resolved a moment ago without its failure', async () => {
  await using store = await openStore({ clock });
  const eventBus = createEventBus();
  const apiQueries = queriesOf(store, eventBus);
  const lost = firing([creating(['x'])], { episode: 'lost' });
  await store.ruleStates.commit(committing([lost]));
  const [key] = keysOf(lost);
  await settle(store, key, { state: 'unknown' });
  const undelivered = async () => (await apiQueries.rulePage({ page: 1, size: 10 })).items[0]?.undelivered;
  expect(await undelivered()).toEqual({ failed: 0, unknown: 1 });

  await store.deliveries.change(await find(store, key), { state: 'sent', sentAt: new Date(SLOT_MS) });
  eventBus.delivered(await find(store, key));

  expect(await undelivered()).toEqual({ failed: 0, unknown: 0 });
});

test('decisions that fired show that a pause withdrew their messages', async () => {
  await using store = await openStore({ clock });
  const apiQueries = queriesOf(store);
  const fired = firing([creating(['x'])]);
  const decision = { rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live', details: { firing: fired.id } } as const;
  await store.ruleStates.commit(committing([fired], { decisions: [decision] }));

  await store.ruleStates.changePauses(['live'], { pause: { by: 'grace' } });

  const stop = { message: 'grace paused the rule', reason: { kind: 'rulePaused', by: 'grace' } };
  expect((await apiQueries.decisions({ limit: 10 })).items).toMatchObject([{ outcome: 'fired', stop }]);
  expect((await apiQueries.rulePage({ page: 1, size: 10 })).items).toMatchObject([{ lastDecision: { stop } }]);
});
