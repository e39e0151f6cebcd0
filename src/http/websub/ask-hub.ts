import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { Forbidden, publicLookup } from '../media/open-address.ts';
import { isPublic } from '../media/public-addresses.ts';

const LONGEST_MS = 20_000;
/** The part of an answer that is read. */
const MOST_ANSWER_BYTES = 16_384;
/** Hubs may shorten the lease. */
const LEASE_SECONDS = 10 * 24 * 3_600;

/** A request for a subscription, or for its end. */
export interface HubOrder {
  readonly mode: 'subscribe' | 'unsubscribe';
  readonly topic: string;
  readonly callback: string;
  readonly secret: string;
}

/** Sends an order to a hub. Rejects if the hub does not accept it. */
export type AskHub = (hub: string, order: HubOrder, signal: AbortSignal) => Promise<void>;

/**
 * Creates the requests to hubs. The address of a hub comes from a feed, so it must be on the public internet, unless its origin is in
 * `privateOrigins`.
 */
export function askHub(privateOrigins: readonly string[]): AskHub {
  return async (hub, { mode, topic, callback, secret }, signal) => {
    const url = new URL(hub);
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const isPrivate = privateOrigins.includes(url.origin);
    if (!/^https?:$/u.test(url.protocol) || (!isPrivate && isIP(host) > 0 && !isPublic(host))) throw new Forbidden();
    const form = new URLSearchParams({
      'hub.mode': mode,
      'hub.topic': topic,
      'hub.callback': callback,
      // The hubs of WordPress refuse a request without it: https://github.com/Automattic/pushpress/issues/2. Others ignore it.
      'hub.verify': 'async',
      ...(mode === 'subscribe' && { 'hub.secret': secret, 'hub.lease_seconds': String(LEASE_SECONDS) }),
    });
    // The check covers the addresses of the connection, so a name cannot change its address afterwards. Redirects are not followed.
    const agent = new Agent({ connect: isPrivate ? {} : { lookup: publicLookup(isPublic) } });
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Fanfare (self-hosted announcements)' },
        body: form.toString(),
        dispatcher: agent,
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      });
      await answer.body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
      if (answer.statusCode < 200 || answer.statusCode >= 300) throw new Error(`it answers with ${answer.statusCode}`);
    } finally {
      await agent.destroy();
    }
  };
}
