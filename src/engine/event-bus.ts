import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';

/** A change in the running process. An event without a record means that the list of its kind changed; `accounts` includes readiness. */
export type AppEvent =
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: ChangedList }
  /** Events of other processes were missed, so each record can have changed. */
  | { readonly kind: 'reset' };

/** `lists` are the lists that people edit, `actions` is the log of actions. */
type ChangedList = 'live' | 'posts' | 'messages' | 'rules' | 'accounts' | 'lists' | 'actions';

/** Notifications inside the process. */
export interface EventBus {
  publish(event: AppEvent): void;
  /** Returns a function that publishes the change of these lists. */
  changing(...lists: readonly ChangedList[]): () => void;
  /** Publishes the delivery and, if a post or a message was sent, the change of that list. */
  delivered(delivery: Delivery): void;
  /** Publishes the decisions of a slot. */
  slotCommitted(commit: { readonly decisions: readonly Decision[] }): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Calls `listener` with every delivery that changed. */
  onDelivery(listener: (delivery: Delivery) => void): void;
}

/** The list that an operation changes, by the client of the operation. */
const CHANGED_LIST: Readonly<Record<string, 'posts' | 'messages'>> = { social: 'posts', discord: 'messages' };

/** An event bus without subscribers. */
export function createEventBus(): EventBus {
  const listeners = new Set<(event: AppEvent) => void>();

  function publish(event: AppEvent): void {
    for (const listener of listeners) listener(event);
  }

  function subscribe(listener: (event: AppEvent) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    publish,
    changing:
      (...lists) =>
      () =>
        lists.forEach((kind) => publish({ kind })),
    delivered(delivery) {
      publish({ kind: 'delivery', delivery });
      const list = CHANGED_LIST[delivery.do.split('.')[0] ?? ''];
      if (list && (delivery.state === 'sent' || delivery.state === 'asked')) publish({ kind: list });
    },
    slotCommitted({ decisions }) {
      for (const decision of decisions) publish({ kind: 'decision', decision });
    },
    subscribe,
    onDelivery: (listener) => void subscribe((event) => event.kind === 'delivery' && listener(event.delivery)),
  };
}
