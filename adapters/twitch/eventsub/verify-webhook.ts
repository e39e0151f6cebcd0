import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { NotificationRefusal, NotificationRequest } from '#src/clients/operation/notification-request.ts';
import { parseJsonBytes } from '#src/http/parse-json.ts';
import { type EventSubNotification, readEventSubMessage } from './read-message.ts';

/** Twitch advises to refuse older messages. */
const MOST_DIFFERENCE_MS = 10 * 60_000;
const LONGEST_ID = 200;

/** A message to a webhook. */
export type WebhookMessage =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'revocation'; readonly subscriptionId: string }
  | { readonly kind: 'notification'; readonly notification: EventSubNotification; readonly names: readonly string[] };

const Challenge = z.object({ challenge: z.string().min(1).max(2_000) });
const Revocation = z.object({ subscription: z.object({ id: z.string().min(1) }) });
const Logins = z.object({ event: z.object({ broadcaster_user_login: z.string().optional() }) });

/** Checks that Twitch sent a request just now with this secret, and reads its message. */
export function verifyWebhook(
  { header, body }: NotificationRequest,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): WebhookMessage | NotificationRefusal {
  const named = (name: string): string => header(`twitch-eventsub-message-${name}`) ?? '';
  const [id, timestamp, type] = [named('id'), named('timestamp'), named('type')];
  if (id === '' || id.length > LONGEST_ID || !isSigned(named('signature'), [id, timestamp, body], secret)) return 'signature';
  const sentMs = Date.parse(timestamp);
  if (!(Math.abs(sentMs - nowMs) <= MOST_DIFFERENCE_MS)) return 'timestamp';
  const payload = parseJsonBytes(body);
  if (type === 'revocation') {
    const { data } = Revocation.safeParse(payload);
    return data ? { kind: 'revocation', subscriptionId: data.subscription.id } : 'malformed';
  }
  if (type === 'webhook_callback_verification') {
    const { data } = Challenge.safeParse(payload);
    return data ? { kind: 'challenge', challenge: data.challenge } : 'malformed';
  }
  const metadata = { message_type: 'notification', message_id: id, message_timestamp: timestamp };
  const message = type === 'notification' ? readEventSubMessage(JSON.stringify({ metadata, payload })) : undefined;
  if (message?.kind !== 'notification') return 'malformed';
  const login = Logins.safeParse(payload).data?.event.broadcaster_user_login;
  return { kind: 'notification', notification: message, names: [...message.channelIds, ...(login === undefined ? [] : [login])] };
}

function isSigned(header: string, parts: readonly (string | Uint8Array)[], secret: string): boolean {
  const [, digits = ''] = /^sha256=([0-9a-f]{64})$/iu.exec(header) ?? [];
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  const [stated, expected] = [Buffer.from(digits, 'hex'), hmac.digest()];
  return stated.length === expected.length && timingSafeEqual(stated, expected);
}
