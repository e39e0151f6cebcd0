import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answerProblem, Problem } from '#src/web/problem.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** Far larger than any command of Discord. */
const LARGEST_BYTES = 1024 * 1024;

/** A request with the headers that prove its sender. */
interface SignedRequest {
  readonly signature: string | undefined;
  /** The header, in seconds since 1970. */
  readonly timestamp: string | undefined;
  readonly body: Uint8Array;
}

/** The response to an interaction, or why it is refused. */
type InteractionResponse =
  | { readonly status: 200 | 202; readonly body?: JsonObject }
  | { readonly status: 400 | 401; readonly code: string; readonly detail: string };

/** Handles an interaction that Discord sends over HTTP. */
export type TakeInteraction = (request: SignedRequest) => InteractionResponse;

/** Receives interactions from Discord over HTTP. Only the signature proves that Discord sent the request. */
export function interactions(take: TakeInteraction): Hono {
  const tooLarge = new Problem({ status: 413, code: 'tooLarge', detail: 'The body is larger than any interaction.' });
  return new Hono().post(
    '/discord/interactions',
    bodyLimit({ maxSize: LARGEST_BYTES, onError: (c) => answerProblem(c, tooLarge) }),
    async (c) => {
      const answer = take({
        signature: c.req.header('x-signature-ed25519'),
        timestamp: c.req.header('x-signature-timestamp'),
        body: new Uint8Array(await c.req.arrayBuffer()),
      });
      if ('code' in answer) return answerProblem(c, new Problem(answer));
      return answer.body ? c.json(answer.body, answer.status) : c.body(null, answer.status);
    },
  );
}
