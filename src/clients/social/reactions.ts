import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { eachOf } from '#src/clients/operation/parameters.ts';
import { idOf, postParam, type Choice } from './arguments.ts';
import { Post } from './records/post.ts';

const ToPost = z.strictObject({ post: postParam });

function toPost(post: Choice<Post>, options: WriteOptions = {}): z.input<typeof ToPost> & WriteOptions {
  return { post: idOf(post, 'post'), ...options };
}

/**
 * Likes a post.
 *
 * @example
 * await social.likePost(post);
 */
export const likePost = write('likePost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Removes a like.
 *
 * @example
 * await social.unlikePost(post);
 */
export const unlikePost = write('unlikePost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Reposts a post.
 *
 * @example
 * await social.repostPost(post);
 */
export const repostPost = write('repostPost', {
  effect: 'sets',
  publishes: 'everyone',
  params: ToPost,
  returns: z.boolean(),
  args: toPost,
});

/**
 * Deletes a repost.
 *
 * @example
 * await social.deleteRepost(post);
 */
export const deleteRepost = write('deleteRepost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Pins a post to the top of the signed-in user's timeline.
 *
 * @example
 * await social.pinPost(post);
 */
export const pinPost = write('pinPost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Unpins a post.
 *
 * @example
 * await social.unpinPost(post);
 */
export const unpinPost = write('unpinPost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Bookmarks a post.
 *
 * @example
 * await social.bookmarkPost(post);
 */
export const bookmarkPost = write('bookmarkPost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

/**
 * Removes a bookmark.
 *
 * @example
 * await social.unbookmarkPost(post);
 */
export const unbookmarkPost = write('unbookmarkPost', { effect: 'sets', params: ToPost, returns: z.boolean(), args: toPost });

const VotePoll = z.strictObject({
  post: postParam,
  choices: z.array(z.int().min(0)).min(1).describe('The indexes of the chosen options, from 0.'),
});

/**
 * Votes in a poll; resolves with the post. A vote cannot be changed.
 *
 * @example
 * const { poll } = await social.votePoll(post, [0]);
 */
export const votePoll = write('votePoll', {
  effect: 'sets',
  params: VotePoll,
  returns: Post,
  args: (post: Choice<Post>, choices: readonly number[], options: WriteOptions = {}) => ({
    post: idOf(post, 'post'),
    choices: eachOf(choices, (choice) => choice),
    ...options,
  }),
});
