import { z } from 'zod';
import type { WriteOptions } from '#src/operation/call.ts';
import { write } from '#src/operation/operation.ts';
import { postText } from '#src/operation/text.ts';
import { Post } from './records.ts';

const postId = z.string().min(1);

const CreatePost = z.strictObject({
  text: postText().min(1).describe('What the post says.'),
  replyTo: postId.optional().describe('The post that this one answers.'),
  quote: postId.optional().describe('The post that this one shows.'),
});
export interface CreatePostOptions extends WriteOptions {
  /** The post that this one answers. */
  readonly replyTo?: string | Post | undefined;
  /** The post that this one shows. */
  readonly quote?: string | Post | undefined;
}

/**
 * The post that now stands on the platform, made from `text`.
 *
 * @example
 * const post = await social.createPost('We are live!');
 * await social.createPost('That was it for today.', { replyTo: post });
 */
export const createPost = write('createPost', {
  effect: 'creates',
  params: CreatePost,
  returns: Post,
  args: (text: string, { replyTo, quote, ...options }: CreatePostOptions = {}) => ({
    text,
    replyTo: idOf(replyTo),
    quote: idOf(quote),
    ...options,
  }),
});

const DeletePost = z.strictObject({ post: postId.describe('One of your own posts.') });

/**
 * Takes down a post of the signed-in user; true also where it was gone already.
 *
 * @example
 * await social.deletePost(post);
 */
export const deletePost = write('deletePost', {
  effect: 'sets',
  params: DeletePost,
  returns: z.boolean(),
  args: (post: string | number | Post, options: WriteOptions = {}) => ({ post: idOf(post), ...options }),
});

function idOf(post: string | number | Post): string;
function idOf(post: string | number | Post | undefined): string | undefined;
function idOf(post: string | number | Post | undefined): string | undefined {
  return typeof post === 'object' ? post.id : post?.toString();
}
