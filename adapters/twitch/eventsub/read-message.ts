import { z } from 'zod';
import { parseJson } from '#src/http/parse-json.ts';

/** A message of the WebSocket server of Twitch EventSub. */
export type EventSubMessage =
  | {
      readonly kind: 'welcome';
      readonly sessionId: string;
      /** Without a message for this time, the connection is lost. */
      readonly keepaliveMs: number;
    }
  | { readonly kind: 'keepalive' }
  | EventSubNotification
  /** Twitch closes the connection 30 seconds later. */
  | { readonly kind: 'reconnect'; readonly url: string }
  | { readonly kind: 'revocation'; readonly subscriptionId: string; readonly type: string; readonly status: string }
  /** A kind of message that Fanfare does not know. It shows that the connection is alive. */
  | { readonly kind: 'unknown' };

/** A notification of an event. Twitch repeats it with the same id. */
export interface EventSubNotification {
  readonly kind: 'notification';
  readonly id: string;
  readonly sentAt: Date;
  readonly subscriptionId: string;
  /** The conduit of the subscription, if the notification names it. */
  readonly conduitId: string | undefined;
  /** The type of the subscription, such as `stream.online`. */
  readonly type: string;
  /** The stream of `stream.online`. */
  readonly streamId: string | undefined;
  /** The title and the id of the category of `channel.update`. */
  readonly update: { readonly title: string; readonly categoryId: string } | undefined;
  /** The channels of the event. A raid has two. */
  readonly channelIds: readonly string[];
  /** The shard of `conduit.shard.disabled`, and the session that it had. */
  readonly shard:
    | { readonly conduitId: string; readonly id: string; readonly status: string; readonly sessionId: string | undefined }
    | undefined;
}

const Envelope = z.object({ metadata: z.object({ message_type: z.string() }) });

const Welcome = z
  .object({ payload: z.object({ session: z.object({ id: z.string().min(1), keepalive_timeout_seconds: z.number().positive() }) }) })
  .transform(({ payload: { session } }) => ({
    kind: 'welcome' as const,
    sessionId: session.id,
    keepaliveMs: session.keepalive_timeout_seconds * 1000,
  }));

const Keepalive = z.unknown().transform(() => ({ kind: 'keepalive' as const }));

const Reconnect = z
  .object({ payload: z.object({ session: z.object({ reconnect_url: z.url({ protocol: /^wss?$/u }) }) }) })
  .transform(({ payload: { session } }) => ({ kind: 'reconnect' as const, url: session.reconnect_url }));

const Revocation = z
  .object({ payload: z.object({ subscription: z.object({ id: z.string(), type: z.string(), status: z.string() }) }) })
  .transform(({ payload: { subscription } }) => ({
    kind: 'revocation' as const,
    subscriptionId: subscription.id,
    type: subscription.type,
    status: subscription.status,
  }));

const id = z.string().min(1);
const Event = z.object({
  id: id.optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  category_id: z.string().optional().catch(undefined),
  broadcaster_user_id: id.optional(),
  from_broadcaster_user_id: id.optional(),
  to_broadcaster_user_id: id.optional(),
  conduit_id: id.optional(),
  shard_id: id.optional(),
  status: z.string().optional(),
  transport: z.object({ session_id: z.string().optional() }).optional(),
});

const Notification = z
  .object({
    metadata: z.object({ message_id: id, message_timestamp: z.iso.datetime({ offset: true }) }),
    payload: z.object({
      subscription: z.object({
        id,
        type: z.string(),
        transport: z.object({ conduit_id: z.string().optional() }).optional(),
      }),
      event: Event,
    }),
  })
  .transform(({ metadata, payload: { subscription, event } }): EventSubNotification => ({
    kind: 'notification',
    id: metadata.message_id,
    sentAt: new Date(metadata.message_timestamp),
    subscriptionId: subscription.id,
    conduitId: subscription.transport?.conduit_id,
    type: subscription.type,
    streamId: subscription.type === 'stream.online' ? event.id : undefined,
    update:
      event.title === undefined || event.category_id === undefined ? undefined : { title: event.title, categoryId: event.category_id },
    channelIds: [event.broadcaster_user_id, event.from_broadcaster_user_id, event.to_broadcaster_user_id].filter(
      (one) => one !== undefined,
    ),
    shard:
      event.conduit_id === undefined || event.shard_id === undefined
        ? undefined
        : { conduitId: event.conduit_id, id: event.shard_id, status: event.status ?? '', sessionId: event.transport?.session_id },
  }));

const KINDS: ReadonlyMap<string, z.ZodType<EventSubMessage>> = new Map<string, z.ZodType<EventSubMessage>>([
  ['session_welcome', Welcome],
  ['session_keepalive', Keepalive],
  ['session_reconnect', Reconnect],
  ['notification', Notification],
  ['revocation', Revocation],
]);

/** Reads a message of the WebSocket server; undefined if it is malformed. */
export function readEventSubMessage(text: string): EventSubMessage | undefined {
  const json = parseJson(text);
  const { data: envelope } = Envelope.safeParse(json);
  if (!envelope) return undefined;
  const schema = KINDS.get(envelope.metadata.message_type);
  return schema ? schema.safeParse(json).data : { kind: 'unknown' };
}
