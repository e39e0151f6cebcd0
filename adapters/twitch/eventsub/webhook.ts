import type { NotificationRequest, ReceivedNotification, ReceiveOptions } from '#src/clients/operation/notification-request.ts';
import { eventSubApi, type EventSubApi } from './api.ts';
import { createChannelHints } from './channel-hints.ts';
import { bindShard, FIRST_SHARD } from './conduit.ts';
import type { EventSubOptions } from './connect.ts';
import { keepSubscribed, OPERATION, watchedBy } from './keep-subscribed.ts';
import { KNOWN_TYPES } from './subscriptions.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** Twitch verifies an address within some seconds. */
const VERIFIED_WITHIN_MS = 30_000;
const LOOK_MS = 1_000;

interface ConnectWebhookOptions extends Omit<EventSubOptions, 'url'> {
  readonly revocations: Revocations;
}

/** The revocations that this process receives, for the connection of the same account. */
export interface Revocations {
  /** Called with the id of a subscription that Twitch ended; absent: this process is not connected. */
  onRevoked?: ((subscriptionId: string) => void) | undefined;
}

/** Receives notifications of Twitch at the public address, as the first shard of the conduit of this installation, while there are names. */
export async function connectWebhook({ endpoint, revocations, ...options }: ConnectWebhookOptions): Promise<void> {
  if (!endpoint) throw new TypeError('webhooks of Twitch need a public address');
  const { names, onChange, signal } = options;
  const callback = endpoint.url;
  const api = eventSubApi({ ...options, webhook: { callback, secret: await endpoint.secret() } });
  const channels = createChannelHints({ ...options, onChange: (some) => onChange(some && { operation: OPERATION, names: some }) });
  await channels.watch((await watchedBy(names)).watched, signal);
  const bound = await bindShard({ ...options, api, number: FIRST_SHARD, sessionId: callback });
  await untilVerified(bound.conduitId, { ...options, api, callback });
  // Notifications from before are lost.
  channels.missed();
  const kept = keepSubscribed({ ...options, api, channels, bound: () => bound });
  revocations.onRevoked = (subscriptionId) => kept.revoked(subscriptionId);
  try {
    await kept.ended;
  } finally {
    revocations.onRevoked = undefined;
  }
}

async function untilVerified(
  conduitId: string,
  { api, callback, clock, signal }: Pick<EventSubOptions, 'clock' | 'signal'> & { readonly api: EventSubApi; readonly callback: string },
): Promise<void> {
  const endMs = clock.nowMs() + VERIFIED_WITHIN_MS;
  for (;;) {
    const shards = await api.shards(conduitId, signal);
    if (shards.some(({ number, sessionId }) => number === FIRST_SHARD && sessionId === callback)) return;
    if (clock.nowMs() >= endMs) throw new Error(`Twitch does not reach ${callback}`);
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Receives the requests of Twitch. Only those for the stored conduit count. */
export async function receiveWebhook(
  request: NotificationRequest,
  { secret: secretOf, storedText, nowMs, revocations }: ReceiveOptions & { readonly revocations: Revocations },
): Promise<ReceivedNotification> {
  const secret = await secretOf();
  if (secret === undefined || request.method !== 'POST') return { kind: 'refused', reason: 'subscription' };
  const message = verifyWebhook(request, { secret, nowMs });
  if (typeof message === 'string') return { kind: 'refused', reason: message };
  if (message.kind === 'challenge') return { kind: 'challenge', answer: message.challenge };
  if (message.kind === 'revocation') {
    revocations.onRevoked?.(message.subscriptionId);
    return { kind: 'ended' };
  }
  const { id, type, conduitId } = message.notification;
  if (conduitId === undefined || conduitId !== (await storedText())?.split(' ')[1]) return { kind: 'refused', reason: 'subscription' };
  const changes = message.names.length > 0 ? [{ operation: OPERATION, names: message.names }] : [];
  return { kind: 'notification', id, type: KNOWN_TYPES.has(type) ? type : 'other', changes };
}
