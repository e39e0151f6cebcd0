import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface HubRequest {
  readonly method: 'GET' | 'POST';
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** The meaning of a request of a hub. */
export type HubMessage =
  | { readonly kind: 'verification'; readonly mode: 'subscribe' | 'unsubscribe'; readonly challenge: string; readonly leaseMs: number }
  | { readonly kind: 'denied' }
  | { readonly kind: 'content'; readonly digest: string }
  | { readonly kind: 'refused'; readonly reason: 'signature' | 'subscription' | 'malformed' };

const LONGEST_CHALLENGE = 2_000;
const DAY_MS = 24 * 3_600_000;
/** A hub has to state the lease. */
const USUAL_LEASE_MS = DAY_MS;
const LONGEST_LEASE_MS = 90 * DAY_MS;
const METHODS: ReadonlySet<string> = new Set(['sha1', 'sha256', 'sha384', 'sha512']);

/** Reads a request about a topic. `secret`: that of the hub. */
export function readHubRequest(
  { method, query, header, body }: HubRequest,
  { topic, secret }: { readonly topic: string; readonly secret: string },
): HubMessage {
  if (method === 'GET') return readVerification(query, topic);
  if (!isSigned(header('x-hub-signature') ?? '', body, secret)) return { kind: 'refused', reason: 'signature' };
  return { kind: 'content', digest: createHash('sha256').update(body).digest('base64url') };
}

function readVerification(query: URLSearchParams, topic: string): HubMessage {
  const [mode, challenge] = [query.get('hub.mode'), query.get('hub.challenge') ?? ''];
  if (query.get('hub.topic') !== topic) return { kind: 'refused', reason: 'subscription' };
  if (mode === 'denied') return { kind: 'denied' };
  const isKnown = mode === 'subscribe' || mode === 'unsubscribe';
  if (!isKnown || challenge === '' || challenge.length > LONGEST_CHALLENGE) return { kind: 'refused', reason: 'malformed' };
  const lease = query.get('hub.lease_seconds') ?? '';
  const leaseMs = /^\d{1,12}$/u.test(lease) && Number(lease) > 0 ? Number(lease) * 1000 : USUAL_LEASE_MS;
  return { kind: 'verification', mode, challenge, leaseMs: Math.min(leaseMs, LONGEST_LEASE_MS) };
}

/** Hubs choose the method: Google's signs with SHA-1. */
function isSigned(header: string, body: Uint8Array, secret: string): boolean {
  const [, method = '', digits = ''] = /^(\w{1,10})=([0-9a-f]{1,200})$/iu.exec(header) ?? [];
  if (!METHODS.has(method.toLowerCase())) return false;
  const expected = createHmac(method.toLowerCase(), secret).update(body).digest();
  const stated = Buffer.from(digits, 'hex');
  return stated.length === expected.length && timingSafeEqual(stated, expected);
}
