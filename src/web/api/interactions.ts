import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { JsonObject } from '#src/operation/json.ts';

/** Far larger than any command of Discord. */
const LARGEST_BYTES = 1024 * 1024;

/** A request with the headers that prove its sender. */
interface SignedRequest {
  readonly signature: string | undefined;
  /** The header, in seconds since 1970. */
  readonly timestamp: string | undefined;
  readonly body: Uint8Array;
}

/** The response to an interaction. */
interface InteractionResponse {
  readonly status: 200 | 202 | 400 | 401;
  readonly body?: JsonObject;
}

/** Handles an interaction that Discord sends over HTTP. */
export type TakeInteraction = (request: SignedRequest) => InteractionResponse;

/** Receives interactions from Discord over HTTP. Only the signature proves that Discord sent the request. */
export function interactions(take: TakeInteraction): Hono {
  const tooLarge = { error: 'The body is larger than any interaction.' };
  return new Hono().post(
    '/discord/interactions',
    bodyLimit({ maxSize: LARGEST_BYTES, onError: (c) => c.json(tooLarge, 413) }),
    async (c) => {
      const { status, body } = take({
        signature: c.req.header('x-signature-ed25519'),
        timestamp: c.req.header('x-signature-timestamp'),
        body: new Uint8Array(await c.req.arrayBuffer()),
      });
      return body ? c.json(body, status) : c.body(null, status);
    },
  );
}
