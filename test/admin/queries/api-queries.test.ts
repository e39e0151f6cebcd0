import { expect, test } from 'vitest';
import { createApiQueries, type ApiQueriesOptions } from '#src/admin/queries/api-queries.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { openStore } from '#src/store/store.ts';
import { find, settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule } from '../../support/rules.ts';

test('the rules show a delivery that was resolved a moment ago without its failure', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const rules = [makeRule({ id: 'live' })];
  const eventBus = createEventBus();
  const options: Partial<ApiQueriesOptions> = {
    ...store,
    clients: { streaming: new Map(), social: new Map(), discord: new Map() },
    registry: { now: { rules, diagnostics: [] }, running: rules, isOn: () => true } as unknown as ApiQueriesOptions['registry'], // what rules read
    scheduler: { plansOf: async () => new Map() } as Partial<ApiQueriesOptions['scheduler']> as ApiQueriesOptions['scheduler'], // as above
    eventBus,
    process: { database: () => ({}) } as Partial<ApiQueriesOptions['process']> as ApiQueriesOptions['process'], // as above
    clock,
  };
  const apiQueries = createApiQueries(options as ApiQueriesOptions); // as above
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
