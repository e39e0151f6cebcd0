import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { read } from '#src/clients/operation/operation.ts';
import { idOf, postParam, type Choice } from './arguments.ts';
import { Language } from './enumerations.ts';
import { PostAnalytics, PostHistory, PostTranslate } from './records/insight.ts';
import type { Post } from './records/post.ts';

/**
 * The metrics of a post of the signed-in user.
 *
 * @example
 * const { impressions, likes } = await social.getPostAnalytics(post);
 */
export const getPostAnalytics = read('getPostAnalytics', {
  watch: 'one',
  params: z.strictObject({ post: postParam }),
  returns: PostAnalytics,
  args: (post: Choice<Post>, options: CallOptions = {}) => ({ post: idOf(post, 'post'), ...options }),
});

/**
 * Translates a post.
 *
 * @example
 * const { text } = await social.translatePost(post, Language.ENGLISH);
 */
export const translatePost = read('translatePost', {
  params: z.strictObject({ post: postParam, language: z.enum(Language).describe('The language to translate into, for example `en`.') }),
  returns: PostTranslate,
  args: (post: Choice<Post>, language: Language, options: CallOptions = {}) => ({ post: idOf(post, 'post'), language, ...options }),
});

/**
 * The versions of a post, oldest first, including the current one.
 *
 * @example
 * const { versions } = await social.postEditHistory(post);
 */
export const postEditHistory = read('postEditHistory', {
  params: z.strictObject({ identifier: postParam }),
  returns: PostHistory,
  args: (identifier: Choice<Post>, options: CallOptions = {}) => ({ identifier: idOf(identifier, 'identifier'), ...options }),
});
