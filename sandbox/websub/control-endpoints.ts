import { z } from 'zod';
import { endpoint, type ControlEndpoint } from '../control/endpoint.ts';

const Denial = z.strictObject({ deny: z.url().describe('The address of the topic that the hub denies from now on.') });

/** The endpoints of the hub of a platform. */
export function hubEndpoints(
  platform: string,
  topic: string,
): { readonly read: ControlEndpoint; readonly change: ControlEndpoint<z.output<typeof Denial>> } {
  return {
    read: endpoint({
      method: 'GET',
      path: `/${platform}/hub`,
      summary: 'Counts the subscriptions and the notifications of the hub.',
      answer: '`sent` counts the notifications that a callback accepted, and `undelivered` the others.',
      examples: [{ title: 'Read the state of the hub' }],
    }),
    change: endpoint({
      method: 'POST',
      path: `/${platform}/hub`,
      summary: 'Denies subscriptions to a topic, and ends those that exist.',
      details: 'Lost, late, repeated, swapped, forged and foreign notifications are [faults](sandbox.md#post-controlfaults).',
      answer: '`denied` is the topic.',
      body: Denial,
      examples: [{ title: 'Deny a topic', body: { deny: topic } }],
      mistakes: [{ body: { deny: 'blog' } }],
    }),
  };
}
