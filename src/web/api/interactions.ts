import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { EndpointAnswer } from '#src/discord/http/endpoint.ts';
import type { SignedRequest } from '#src/discord/http/signature.ts';

/** The largest command with everything that it names is a small part of this. */
const LARGEST_BYTES = 1024 * 1024;

/** Takes an interaction that came over HTTP. */
export type TakeInteraction = (request: SignedRequest) => EndpointAnswer;

/** Where Discord sends interactions; what proves that it is Discord is the signature alone. */
export function interactions(take: TakeInteraction): Hono {
  const tooLarge = { error: 'This is larger than any interaction.' };
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
