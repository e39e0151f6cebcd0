import type { Delivery } from '#src/delivery/delivery.ts';
import type { DeliveryStore } from '#src/delivery/delivery-store.ts';
import type { AppEvent, EventBus } from '#src/event-bus.ts';
import type { Log } from '#src/log.ts';
import type { Notifications } from '#src/store/postgres/notifications.ts';

export interface ShareEventsOptions {
  readonly eventBus: EventBus;
  readonly notifications: Notifications;
  readonly deliveries: Pick<DeliveryStore, 'load'>;
  readonly log: Log;
}

/** Publishes the events of this process in the other processes, and theirs in this one, so that each page shows the work of all. */
export function shareEvents({ eventBus, notifications, deliveries, log }: ShareEventsOptions): void {
  let isReceiving = false;
  let ids = new Set<string>();
  let loading: Promise<void> | undefined;

  function publish(events: readonly AppEvent[]): void {
    isReceiving = true;
    try {
      for (const event of events) eventBus.publish(event);
    } finally {
      isReceiving = false;
    }
  }

  /** Loads the deliveries that other processes changed; many at once, if many change. */
  async function load(): Promise<void> {
    while (ids.size > 0) {
      const some = [...ids];
      ids = new Set();
      const found = await deliveries.load(some);
      publish(found.map((delivery: Delivery) => ({ kind: 'delivery', delivery })));
    }
  }

  eventBus.subscribe((event) => {
    if (isReceiving) return;
    notifications.send(event.kind === 'delivery' ? { kind: 'delivery', id: event.delivery.id } : { kind: 'event', event });
  });

  notifications.subscribe((message) => {
    if (message.kind === 'event') publish([message.event as AppEvent]); // this file sends them
    if (message.kind === 'missed') publish([{ kind: 'rules' }, { kind: 'posts' }, { kind: 'messages' }]);
    if (message.kind !== 'delivery') return;
    ids.add(message.id);
    loading ??= load()
      .catch((error: unknown) => log.debug({ error }, 'the changes of other workers could not be read'))
      .finally(() => (loading = undefined));
  });
}
