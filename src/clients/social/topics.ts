import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list, read } from '#src/clients/operation/operation.ts';
import { idOf, type Choice } from './arguments.ts';
import { TopicPosts } from './containers.ts';
import { Topic } from './records/discovery.ts';
import { Post } from './records/post.ts';

const topicParam = z.string().min(1).describe("A topic's id.");

/**
 * One topic.
 *
 * @example
 * const { name, postCount } = await social.getTopic('speedrun');
 */
export const getTopic = read('getTopic', {
  watch: 'one',
  params: z.strictObject({ topic: topicParam }),
  returns: Topic,
  args: (topic: Choice<Topic>, options: CallOptions = {}) => ({ topic: idOf(topic, 'topic'), ...options }),
});

const GetTopicPosts = z.strictObject({
  topic: topicParam,
  replies: z.boolean().default(false).describe('Whether to include replies.'),
  ...paging,
});
export interface GetTopicPostsOptions extends Omit<z.input<typeof GetTopicPosts>, 'topic'>, CallOptions {}

/**
 * The posts about a topic, newest first.
 *
 * @example
 * const posts = await social.getTopicPosts('speedrun', { replies: true });
 */
export const getTopicPosts = list('getTopicPosts', {
  watch: 'feed',
  params: GetTopicPosts,
  item: Post,
  into: TopicPosts,
  args: (topic: Choice<Topic>, options: GetTopicPostsOptions = {}) => ({ topic: idOf(topic, 'topic'), ...options }),
});
