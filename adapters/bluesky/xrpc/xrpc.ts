import { z } from 'zod';
import type { HttpRequest } from '#src/http/client.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { HttpResponse } from '#src/http/response.ts';
import type { CallOptions } from '#src/operation/call.ts';
import type { Session } from '../access/session.ts';
import type { Sessions } from '../access/sessions.ts';
import { failure, isFault } from '../platform.ts';
import { lacksPrivilege, lacksService } from './faults.ts';
import type { Hosts } from './hosts.ts';

const Writes = z.object({ writes: z.array(z.object({ $type: z.string() })) });

/** What answers for chats, by way of the account's own server. */
const CHAT = { 'atproto-proxy': 'did:web:api.bsky.chat#bsky_chat' } as const;

type Sending = Omit<HttpRequest, 'path' | 'method' | 'signal' | 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls to the server of the account, as the account. */
export interface Xrpc {
  session(signal: AbortSignal | undefined): Promise<Session>;
  query<T>(nsid: string, answer: z.ZodType<T>, query: Query, options: CallOptions & Pick<HttpRequest, 'idempotent'>): Promise<T>;
  /** What succeeded has succeeded, whatever the answer says, if it is one of this protocol. */
  procedure(nsid: string, sending: Sending, options: CallOptions): Promise<HttpResponse>;
}

/** Calls through the session of one account; a token that has run out is renewed, and the call made again. */
export function xrpc({ hosts, sessions }: { readonly hosts: Hosts; readonly sessions: Sessions }): Xrpc {
  async function send(nsid: string, request: Sending & Pick<HttpRequest, 'method' | 'signal'>): Promise<HttpResponse> {
    const headers = nsid.startsWith('chat.bsky.') ? CHAT : {};
    const sendAs = ({ pds, accessJwt }: Session): Promise<HttpResponse> =>
      hosts.at(pds).request({
        budget: budgetOf(nsid),
        points: pointsOf(nsid, request.json),
        ...request,
        path: `/xrpc/${nsid}`,
        headers: { ...request.headers, ...headers, authorization: `Bearer ${accessJwt}` },
      });

    const session = await sessions.current(request.signal);
    try {
      return await sendAs(session).catch(async (error: unknown) => {
        if (!isFault(error, 'unauthorized')) throw error;
        return sendAs(await sessions.renewed(session, request.signal));
      });
    } catch (error) {
      throw explained(error, nsid, session);
    }
  }

  return {
    session: (signal) => sessions.current(signal),
    async query(nsid, answer, query, { signal, idempotent }) {
      return (await send(nsid, { query, idempotent, signal })).json(answer);
    },
    async procedure(nsid, sending, { signal }) {
      const response = await send(nsid, { ...sending, method: 'POST', signal });
      // What answers with a page has not done it.
      if (response.text !== '') response.json(z.unknown());
      return response;
    },
  };
}

/** What has limits of its own: the headers of its answers tell of those. */
function budgetOf(nsid: string): string {
  if (nsid === 'com.atproto.repo.uploadBlob') return 'blobs';
  if (/^com\.atproto\.repo\.(create|put|delete|apply)/.test(nsid)) return 'writes';
  const [first, second] = nsid.split('.');
  return `${first}.${second}`;
}

const POINTS: readonly (readonly [ending: string, points: number])[] = [
  ['create', 3],
  ['createRecord', 3],
  ['putRecord', 2],
];

/** Writes are weighed: https://docs.bsky.app/docs/advanced-guides/rate-limits. */
function pointsOf(nsid: string, input: unknown): number {
  const writes = nsid === 'com.atproto.repo.applyWrites' ? Writes.parse(input).writes.map(({ $type }) => $type) : [nsid];
  return writes.reduce((sum, name) => sum + (POINTS.find(([ending]) => name.split(/[.#]/u).at(-1) === ending)?.[1] ?? 1), 0);
}

const SERVICES: readonly (readonly [prefix: string, service: string, remedy: string])[] = [
  [
    'app.bsky.',
    'an AppView',
    'what is read from the network cannot be had there, while posting can; set BLUESKY_URL to a server that has one',
  ],
  ['chat.bsky.', 'a chat service', 'there are no direct messages there'],
];

/** A server that is only the account's own hands everything else on, and may have nobody to hand it to. */
function explained(error: unknown, nsid: string, { pds }: Session): unknown {
  if (lacksPrivilege(error)) {
    const message = `this app password may not use ${nsid}: make a new one, and tick the box that allows direct messages.`;
    return failure('forbidden', message, error);
  }
  const missing = SERVICES.find(([prefix]) => nsid.startsWith(prefix));
  if (!missing || !lacksService(error)) return error;
  const [, service, remedy] = missing;
  return failure('unavailable', `${nsid} needs ${service}, and ${pds} reaches none (${error.status}): ${remedy}.`, error);
}
