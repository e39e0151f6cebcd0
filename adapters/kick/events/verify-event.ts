import { verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { NotificationRefusal, NotificationRequest } from '#src/clients/operation/notification-request.ts';
import { parseJsonBytes } from '#src/http/parse-json.ts';

/** Kick sends events up to 15 minutes late. */
const MOST_LATE_MS = 30 * 60_000;
/** Clocks differ. */
const MOST_EARLY_MS = 10 * 60_000;
/** The length of a signature in Base64: 256 or 512 bytes. */
const SIGNATURE = /^[0-9A-Za-z+/]{100,700}={0,2}$/u;
/** The ids that Kick sends, with room for another form. Longer ones would fill the memory. */
const ID = /^[\w-]{1,100}$/u;

/** An event of a channel. */
export interface KickEvent {
  /** The id of the message. */
  readonly id: string;
  /** The header is not signed, so it counts only together with the channel. */
  readonly subscriptionId: string;
  readonly type: string;
  readonly channel: { readonly id: string; readonly slug: string };
}

const Body = z.object({ broadcaster: z.object({ user_id: z.int(), channel_slug: z.string().max(100).default('') }) });

export interface VerifyOptions {
  readonly publicKey: KeyObject;
  readonly nowMs: number;
}

/** Checks that Kick sent a request just now, and reads its event. */
export function verifyEvent({ header, body }: NotificationRequest, { publicKey, nowMs }: VerifyOptions): KickEvent | NotificationRefusal {
  const named = (name: string): string => header(`kick-event-${name}`) ?? '';
  const [id, timestamp, signature] = [named('message-id'), named('message-timestamp'), named('signature')];
  const [subscriptionId, type] = [named('subscription-id'), named('type')];
  if (![id, subscriptionId].every((one) => ID.test(one)) || !SIGNATURE.test(signature)) return 'signature';
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64'))) return 'signature';
  const sentMs = Date.parse(timestamp);
  if (!(sentMs >= nowMs - MOST_LATE_MS && sentMs <= nowMs + MOST_EARLY_MS)) return 'timestamp';
  const { data } = Body.safeParse(parseJsonBytes(body));
  if (!data) return 'malformed';
  const { user_id, channel_slug } = data.broadcaster;
  return { id, subscriptionId, type, channel: { id: String(user_id), slug: channel_slug } };
}
