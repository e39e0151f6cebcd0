import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { SCOPES } from './oauth2.ts';

const user = z.string().default('fanfare').describe('The handle or the id of the account.');
const Account = z.strictObject({ user, on: z.boolean().default(true).describe('`false` ends the state.') });

export const changeX = endpoint({
  method: 'POST',
  path: '/x/settings',
  summary: 'Changes the simulated X.',
  details: 'Fields that are absent stay. The settings last until the sandbox stops.',
  answer: 'The answer is an empty object.',
  body: z.strictObject({
    tier: z.enum(['selfServe', 'enterprise']).optional().describe('The plan of the app. `selfServe` at first.'),
    names: z.enum(['tweet', 'post']).optional().describe('The names of fields and expansions that X accepts. `post` at first.'),
    refusedFields: z
      .array(z.string())
      .optional()
      .describe('Fields and expansions that X refuses in addition, for example `referenced_posts`. None at first.'),
    usageCap: z
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe('How many posts the app may read in a month; `null` removes the cap. No cap at first. The count starts again.'),
    creditsDepleted: z.boolean().optional().describe('Whether the credits are used up. `false` at first.'),
    limits: z
      .array(
        z.strictObject({
          route: z.string().describe('A part of the path.'),
          most: z.int().min(0).describe('The number of requests in 15 minutes.'),
        }),
      )
      .optional()
      .describe('Rate limits that replace those of X. All counts start again.'),
    mostStreamRules: z.int().min(0).optional().describe('How many rules the filtered stream has at most. 1000 at first.'),
    searchLagMs: z.int().min(0).optional().describe('How old a post must be before a search shows it, in milliseconds. 30000 at first.'),
  }),
  examples: [
    { title: 'The credits are used up', body: { creditsDepleted: true } },
    { title: 'Two posts in 15 minutes', body: { creditsDepleted: false, limits: [{ route: '/tweets', most: 2 }] } },
  ],
  mistakes: [{ body: { tier: 'free' } }, { body: { limits: [{ route: '/tweets', most: 'two' }] } }, { body: { creditDepleted: true } }],
});

export const openXSession = endpoint({
  method: 'POST',
  path: '/x/sessions',
  summary: 'Returns tokens for an account: OAuth 2.0 and OAuth 1.0a.',
  body: z.strictObject({
    user,
    scopes: z
      .array(z.string())
      .default([...SCOPES])
      .describe('The scopes of OAuth 2.0. Default: all.'),
  }),
  examples: [
    {
      title: 'Sign in as Ada',
      body: { user: 'ada', scopes: ['tweet.read', 'tweet.write', 'users.read', 'dm.write'] },
      save: { xToken: 'accessToken' },
      varies: ['accessToken', 'refreshToken'],
    },
    { title: "Sign in as Fanfare's account", body: {}, save: { xReceiver: 'userId' }, varies: ['accessToken', 'refreshToken'] },
  ],
  mistakes: [{ body: { user: 'adda' } }, { body: { scopes: 'tweet.read' } }],
});

export const listXPosts = endpoint({
  method: 'GET',
  path: '/x/posts',
  summary: 'Lists the posts that were written to X, oldest first.',
  details: 'The list includes deleted posts.',
  answer:
    '`editHistory` lists the ids of all versions. `visibleAt` is the time from which reads show the post, and `deletedAt` is present if the post was deleted.',
  examples: [
    {
      title: 'List the posts',
      before: [{ path: '/x/2/tweets', authorization: 'Bearer $xToken', body: { text: 'Rook endgames, live now' } }],
    },
  ],
});

export const listXMessages = endpoint({
  method: 'GET',
  path: '/x/messages',
  summary: 'Lists the direct messages that were written to X.',
  examples: [
    {
      title: 'List the messages',
      before: [
        { path: '/x/2/dm_conversations/with/$xReceiver/messages', authorization: 'Bearer $xToken', body: { text: 'See you at eight' } },
      ],
    },
  ],
});

export const revokeX = endpoint({
  method: 'POST',
  path: '/x/revoke',
  summary: 'Revokes one token or all tokens of X.',
  answer: '`revoked` is the number of revoked tokens.',
  body: z.strictObject({
    token: z
      .string()
      .optional()
      .describe('A token of OAuth 2.0 or 1.0a, or the token of the app. Without it, all tokens of OAuth 2.0 are revoked.'),
  }),
  examples: [{ title: 'Revoke all tokens', body: {} }],
  mistakes: [{ body: { token: 5 } }],
});

export const suspendX = endpoint({
  method: 'POST',
  path: '/x/suspend',
  summary: 'Suspends an account, or ends the suspension.',
  body: Account,
  examples: [{ title: "Suspend Fanfare's account", body: { user: 'fanfare' } }],
  mistakes: [{ body: { user: 'fanfair' } }],
});

export const setXPremium = endpoint({
  method: 'POST',
  path: '/x/premium',
  summary: 'Gives an account X Premium, or ends it.',
  details: 'Only accounts with X Premium can edit posts, unless `tier` is `enterprise`.',
  body: Account,
  examples: [{ title: "Fanfare's account has X Premium", body: { user: 'fanfare', on: true } }],
  mistakes: [{ body: { on: 'yes' } }],
});

export const listXStream = endpoint({
  method: 'GET',
  path: '/x/stream',
  summary: 'Returns the number of connections to the filtered stream, and its rules.',
  examples: [{ title: 'List the rules', path: '/x/stream' }],
});

export const disconnectXStream = endpoint({
  method: 'POST',
  path: '/x/stream',
  summary: 'Ends the connection to the filtered stream, as a lost network does.',
  body: z.strictObject({}),
  answer: '`disconnected` is the number of ended connections.',
  examples: [{ title: 'End the connection', body: {} }],
  mistakes: [{ body: { code: 1000 } }],
});
