import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { NoParams } from './query.ts';
import { ETAG, list, READ_PROBLEMS, record, UNCHANGED } from './responses.ts';

/** The routes that read who may do what, and what is installed. */
export const ACCESS_READS = {
  getSession: createRoute({
    method: 'get',
    path: '/api/session',
    operationId: 'getSession',
    summary: 'Get the session',
    description: 'Who sends the requests: the person or the token, with its role and with what a browser needs for writes.',
    request: { query: NoParams },
    responses: { 200: record('Session', 'The session.'), ...READ_PROBLEMS },
  }),
  getAbout: createRoute({
    method: 'get',
    path: '/api/about',
    operationId: 'getAbout',
    summary: 'Get the installed version',
    description: 'The versions of Fanfare, of Node and of the schema of the database, and the license.',
    request: { query: NoParams },
    responses: { 200: record('About', 'The installed Fanfare.'), ...READ_PROBLEMS },
  }),
  listChecks: createRoute({
    method: 'get',
    path: '/api/checks',
    operationId: 'listChecks',
    summary: 'Check the installation',
    description:
      'The checks of `fanfare doctor`: the machine, the clock, the accounts with their permissions and budgets, and the rules. They read the platforms, so that they take seconds, and they send no messages. It needs the role `admin`.',
    request: { query: NoParams },
    responses: { 200: list('Check'), ...READ_PROBLEMS },
  }),
  getChannelSignIn: createRoute({
    method: 'get',
    path: '/api/accounts/{account}/sign-in',
    operationId: 'getChannelSignIn',
    summary: 'Get the sign-in to a channel',
    description: 'The last sign-in to the channel of an account that `signInAccount` began. It needs the role `admin`.',
    request: { params: z.object({ account: z.string().min(1).max(200).describe('The name of an account.') }), query: NoParams },
    responses: { 200: record('ChannelSignIn', 'The sign-in.'), ...READ_PROBLEMS },
  }),
  listPeople: createRoute({
    method: 'get',
    path: '/api/people',
    operationId: 'listPeople',
    summary: 'List people',
    description: `The people who may sign in, by name; also members of Discord servers who have signed in. It needs the role \`admin\`. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Person'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
  listTokens: createRoute({
    method: 'get',
    path: '/api/tokens',
    operationId: 'listTokens',
    summary: 'List tokens',
    description: `The tokens of the API without their texts, newest first; also revoked and expired ones. It needs the role \`admin\`. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('Token'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
} as const;
