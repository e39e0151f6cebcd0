import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { idOf, postParam, type Choice } from './arguments.ts';
import { PostComments, PostLikes, PostReposts, Search } from './containers.ts';
import { ConversationThread, type Post } from './records/post.ts';
import { User } from './records/user.ts';

const OfPost = z.strictObject({ post: postParam, ...paging });
/** The options of a list about a post. */
export interface OfPostOptions extends Omit<z.input<typeof OfPost>, 'post'>, CallOptions {}

function ofPost(post: Choice<Post>, options: OfPostOptions = {}): z.input<typeof OfPost> & CallOptions {
  return { post: idOf(post, 'post'), ...options };
}

/**
 * The users who like a post, newest first.
 *
 * @example
 * const fans = await social.getPostLikes(post);
 */
export const getPostLikes = list('getPostLikes', { watch: 'set', params: OfPost, item: User, into: PostLikes, args: ofPost });

/**
 * The users who reposted a post, newest first.
 *
 * @example
 * const { length } = await social.getPostReposts(post, { pages: 'all' });
 */
export const getPostReposts = list('getPostReposts', { watch: 'set', params: OfPost, item: User, into: PostReposts, args: ofPost });

/**
 * The users who quoted a post, newest first, each once.
 *
 * @example
 * for await (const user of social.getPostQuotes(post)) print(user.handle);
 */
export const getPostQuotes = list('getPostQuotes', { watch: 'set', params: OfPost, item: User, into: Search<User>, args: ofPost });

const GetPostComments = OfPost.extend({ getHidden: z.boolean().default(false).describe('Whether to include hidden replies.') });
export interface GetPostCommentsOptions extends Omit<z.input<typeof GetPostComments>, 'post'>, CallOptions {}

/**
 * The replies to a post, one thread each.
 *
 * @example
 * for await (const thread of social.getPostComments(post)) print(thread.root.text, thread.replies.length);
 */
export const getPostComments = list('getPostComments', {
  watch: 'feed',
  params: GetPostComments,
  item: ConversationThread,
  into: PostComments,
  args: (post: Choice<Post>, options: GetPostCommentsOptions = {}) => ({ post: idOf(post, 'post'), ...options }),
});
