import { z } from 'zod';
import { paging, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { instant } from '#src/clients/operation/parameters.ts';
import { list, write } from '#src/clients/operation/operation.ts';
import { idOf, type Choice } from './arguments.ts';
import { ScheduledPosts } from './containers.ts';
import { draft, draftOf, EMPTY_POST, showsSomething, type DraftOptions } from './draft.ts';
import { ScheduledPost } from './records/post.ts';

/**
 * Schedules a post for `sendAt`.
 *
 * @example
 * await social.createScheduledPost('Good morning!', new Date('2030-01-01T08:00:00Z'));
 */
export const createScheduledPost = write('createScheduledPost', {
  effect: 'creates',
  publishes: 'post',
  params: z
    .strictObject({ ...draft, sendAt: instant().describe('The time of publication: ISO 8601 with its offset.') })
    .refine(showsSomething, EMPTY_POST),
  returns: ScheduledPost,
  args: (text: string, sendAt: Date, options: DraftOptions = {}) => ({ ...draftOf(text, options), sendAt }),
});

const GetScheduledPosts = z.strictObject(paging);
export interface GetScheduledPostsOptions extends z.input<typeof GetScheduledPosts>, CallOptions {}

/**
 * The scheduled posts of the signed-in user, next first.
 *
 * @example
 * const [next] = await social.getScheduledPosts();
 */
export const getScheduledPosts = list('getScheduledPosts', {
  watch: 'set',
  params: GetScheduledPosts,
  item: ScheduledPost,
  into: ScheduledPosts,
  args: (options: GetScheduledPostsOptions = {}) => options,
});

/**
 * Cancels a scheduled post. The result is true even if the post no longer exists.
 *
 * @example
 * await social.deleteScheduledPost(scheduled);
 */
export const deleteScheduledPost = write('deleteScheduledPost', {
  effect: 'sets',
  params: z.strictObject({ post: z.string().min(1).describe("A scheduled post's id.") }),
  returns: z.boolean(),
  args: (post: Choice<ScheduledPost>, options: WriteOptions = {}) => ({ post: idOf(post, 'post'), ...options }),
});
