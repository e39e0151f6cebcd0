import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { SELF_TOKEN } from './sessions.ts';

const user = z.string().describe('The handle or the id of the account.');

export const listSocialPosts = endpoint({
  method: 'GET',
  path: '/posts',
  summary: 'Lists the posts that were written to the social platform, oldest first.',
  details: 'The list includes deleted posts. Posts of the simulated people are not listed.',
  answer:
    '`key` is the idempotency key, `visibleAt` the time from which reads show the post, and `deletedAt` is present if the post was deleted.',
  examples: [
    {
      title: 'List the posts',
      before: [
        {
          path: '/social/api/createPost',
          authorization: `Bearer ${SELF_TOKEN}`,
          body: { params: { text: 'Ada is live with Chess' }, key: 'step-1' },
          save: { post: 'id' },
        },
        {
          path: '/social/api/createPost',
          authorization: `Bearer ${SELF_TOKEN}`,
          body: { params: { text: 'And Grace with Minecraft', replyTo: '$post' } },
          save: { answer: 'id' },
        },
      ],
    },
  ],
});

export const openSocialSession = endpoint({
  method: 'POST',
  path: '/social/sessions',
  summary: 'Returns a token for an account of the social platform.',
  details: 'The API of the platform is at `/social/api`. The account of Fanfare is `fanfare`.',
  body: z.strictObject({ user }),
  examples: [{ title: 'Sign in as Ada', body: { user: 'ada' } }],
  mistakes: [{ body: { user: 'adda' } }],
});

export const createGroup = endpoint({
  method: 'POST',
  path: '/social/groups',
  summary: 'Creates a group for direct messages.',
  answer: '`id` is the id of the conversation.',
  body: z.strictObject({
    title: z.string().min(1).describe('The title of the group.'),
    members: z.array(z.string()).min(2).describe('The handles or ids of the members.'),
  }),
  examples: [{ title: 'Create a group with Fanfare in it', body: { title: 'Chess club', members: ['fanfare', 'ada', 'grace'] } }],
  mistakes: [{ body: { title: 'Chess club', members: ['ada'] } }, { body: { title: 'Chess club', members: ['ada', 'grase'] } }],
});

export const hideReply = endpoint({
  method: 'POST',
  path: '/social/hide',
  summary: 'The author of a conversation hides a reply in it.',
  body: z.strictObject({
    post: z.string().describe('The id of the reply.'),
    hidden: z.boolean().default(true).describe('Whether the reply is hidden.'),
  }),
  examples: [{ title: 'Hide a reply', body: { post: '$answer' } }],
  mistakes: [{ body: { post: '$post' } }, { body: { post: '1' } }],
});
