import { expect, test } from 'vitest';
import { type DeliveryNames, deliverySlice, shownDeliveries, toDeliveryView } from '#src/admin/queries/deliveries.ts';
import { openStore } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, setting, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { storedDelivery } from '../../support/stored-delivery.ts';

const MINUTE_MS = 60_000;

test('failed and unknown deliveries come before a hundred edits of a card, which are one entry', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const lost = firing([creating(['x']), creating(['mastodon'])], { episode: 'lost' });
  await store.ruleStates.commit(committing([lost]));
  await settle(store, keysOf(lost)[0], { state: 'failed', error: { fault: 'rejected', message: 'refused' } });
  await settle(store, keysOf(lost)[1], { state: 'unknown' });
  for (let poll = 1; poll <= 100; poll++) {
    const slotMs = SLOT_MS + poll * MINUTE_MS;
    clock.set(slotMs);
    const edit = firing([setting(['discord'])], { section: 'while', occasion: String(poll), atMs: slotMs });
    await store.ruleStates.commit(committing([edit], { slotMs }));
    await settle(store, keysOf(edit)[0], { state: 'sent', sentAt: new Date(slotMs) });
  }

  const items: DeliveryNames['episodes']['items'] = async (asked) =>
    asked.filter(({ id }) => id === 'lost').map((one) => ({ ...one, key: 'ada', item: { displayName: 'Ada' } }));
  const names: DeliveryNames = { rules: [], episodes: { items, open: async () => [] } };

  const { items: shown } = await deliverySlice({ offset: 0, limit: 30 }, { deliveryLog: store.deliveryLog, ...names });

  expect(shown.slice(0, 3).map(({ state, account }) => [state, account])).toEqual([
    ['unknown', 'mastodon'],
    ['failed', 'x'],
    ['sent', 'discord'],
  ]);
  expect(shown[2]?.times).toBeGreaterThan(1);
  expect(shown.map(({ item }) => item?.name)).toEqual(['Ada', 'Ada', undefined]);
  expect(shown).toHaveLength(3);
  expect(await store.deliveryLog.undelivered(SLOT_MS)).toEqual([
    { rule: 'live', state: 'failed', count: 1 },
    { rule: 'live', state: 'unknown', count: 1 },
  ]);
  const outcomes = await store.deliveryLog.outcomesOf([lost.id, 'none']);
  expect([...outcomes].map(([id, { undelivered }]) => [id, undelivered])).toEqual([[lost.id, 2]]);
});

test('questions and unsent announcements about a stream that is over say so', async () => {
  const item = { viewerCount: 1, startedAt: '2026-11-20T17:00:00Z', owner: { displayName: 'Ada' } };
  const open = { key: 'ada', item, startedMs: 0, openedMs: 0, lengthMs: 1, peak: {}, phase: 'open', announced: true } as const;
  const episodes: DeliveryNames['episodes'] = {
    items: async (asked) => asked.map((one) => ({ ...one, key: 'ada', item })),
    open: async (asked) => asked.filter(({ id }) => id === 'live').map((one) => ({ ...open, ...one })),
  };
  const deliveries = [
    storedDelivery({ id: 'd1', state: 'asked', do: 'discord.ask', episode: 'live' }),
    storedDelivery({ id: 'd2', state: 'asked', do: 'discord.ask', episode: 'over' }),
    storedDelivery({ id: 'd3', state: 'sent', do: 'discord.ask', episode: 'over' }),
    storedDelivery({ id: 'd4', state: 'failed', episode: 'over' }),
    storedDelivery({ id: 'd5', state: 'failed', episode: 'live' }),
    storedDelivery({ id: 'd6', state: 'unknown', episode: 'over' }),
    storedDelivery({ id: 'd7', state: 'failed', section: 'finally', episode: 'over' }),
    storedDelivery({ id: 'd8', state: 'failed', creates: false, episode: 'over' }),
  ];

  const shown = (await shownDeliveries(deliveries, { rules: [], episodes })).map(toDeliveryView);

  expect(shown.filter(({ isOver }) => isOver).map(({ id }) => id)).toEqual(['d2', 'd4', 'd6']);
});
