import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'undici';
import { Forbidden } from '../media/open-address.ts';
import { publicAgent } from '../public-agent.ts';
import { USER_AGENT } from '../user-agent.ts';

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

/** WebSub allows hubs to redirect with 307 and 308; its test suite for subscribers also has the older codes. */
const REDIRECTS: readonly number[] = [301, 302, 307, 308];
const MOST_REDIRECTS = 3;

/**
 * Creates the requests to hubs. The address of a hub comes from a feed or from another hub, so it must be on the public internet, unless its
 * origin is in `privateOrigins`.
 */
export function askHub(privateOrigins: readonly string[]): AskHub {
  async function post(url: URL, body: string, signal: AbortSignal, redirects = 0): Promise<void> {
    if (!/^https?:$/u.test(url.protocol)) throw new Forbidden();
    await using agent = publicAgent(url, { mayBePrivate: privateOrigins.includes(url.origin) });
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': USER_AGENT },
      body,
      dispatcher: agent.dispatcher,
      signal,
    });
    await answer.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
    if (REDIRECTS.includes(statusCode)) {
      if (redirects === MOST_REDIRECTS) throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
      return await post(locationOf(headers, url), body, signal, redirects + 1);
    }
    if (statusCode < 200 || statusCode >= 300) throw new Error(`it answers with ${statusCode}`);
  }

  return (hub, { mode, topic, callback, secret }, signal) => {
    const form = new URLSearchParams({
      'hub.mode': mode,
      'hub.topic': topic,
      'hub.callback': callback,
      // The hubs of WordPress refuse a request without it: https://github.com/Automattic/pushpress/issues/2. Others ignore it.
      'hub.verify': 'async',
      ...(mode === 'subscribe' && { 'hub.secret': secret, 'hub.lease_seconds': String(LEASE_SECONDS) }),
    });
    return post(new URL(hub), form.toString(), AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
  };
}

/** The target of a redirect. Throws if the secret of the request would be sent there without encryption. */
function locationOf({ location }: IncomingHttpHeaders, url: URL): URL {
  const target = typeof location === 'string' ? URL.parse(location, url.href) : null;
  if (!target) throw new Error('it redirects to no address');
  if (target.protocol === url.protocol || target.protocol === 'https:') return target;
  throw new Error(`it redirects to ${target.protocol}//${target.host}, where the secret would not be encrypted`);
}
