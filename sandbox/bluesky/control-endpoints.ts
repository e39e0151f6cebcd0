import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { disconnectEndpoint } from '../social/push/disconnect-endpoint.ts';
import { upstreams } from './state.ts';

const Account = z.strictObject({ user: z.string().default('fanfare').describe('The handle, the id or the DID of the account.') });

export const describeAccount = endpoint({
  method: 'POST',
  path: '/bluesky/accounts',
  summary: 'Returns the DID, the handle and the app passwords of an account.',
  body: Account,
  examples: [{ title: "Read Fanfare's account", body: { user: 'fanfare' }, save: { did: 'did', appPassword: 'appPassword' } }],
  mistakes: [{ body: { user: 'fanfair' } }],
});

export const listBlueskyPosts = endpoint({
  method: 'GET',
  path: '/bluesky/posts',
  summary: 'Lists the posts that exist on Bluesky, oldest first.',
  answer: '`record` is the record in the repository. `visibleAt` is the time from which reads show the post.',
  examples: [
    {
      title: 'List the posts',
      before: [
        {
          path: '/bluesky/xrpc/com.atproto.server.createSession',
          authorization: '',
          body: { identifier: '$did', password: '$appPassword' },
          save: { blueskyToken: 'accessJwt' },
        },
        {
          path: '/bluesky/xrpc/com.atproto.repo.createRecord',
          authorization: 'Bearer $blueskyToken',
          body: {
            repo: '$did',
            collection: 'app.bsky.feed.post',
            record: { $type: 'app.bsky.feed.post', text: 'Rook endgames, live now', createdAt: '2026-11-20T18:00:00Z' },
          },
        },
      ],
    },
  ],
});

export const listBlueskyMessages = endpoint({
  method: 'GET',
  path: '/bluesky/messages',
  summary: 'Lists the direct messages that were written to Bluesky.',
  examples: [{ title: 'List the messages' }],
});

export const takeDown = endpoint({
  method: 'POST',
  path: '/bluesky/takedown',
  summary: 'Takes an account down, or restores it.',
  body: Account.extend({ on: z.boolean().default(true).describe('`false` restores the account.') }),
  examples: [{ title: "Take Fanfare's account down", body: { user: 'fanfare', on: true } }],
  mistakes: [{ body: { on: 1 } }],
});

export const revokeBluesky = endpoint({
  method: 'POST',
  path: '/bluesky/revoke',
  summary: 'Ends the sessions of an account, for example after a change of the password.',
  answer: '`sessions` is the number of ended sessions.',
  body: Account.extend({ passwords: z.boolean().default(false).describe('Whether Bluesky also revokes its app passwords.') }),
  examples: [{ title: 'End the sessions and revoke the app passwords', body: { user: 'fanfare', passwords: true } }],
  mistakes: [{ body: { pasword: true } }],
});

export const spendPoints = endpoint({
  method: 'POST',
  path: '/bluesky/spend',
  summary: 'Uses points of the rate limit for writes.',
  details: 'An account has 5000 points an hour. Creating a record costs 3 points, changing one 2, and deleting one 1.',
  answer: '`remaining` is the number of points that are left.',
  body: Account.extend({ points: z.int().min(1).describe('The number of points.') }),
  examples: [{ title: "Use up the limit of Fanfare's account", body: { points: 5000 } }],
  mistakes: [{ body: {} }, { body: { points: 0.5 } }],
});

export const expireAccess = endpoint({
  method: 'POST',
  path: '/bluesky/expire',
  summary: 'Expires all access tokens. Clients refresh their sessions.',
  body: z.strictObject({}),
  examples: [{ title: 'Expire the access tokens', body: {} }],
  mistakes: [{ body: { user: 'fanfare' } }],
});

export const setUpstream = endpoint({
  method: 'POST',
  path: '/bluesky/upstreams',
  summary: 'Makes a service behind the server unreachable, or reachable again.',
  body: z.strictObject({
    upstream: z.enum(upstreams).describe('`appView` serves timelines, profiles and search. `chat` serves direct messages.'),
    on: z.boolean().describe('Whether the service is reachable.'),
  }),
  examples: [{ title: 'The chat service is down', body: { upstream: 'chat', on: false } }],
  mistakes: [{ body: { upstream: 'appview', on: false } }, { body: { upstream: 'chat' } }],
});

export const listJetstream = endpoint({
  method: 'GET',
  path: '/bluesky/jetstream',
  summary: 'Lists the connections to Jetstream with the number of their accounts and their collections.',
  examples: [{ title: 'List the connections', path: '/bluesky/jetstream' }],
});

export const disconnectJetstream = disconnectEndpoint({
  path: '/bluesky/jetstream',
  summary: 'Ends all connections to Jetstream.',
});
