import { z } from 'zod';
import { noParams, paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list, read } from '#src/clients/operation/operation.ts';
import { Bookmarks, Mention, PostNotifications, SelfTimeline } from './containers.ts';
import { HOME_TIMELINE_TYPE_FOR_YOU, HomeTimelineType } from './enumerations.ts';
import { Trends } from './records/discovery.ts';
import { Post } from './records/post.ts';

const Walk = z.strictObject(paging);
/** The options of a timeline. */
export interface TimelineOptions extends z.input<typeof Walk>, CallOptions {}

function walkOnly(options: TimelineOptions = {}): TimelineOptions {
  return options;
}

const GetHomeTimeline = z.strictObject({
  timelineType: z
    .enum(HomeTimelineType)
    .default(HOME_TIMELINE_TYPE_FOR_YOU)
    .describe('HomeTimeline: the order of the platform. HomeLatestTimeline: newest first.'),
  ...paging,
});
export interface GetHomeTimelineOptions extends z.input<typeof GetHomeTimeline>, CallOptions {}

/**
 * Posts by the signed-in user and followed users.
 *
 * @example
 * const latest = await social.getHomeTimeline({ timelineType: HOME_TIMELINE_TYPE_FOLLOWING });
 */
export const getHomeTimeline = list('getHomeTimeline', {
  watch: 'feed',
  params: GetHomeTimeline,
  item: Post,
  into: SelfTimeline,
  args: (options: GetHomeTimelineOptions = {}) => options,
});

/**
 * Posts that mention the signed-in user, newest first.
 *
 * @example
 * for await (const post of social.getMentions()) print(post.author.handle, post.text);
 */
export const getMentions = list('getMentions', { watch: 'feed', params: Walk, item: Post, into: Mention, args: walkOnly });

/**
 * The bookmarked posts of the signed-in user, last bookmarked first.
 *
 * @example
 * const kept = await social.getBookmarks({ pages: 'all' });
 */
export const getBookmarks = list('getBookmarks', { watch: 'set', params: Walk, item: Post, into: Bookmarks, args: walkOnly });

/**
 * New posts of users with notifications on, newest first.
 *
 * @example
 * const news = await social.getPostNotifications();
 */
export const getPostNotifications = list('getPostNotifications', {
  watch: 'feed',
  params: Walk,
  item: Post,
  into: PostNotifications,
  args: walkOnly,
});

/**
 * The top twenty trends.
 *
 * @example
 * const [first] = await social.getTrends();
 */
export const getTrends = read('getTrends', {
  watch: 'ranking',
  params: noParams,
  returns: z.array(Trends),
  args: (options: CallOptions = {}) => options,
});
