import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';

export const kickEvents = endpoint({
  method: 'GET',
  path: '/kick/events',
  summary: 'Reads the webhook of the app, and counts its event subscriptions and the events.',
  answer: '`sent` counts the events that the webhook accepted, and `undelivered` the others.',
  examples: [{ title: 'Read the state of the events' }],
});

export const changeKickEvents = endpoint({
  method: 'POST',
  path: '/kick/events',
  summary: 'Changes the webhook of the app, its subscriptions, or the key that signs events.',
  details: 'Lost, late, repeated, swapped, forged and foreign events are [faults](sandbox.md#post-controlfaults).',
  answer: '`changed` is the number of changed settings or subscriptions.',
  body: z.discriminatedUnion('do', [
    z
      .strictObject({
        do: z.literal('setWebhook'),
        url: z.string().describe('An address of this machine; empty: the app has no webhook.'),
      })
      .describe('Sets the webhook, as a person does in the settings of the app.'),
    z.strictObject({ do: z.literal('endSubscriptions') }).describe('Ends all subscriptions, as Kick does after a day of failures.'),
    z.strictObject({ do: z.literal('changeKey') }).describe('Signs events with another key from now on.'),
  ]),
  examples: [
    { title: 'Set the webhook', body: { do: 'setWebhook', url: 'http://127.0.0.1:8080/hooks/notifications/kick' } },
    { title: 'Change the key', body: { do: 'changeKey' } },
    { title: 'End all subscriptions', body: { do: 'endSubscriptions' } },
  ],
  mistakes: [{ body: { do: 'setWebhook', url: 'https://fanfare.example/hooks/notifications/kick' } }, { body: { do: 'deliver' } }],
});

export const revokeKickTokens = endpoint({
  method: 'POST',
  path: '/kick/revoke',
  summary: 'Revokes all tokens of Kick.',
  details: 'The next request with a revoked token is answered with 401, so the client signs in again.',
  answer: '`revoked` is the number of revoked tokens.',
  body: z.strictObject({}),
  examples: [{ title: 'Revoke all tokens', body: {} }],
  mistakes: [{ body: { token: 'a' } }],
});
