import { createRoute } from '@hono/zod-openapi';
import { NoParams } from './query.ts';
import { ETAG, list, READ_PROBLEMS, UNCHANGED } from './responses.ts';

/** The reads of posts that people wrote. */
export const POST_READS = {
  listWaitingPosts: createRoute({
    method: 'get',
    path: '/api/waiting-posts',
    operationId: 'listWaitingPosts',
    summary: 'List waiting posts',
    description: `The posts that people wrote in Discord and that are not sent yet, the next one first. It needs the role \`editor\`, because the texts are not public. ${ETAG}`,
    request: { query: NoParams },
    responses: { 200: list('WaitingPost'), 304: UNCHANGED, ...READ_PROBLEMS },
  }),
} as const;
