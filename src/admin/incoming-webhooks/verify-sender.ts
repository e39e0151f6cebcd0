import { createHmac } from 'node:crypto';
import { isSame } from '#src/admin/access/secret.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { TIMED_SECRET, type SenderSecret } from '#src/config/webhooks.ts';

/** A request to a webhook, as it arrived. */
export interface WebhookRequest {
  /** A header by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  /** The parameter `token` of the address. */
  readonly queryToken?: string | undefined;
  readonly body: Uint8Array;
}

/** A proven sender; `id`: the id of the payload, which the sender signed. */
export type Verified = { readonly isProven: true; readonly id?: string | undefined } | { readonly isProven: false };

/** A signed request may be this old, or this far in the future, because clocks differ. */
export const TOLERANCE_MS = 5 * 60_000;

/** The most signatures in a header, for example while a sender changes its secret. */
const MOST_SIGNATURES = 10;
const UNPROVEN: Verified = { isProven: false };

/** Checks that the sender of a request knows the secret. Comparisons take the same time for right and wrong values. */
export function verifySender(
  { kind, secret, header = 'x-hub-signature-256' }: SenderSecret,
  request: WebhookRequest,
  { payload, nowMs }: { readonly payload: JsonObject | undefined; readonly nowMs: number },
): Verified {
  if (kind === 'token') return { isProven: tokensOf(request, payload).some((token) => isSame(token, secret)) };
  if (!secret.startsWith(TIMED_SECRET)) return { isProven: verifyBody(secret, header, request) };
  return verifyStandard(secret, request, nowMs) ?? verifyStripe(secret, request, nowMs) ?? UNPROVEN;
}

/** All places where senders without signatures put their token. */
function tokensOf({ header, queryToken }: WebhookRequest, payload: JsonObject | undefined): readonly string[] {
  const [, bearer] = /^Bearer (.+)$/iu.exec(header('authorization') ?? '') ?? [];
  // The name of Ko-fi.
  const inPayload = payload && Object.hasOwn(payload, 'verification_token') ? payload['verification_token'] : undefined;
  const found = [bearer, header('x-webhook-token'), header('x-gitlab-token'), queryToken, inPayload];
  return found.filter((one) => typeof one === 'string');
}

/** GitHub, Gitea, Forgejo and many others: the HMAC of the body, in hexadecimal digits or in Base64. */
function verifyBody(secret: string, name: string, { header, body }: WebhookRequest): boolean {
  const [, signature = ''] = /^(?:sha256=)?([0-9A-Za-z+/]{43}=|[0-9a-fA-F]{64})$/u.exec(header(name) ?? '') ?? [];
  const hmac = createHmac('sha256', secret).update(body).digest();
  const [isHex, isBase64] = [isSame(signature.toLowerCase(), hmac.toString('hex')), isSame(signature, hmac.toString('base64'))];
  return isHex || isBase64;
}

/** Standard Webhooks: the HMAC of the id, the time and the body in Base64. Undefined: the request is of another kind. */
function verifyStandard(secret: string, { header, body }: WebhookRequest, nowMs: number): Verified | undefined {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => header(`webhook-${name}`) ?? header(`svix-${name}`));
  if (id === undefined || timestamp === undefined || signatures === undefined) return undefined;
  // With a dot in the id, other parts of the signed text could pass as the body.
  if (id.includes('.')) return UNPROVEN;
  const key = Buffer.from(secret.slice(TIMED_SECRET.length), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  const isSigned = signatures
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .some((one) => isSame(one, expected));
  return isSigned && isRecent(timestamp, nowMs) ? { isProven: true, id } : UNPROVEN;
}

/** Stripe: the HMAC of the time and the body in hexadecimal digits. Undefined: the request is of another kind. */
function verifyStripe(secret: string, { header, body }: WebhookRequest, nowMs: number): Verified | undefined {
  const parts = header('stripe-signature')
    ?.split(',')
    .slice(0, MOST_SIGNATURES)
    .map((part) => part.trim().split('='));
  if (!parts) return undefined;
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const isSigned = parts.some(([name, value = '']) => name === 'v1' && isSame(value, expected));
  return { isProven: isSigned && isRecent(timestamp, nowMs) };
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,11}$/u.test(timestamp) && Math.abs(Number(timestamp) * 1000 - nowMs) <= TOLERANCE_MS;
}
