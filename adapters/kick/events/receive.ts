import type { KeyObject } from 'node:crypto';
import type { NotificationReceiver, NotificationRequest, ReceiveOptions } from '#src/clients/operation/notification-request.ts';
import type { PublicKey } from './public-key.ts';
import { KNOWN_TYPES } from './keep-subscribed.ts';
import { verifyEvent } from './verify-event.ts';

/** Receives the events of Kick. Every app of Kick gets events with the same key, so only stored subscriptions count. */
export function receiveEvents(publicKey: PublicKey): NotificationReceiver['receive'] {
  return async (request: NotificationRequest, { subscriptions, nowMs }: ReceiveOptions) => {
    if (request.method !== 'POST') return { kind: 'refused', reason: 'malformed' };
    const verified = (key: KeyObject) => verifyEvent(request, { publicKey: key, nowMs });
    let event = verified(await publicKey.current());
    if (event === 'signature') {
      const key = await publicKey.changed();
      if (key) event = verified(key);
    }
    if (typeof event === 'string') return { kind: 'refused', reason: event };
    const { id, subscriptionId, type, channel } = event;
    const subscription = await subscriptions.find(subscriptionId);
    if (subscription?.topic.split(' ')[1] !== channel.id) return { kind: 'refused', reason: 'subscription' };
    const names = [channel.id, channel.slug, ...subscription.names].filter((name) => name !== '');
    return {
      kind: 'notification',
      id,
      type: KNOWN_TYPES.includes(type) ? type : 'other',
      changes: [{ operation: 'getStreams', names: [...new Set(names)] }],
    };
  };
}
