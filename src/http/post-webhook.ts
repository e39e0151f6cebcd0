import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { Forbidden, publicLookup } from './media/open-address.ts';
import { isPublic } from './media/public-addresses.ts';

const LONGEST_MS = 10_000;
/** The part of an answer that is read, so that the connection can be used again. */
const MOST_ANSWER_BYTES = 16_384;

/** A signed event for a receiver. */
export interface WebhookPost {
  readonly url: string;
  /** Whether the receiver may be outside the open internet. */
  readonly privateNetwork: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends an event and returns the status of the answer. Redirects are not followed. Rejects if there is no answer within 10 seconds. */
export async function postWebhook({ url, privateNetwork, headers, body }: WebhookPost, signal: AbortSignal): Promise<number> {
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, '');
  if (!privateNetwork && isIP(host) > 0 && !isPublic(host)) throw new Forbidden();
  // The check covers the addresses of the connection, so a name cannot change its address afterwards.
  await using agent = disposable(new Agent({ connect: privateNetwork ? {} : { lookup: publicLookup(isPublic) } }));
  const answer = await request(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'User-Agent': 'Fanfare (self-hosted announcements)' },
    body,
    dispatcher: agent.agent,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
  });
  await answer.body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
  return answer.statusCode;
}

function disposable(agent: Agent): { readonly agent: Agent } & AsyncDisposable {
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() };
}
