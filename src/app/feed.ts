import type { Delivery } from '#src/outbox/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { ViewEvent } from '#src/web/views.ts';
import { toDecisionView, toDeliveryView } from './view-records.ts';

/** Tells whoever looks what changes. */
export interface Feed {
  publish(event: ViewEvent): void;
  /** A delivery changed; where it was sent, so did the place that it was sent to. */
  publishDelivery(delivery: Delivery): void;
  publishDecision(decision: Decision): void;
  /** Returns what ends the subscription. */
  subscribe(listener: (event: ViewEvent) => void): () => void;
}

/** Which list of the page a verb changes, by its first word. */
const PLACES: Readonly<Record<string, 'posts' | 'messages'>> = { social: 'posts', discord: 'messages' };

/** A feed that nobody listens to yet. */
export function createFeed(): Feed {
  const listeners = new Set<(event: ViewEvent) => void>();

  function publish(event: ViewEvent): void {
    for (const listener of listeners) listener(event);
  }

  return {
    publish,
    publishDelivery(delivery) {
      publish({ kind: 'delivery', item: toDeliveryView(delivery) });
      const place = PLACES[delivery.do.split('.')[0] ?? ''];
      if (place && (delivery.state === 'sent' || delivery.state === 'asked')) publish({ kind: place });
    },
    publishDecision: (decision) => publish({ kind: 'decision', item: toDecisionView(decision) }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
