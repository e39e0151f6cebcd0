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
function queriesOf(
  store: Store,
  {
    eventBus = createEventBus(),
    streaming = new Map(),
    clock: its = clock,
  }: {
    readonly eventBus?: EventBus;
    readonly streaming?: ApiQueriesOptions['clients']['streaming'];
    readonly clock?: ManualClock;
  } = {},
): ApiQueries {
  const rules = [makeRule({ id: 'live' })];
  const options: Partial<ApiQueriesOptions> = {
    ...store,
    clients: { streaming, social: new Map(), discord: new Map() },
    registry: { now: { rules, diagnostics: [] }, running: rules, isOn: () => true } as unknown as ApiQueriesOptions['registry'], // what rules read
    scheduler: { plansOf: async () => new Map() } as Partial<ApiQueriesOptions['scheduler']> as ApiQueriesOptions['scheduler'], // as above
    eventBus,
    process: { database: () => ({}) } as Partial<ApiQueriesOptions['process']> as ApiQueriesOptions['process'], // as above
    clock: its,
  };
  return createApiQueries(options as ApiQueriesOptions); // as above
}

test('the rules show a delivery that was resolved a moment ago without its failure', async () => {
  await using store = await openStore({ clock });
  const eventBus = createEventBus();
  const apiQueries = queriesOf(store, { eventBus });
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

test('the live streams are read again after the clock was set back', async () => {
  await using store = await openStore({ clock });
  const wall = new ManualClock(SLOT_MS);
  let reads = 0;
  const bot = { getTopStreams: async () => ({ items: [{ id: String((reads += 1)) }] }) };
  const streaming = new Map([['twitch', bot]]) as unknown as ApiQueriesOptions['clients']['streaming']; // what the queries read
  const apiQueries = queriesOf(store, { streaming, clock: wall });
  const first = await apiQueries.live();

  wall.set(SLOT_MS - 3_600_000);

  expect([first, await apiQueries.live()]).toMatchObject([[{ id: '1' }], [{ id: '2' }]]);
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
