import { z } from 'zod';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { documented } from './answers.ts';

/** A post that a person wrote. */
export const WaitingPostAnswer = z
  .object({
    id: z.string().describe('The id of the post.'),
    server: z.string().optional().describe('The Discord server in which the person wrote it; absent outside of servers.'),
    by: z.string().describe('The person.'),
    text: z.string().describe('The text.'),
    warning: z.string().optional().describe('The content warning; absent: the default of each account.'),
    hasPicture: z.boolean().describe('Whether it has a picture.'),
    altText: z.string().optional().describe('The description of the picture; absent without one.'),
    at: z.date().describe('When it is sent.'),
    isQueued: z.boolean().describe('Whether it has a time of the queue.'),
    edits: z.int().min(0).describe('The number of edits, for `editPost`.'),
    editedBy: z.string().optional().describe('The person who edited it last.'),
    cancelledBy: z.string().optional().describe('The person who cancelled it before it was sent to any account.'),
    targets: z
      .array(
        z.object({
          account: z.string().describe('The account.'),
          state: z.enum(DELIVERY_STATES).describe('The state of its delivery.'),
          url: z.string().optional().describe('The address, after it was sent.'),
        }),
      )
      .readonly()
      .describe('The post at each of its accounts.'),
  })
  .meta({
    examples: [
      {
        id: '5b0c7a52-6f3e-4f5e-9a55-0d5b8a1f6c11',
        server: '1202584131993600001',
        by: 'ada',
        text: 'Doors open at six!',
        hasPicture: false,
        at: '2026-11-20T19:00:00.000Z',
        isQueued: false,
        edits: 0,
        targets: [{ account: 'mastodon', state: 'pending' }],
      },
    ],
  });

export function toWaitingPostAnswer({ server, by, editedBy, targets, ...post }: SentPost): z.output<typeof WaitingPostAnswer> {
  return documented(WaitingPostAnswer, {
    ...post,
    ...(server !== '' && { server }),
    by: by.name,
    editedBy: editedBy?.name,
    targets: targets.map(({ account, state, url }) => ({ account, state, url })),
  });
}
