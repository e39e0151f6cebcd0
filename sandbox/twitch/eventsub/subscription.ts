import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** The statuses of subscriptions and of shards. */
export const STATUSES = [
  'enabled',
  'webhook_callback_verification_pending',
  'webhook_callback_verification_failed',
  'notification_failures_exceeded',
  'authorization_revoked',
  'moderator_removed',
  'user_removed',
  'version_removed',
  'beta_maintenance',
  'websocket_disconnected',
  'websocket_failed_ping_pong',
  'websocket_received_inbound_traffic',
  'websocket_connection_unused',
  'websocket_internal_error',
  'websocket_network_timeout',
  'websocket_network_error',
  'websocket_failed_to_reconnect',
  'conduit_deleted',
] as const;
/** The status of a subscription or of a shard. */
export type Status = (typeof STATUSES)[number];

const Webhook = z.object({ method: z.literal('webhook'), callback: z.string(), secret: z.string() });
const WebSocket = z.object({
  method: z.literal('websocket'),
  sessionId: z.string(),
  connectedAtMs: z.number(),
  disconnectedAtMs: z.number().optional(),
});
const Conduit = z.object({ method: z.literal('conduit'), conduitId: z.string() });

/** How a shard receives notifications. */
export const ShardTransport = z.discriminatedUnion('method', [Webhook, WebSocket]);
export type ShardTransport = z.output<typeof ShardTransport>;
/** How a subscriber receives notifications. */
const Transport = z.discriminatedUnion('method', [Webhook, WebSocket, Conduit]);
export type Transport = z.output<typeof Transport>;

export const Subscription = z.object({
  id: z.string(),
  clientId: z.string(),
  /** The user who subscribed; absent for subscriptions of an app. */
  userId: z.string().optional(),
  type: z.string(),
  version: z.string(),
  condition: z.record(z.string(), z.string()),
  transport: Transport,
  status: z.enum(STATUSES),
  cost: z.int(),
  createdAtMs: z.number(),
});
/** A subscription to events. */
export interface Subscription extends z.output<typeof Subscription> {}

/** An instant in the format of EventSub, which has nanoseconds. */
export function eventInstant(atMs: number): string {
  return new Date(atMs).toISOString().replace(/(\.\d+)Z$/u, '$1000000Z');
}

/** A subscription in the format of Helix and of notifications. The secret of a webhook is never shown. */
export function toSubscriptionWire({ id, status, type, version, condition, transport, cost, createdAtMs }: Subscription): JsonObject {
  return {
    id,
    status,
    type,
    version,
    condition: { ...condition },
    transport: toTransportWire(transport),
    created_at: eventInstant(createdAtMs),
    cost,
  };
}

/** A transport in the format of Helix. */
export function toTransportWire(transport: Transport): JsonObject {
  switch (transport.method) {
    case 'webhook':
      return { method: 'webhook', callback: transport.callback };
    case 'conduit':
      return { method: 'conduit', conduit_id: transport.conduitId };
    case 'websocket': {
      const { sessionId, connectedAtMs, disconnectedAtMs } = transport;
      return {
        method: 'websocket',
        session_id: sessionId,
        connected_at: eventInstant(connectedAtMs),
        ...(disconnectedAtMs !== undefined && { disconnected_at: eventInstant(disconnectedAtMs) }),
      };
    }
  }
}

/** What identifies the receiver of a transport. */
export function receiverOf(transport: Transport): string {
  switch (transport.method) {
    case 'webhook':
      return `webhook ${transport.callback}`;
    case 'conduit':
      return `conduit ${transport.conduitId}`;
    case 'websocket':
      return `websocket ${transport.sessionId}`;
  }
}
