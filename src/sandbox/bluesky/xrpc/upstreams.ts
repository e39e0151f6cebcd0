import { invalidRequest, wordedRefusal, XrpcRefusal } from './refusal.ts';

/** What a PDS hands requests on to. */
export const UPSTREAMS = ['appView', 'chat', 'video'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** How clients name them in `atproto-proxy`. */
const PROXIES: Readonly<Record<string, Upstream>> = {
  'did:web:api.bsky.app#bsky_appview': 'appView',
  'did:web:api.bsky.chat#bsky_chat': 'chat',
};

/** Which of them are there. */
export class Upstreams {
  readonly #down = new Set<Upstream>();

  set(upstream: Upstream, isThere: boolean): void {
    if (isThere) this.#down.delete(upstream);
    else this.#down.add(upstream);
  }

  /** Refuses a method whose service is not there, and one that is asked of a service that does not know it. */
  check(method: string, proxy: string | undefined): void {
    const needed = upstreamOf(method);
    if (needed === undefined) return;
    const asked = proxy === undefined ? undefined : PROXIES[proxy];
    if (proxy !== undefined && asked === undefined) throw invalidRequest('could not resolve proxy did service url');
    // Messages have a service of their own, and only the header says so; the others are found without.
    if (needed !== (asked ?? (needed === 'chat' ? 'appView' : needed))) throw refusalOf(501);
    if (this.#down.has(needed)) throw refusalOf(502);
  }
}

function upstreamOf(method: string): Upstream | undefined {
  if (method.startsWith('chat.bsky.')) return 'chat';
  if (method.startsWith('app.bsky.video.')) return 'video';
  return method.startsWith('app.bsky.') ? 'appView' : undefined;
}

function refusalOf(status: 501 | 502): XrpcRefusal {
  const { error, message } = wordedRefusal(status);
  return new XrpcRefusal(status, error, message);
}
