import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { WatchList } from '#src/social/providers.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { XApi } from './api.ts';
import type { XBudgets } from './budgets.ts';
import { community } from './gatherings/communities.ts';
import { lists } from './gatherings/lists.ts';
import { annotations, topics } from './gatherings/topics.ts';
import { filesOf } from './media/files.ts';
import type { Readers } from './pages.ts';
import { postComments } from './posts/comments.ts';
import { postDetail } from './posts/detail.ts';
import { postAnalytics, postEditHistory } from './posts/insight.ts';
import { recoverPost } from './posts/recovery.ts';
import { writing } from './posts/writing.ts';
import { reactions } from './reactions.ts';
import { postLikes, postQuotes, postReposts } from './responses.ts';
import { search } from './search.ts';
import { conversation, inbox } from './talks/inbox.ts';
import { recoverMessage, sending } from './talks/sending.ts';
import { bookmarks, homeTimeline, mentions, trends } from './timelines.ts';
import { blockedUsers, followers, followings, mutualFollowers } from './users/follows.ts';
import { userNames } from './users/names.ts';
import { relations } from './users/relations.ts';
import { posts, userMedia } from './users/user-posts.ts';
import { userId, userInfo } from './users/users.ts';
import { watching } from './watching.ts';

export interface OperationsOptions {
  readonly api: XApi;
  readonly budgets: XBudgets | undefined;
  readonly watchList: WatchList | undefined;
  readonly woeid: number;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** All that X can do, for one account. */
export function operationsOf(options: OperationsOptions): Required<Pick<SocialPlatform, 'operations' | 'recover'>> {
  const { api, budgets, watchList, woeid, accountOrigin, clock, log } = options;
  const known = annotations();
  const readers: Readers = {
    api,
    watched: async () => new Set((await watchList?.all())?.map(({ id }) => id)),
    onPost: (row) => known.note(row),
  };
  const names = userNames(api, clock);
  const files = filesOf({ api, accountOrigin, clock, log });
  const letters = { api, names, files, clock };
  const ownLists = lists(readers, names, clock);

  return {
    operations: {
      getUserInfo: userInfo(readers),
      getUserId: userId(readers),
      getPosts: posts(readers, names),
      getUserMedia: userMedia(readers, names, budgets),
      getUserFollowers: followers(readers, names),
      getUserFollowings: followings(readers, names),
      getMutualFollowers: mutualFollowers(readers, names, budgets),
      getBlockedUsers: blockedUsers(readers, names),
      ...relations(readers, names),
      ...(watchList && watching({ readers, names, list: watchList, budgets, clock })),
      search: search(readers),
      getHomeTimeline: homeTimeline(readers, names),
      getMentions: mentions(readers, names),
      getBookmarks: bookmarks(readers, names),
      getTrends: trends(api, woeid),
      ...writing({ api, reader: readers, names, files, clock }),
      postDetail: postDetail(readers),
      uploadMedia: files.uploadMedia,
      getPostLikes: postLikes(readers),
      getPostReposts: postReposts(readers),
      getPostQuotes: postQuotes(readers),
      getPostComments: postComments(readers, budgets),
      ...reactions(api, names),
      getPostAnalytics: postAnalytics(readers, names, clock),
      postEditHistory: postEditHistory(api),
      getInbox: inbox(api, names, budgets),
      getConversation: conversation(api, names),
      sendMessage: sending(letters),
      getCommunity: community(api),
      ...ownLists.operations,
      ...topics({ readers, known, budgets, clock }),
    },
    recover: {
      createPost: recoverPost(readers, names, clock),
      sendMessage: recoverMessage(letters),
      createList: ownLists.recoverList,
      uploadMedia: files.recoverUpload,
    },
  };
}
