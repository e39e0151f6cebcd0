import type { Clock } from '#src/clock.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { AppEvent, EventBus } from '#src/engine/event-bus.ts';
import type { Log } from '#src/log.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Notifications } from './notifications.ts';

/** Each rule decides at each slot, so many decisions are read at once. */
const COLLECT_MS = 250;
/** The events to publish after missed notifications. `reset` makes views and clients read their deliveries and decisions again. */
const MISSED = ['rules', 'posts', 'messages', 'lists', 'actions', 'reset'] as const;
/** Decisions that were just notified are among the newest. An older one appears on the page when the page reads the list again. */
const NEWEST = 500;

export interface ShareEventsOptions {
  readonly eventBus: EventBus;
  readonly notifications: Pick<Notifications, 'send' | 'subscribe'>;
  readonly deliveries: Pick<DeliveryStore, 'load'>;
  readonly decisions: Pick<DecisionLog, 'list'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Publishes the events of this process in the other processes, and theirs in this one, so that each page shows the work of all. A
 * notification contains no record: the receiver reads it from the store.
 */
export function shareEvents({ eventBus, notifications, deliveries, decisions, clock, log }: ShareEventsOptions): void {
  let isReceiving = false;

  function publish(events: readonly AppEvent[]): void {
    isReceiving = true;
    try {
      for (const event of events) eventBus.publish(event);
    } finally {
      isReceiving = false;
    }
  }

  const onError = (error: unknown): void => log.debug({ error }, 'the changes of other workers could not be read');
  const addDelivery = createCollector<string>(async (ids) => {
    const found = await deliveries.load([...ids]);
    publish(found.map((delivery: Delivery) => ({ kind: 'delivery', delivery })));
  }, onError);
  const addSlot = createCollector<string>(async (slots) => {
    await clock.sleep(COLLECT_MS);
    const { items } = await decisions.list({ limit: NEWEST });
    const found = items.filter((decision) => slots.has(slotKey(decision)));
    publish(found.toReversed().map((decision) => ({ kind: 'decision', decision })));
  }, onError);

  eventBus.subscribe((event) => {
    if (isReceiving) return;
    if (event.kind === 'delivery') notifications.send({ kind: 'delivery', id: event.delivery.id });
    else if (event.kind === 'decision') notifications.send({ kind: 'decisions', rule: event.decision.rule, atMs: event.decision.atMs });
    else if (event.kind !== 'reset') notifications.send({ kind: 'changed', list: event.kind });
  });

  notifications.subscribe((message) => {
    if (message.kind === 'changed') publish([{ kind: message.list }]);
    if (message.kind === 'missed') publish(MISSED.map((kind) => ({ kind })));
    if (message.kind === 'delivery') addDelivery(message.id);
    if (message.kind === 'decisions') addSlot(slotKey(message));
  });
}

/** The slot of a decision as text. */
function slotKey({ rule, atMs }: Pick<Decision, 'rule' | 'atMs'>): string {
  return JSON.stringify([rule, atMs]);
}

/** Collects values while `load` runs, and then loads them together. */
function createCollector<T>(load: (values: ReadonlySet<T>) => Promise<void>, onError: (error: unknown) => void): (value: T) => void {
  let waiting = new Set<T>();
  let loading: Promise<void> | undefined;

  async function loadAll(): Promise<void> {
    while (waiting.size > 0) {
      const values = waiting;
      waiting = new Set();
      await load(values);
    }
  }

  return (value) => {
    waiting.add(value);
    loading ??= loadAll()
      .catch(onError)
      .finally(() => (loading = undefined));
  };
}
