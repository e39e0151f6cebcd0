import { z } from 'zod';
import { endpoint } from '../../control/endpoint.ts';

/** The endpoint that ends all WebSockets of a simulated platform. */
export function disconnectEndpoint(texts: { readonly path: string; readonly summary: string }) {
  return endpoint({
    method: 'POST',
    ...texts,
    body: z.strictObject({
      code: z.int().min(1000).max(4999).optional().describe('The close code. Without it, the connections end as in a lost network.'),
    }),
    answer: '`disconnected` is the number of ended connections.',
    examples: [{ title: 'Close all connections as a server that restarts', body: { code: 1012 } }],
    mistakes: [{ body: { code: 99 } }],
  });
}
