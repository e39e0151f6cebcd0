import { z } from 'zod';

const post = z.string().min(1).max(100).describe('The id of a post.');

/** The actions on posts that people wrote and that are not sent yet. */
export const POST_ACTIONS = {
  editPost: {
    summary: 'Edit a waiting post',
    needs: 'editor',
    input: z.object({
      post,
      text: z.string().max(6000).describe('The new text. It may be empty if the post has a picture.'),
      warning: z.string().max(200).optional().describe('The content warning. Empty: the default of each account. Absent: it stays.'),
      altText: z.string().max(1000).optional().describe('The description of the picture. Empty: none. Absent: it stays.'),
      edits: z.int().min(0).optional().describe('The number of edits that the person saw. If it is another one, nothing is changed.'),
    }),
    target: 'post',
    undo: 'editPost',
  },
  movePost: {
    summary: 'Change the time of a waiting post',
    needs: 'editor',
    input: z.object({ post, at: z.date().describe('When it is sent, at most a year ahead. An instant in the past sends it at once.') }),
    target: 'post',
    undo: 'movePost',
  },
  cancelPost: { summary: 'Cancel a post that is not sent yet', needs: 'editor', input: z.object({ post }), target: 'post' },
} as const;
