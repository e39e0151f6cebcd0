import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { disconnectEndpoint } from '../social/push/disconnect-endpoint.ts';
import { SettingsOrder } from './settings.ts';

export const changeMastodon = endpoint({
  method: 'POST',
  path: '/mastodon/server',
  summary: 'Changes the simulated Mastodon server.',
  details: 'Fields that are absent stay. The settings last until the sandbox stops.',
  answer: 'The answer has all settings.',
  body: SettingsOrder,
  examples: [{ title: 'Simulate Mastodon 4.2 with short posts', body: { kind: '4.2', maxCharacters: 200 } }],
  mistakes: [{ body: { kind: '4.1' } }, { body: { translation: true } }, { body: { maxCharaters: 200 } }],
});

export const openMastodonSession = endpoint({
  method: 'POST',
  path: '/mastodon/sessions',
  summary: 'Returns an access token for an account.',
  body: z.strictObject({
    user: z.string().describe('The handle of the account. The account of Fanfare is `fanfare`.'),
    scopes: z.string().default('read write follow push').describe('The scopes, separated by spaces.'),
  }),
  examples: [{ title: 'Sign in as Ada', body: { user: 'ada' }, save: { mastodonToken: 'token' }, varies: ['token'] }],
  mistakes: [{ body: { user: 'adda' } }, { body: {} }],
});

export const listMastodonPosts = endpoint({
  method: 'GET',
  path: '/mastodon/posts',
  summary: 'Lists the posts that were written to Mastodon, oldest first.',
  details: 'The list includes deleted posts.',
  answer:
    '`key` is the `Idempotency-Key`, `visibleAt` the time from which reads show the post, and `deletedAt` is present if the post was deleted.',
  examples: [
    {
      title: 'List the posts',
      before: [{ path: '/mastodon/api/v1/statuses', authorization: 'Bearer $mastodonToken', body: { status: 'Rook endgames, live now' } }],
    },
  ],
});

export const listRepeats = endpoint({
  method: 'GET',
  path: '/mastodon/repeats',
  summary: 'Counts the additional effects of repeated writes.',
  details:
    'Mastodon ignores a second like of the same post. With the fault `duplicateEffects`, the second like has an additional effect, so a test can find ' +
    'writes that a client repeats although they arrived.',
  answer:
    'Each key is the kind of the write, the account and the target. The value is the number of effects beside the first one. Without the fault, the answer is empty.',
  examples: [{ title: 'Count the repeated writes', path: '/mastodon/repeats' }],
});

export const listMastodonStreams = endpoint({
  method: 'GET',
  path: '/mastodon/streaming',
  summary: 'Lists the connections to the streaming API with their streams.',
  examples: [{ title: 'List the connections', path: '/mastodon/streaming' }],
});

export const disconnectMastodon = disconnectEndpoint({
  path: '/mastodon/streaming',
  summary: 'Ends all connections to the streaming API.',
});
