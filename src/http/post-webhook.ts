import { request } from 'undici';
import { publicAgent } from './public-agent.ts';
import { USER_AGENT } from './user-agent.ts';

const LONGEST_MS = 10_000;
/** The part of an answer that is read. */
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
  await using agent = publicAgent(new URL(url), { mayBePrivate: privateNetwork });
  const answer = await request(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
    body,
    dispatcher: agent.dispatcher,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
  });
  await answer.body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
  return answer.statusCode;
}
