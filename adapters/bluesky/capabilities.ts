import { composed, native, unsupported } from '#src/clients/operation/capability-table.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import type * as communities from '#src/clients/social/communities.ts';
import { noAssistant } from '#src/clients/social/fallbacks/assistant.ts';
import { noSchedule } from '#src/clients/social/fallbacks/schedule.ts';
import type * as follows from '#src/clients/social/follows.ts';
import type * as insight from '#src/clients/social/insight.ts';
import type * as lists from '#src/clients/social/lists.ts';
import type * as messages from '#src/clients/social/messages.ts';
import type * as postsTopic from '#src/clients/social/posts.ts';
import type * as reactions from '#src/clients/social/reactions.ts';
import type * as responses from '#src/clients/social/responses.ts';
import type * as schedule from '#src/clients/social/schedule.ts';
import type * as search from '#src/clients/social/search.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import type * as timelinesTopic from '#src/clients/social/timelines.ts';
import type * as topics from '#src/clients/social/topics.ts';
import type * as users from '#src/clients/social/users.ts';

type ListName = keyof typeof communities | keyof typeof lists | keyof typeof topics;

const getList = 'GET /app.bsky.graph.getList';
const getRecord = 'GET /com.atproto.repo.getRecord';
const getProfiles = 'GET /app.bsky.actor.getProfiles';
const listRecords = 'GET /com.atproto.repo.listRecords';
const communitiesUnsupported: Capability = unsupported('NO_FEATURE', 'Bluesky has no communities.', ['getTopicPosts', 'getListPosts']);

/** Communities, lists and topics. */
const listCapabilities: Readonly<Record<ListName, Capability>> = {
  getCommunity: communitiesUnsupported,
  getCommunityPosts: communitiesUnsupported,
  getCommunityMembers: communitiesUnsupported,
  getLists: native('GET /app.bsky.graph.getLists'),
  createList: {
    ...native('POST /com.atproto.repo.putRecord', getRecord),
    parameters: { isPrivate: unsupported('NO_FEATURE', 'Lists and their members are public.') },
  },
  deleteList: composed(listRecords, 'POST /com.atproto.repo.applyWrites', 'POST /com.atproto.repo.deleteRecord'),
  getList: native(getList, getRecord, listRecords),
  getListPosts: native('GET /app.bsky.feed.getListFeed', getList, getRecord, listRecords),
  getListMember: native(getList, getRecord, listRecords, getProfiles),
  addListMember: native(getList, listRecords, 'POST /com.atproto.repo.putRecord', getRecord),
  removeListMember: composed(getList, listRecords, getRecord, 'POST /com.atproto.repo.deleteRecord'),
  getTopic: {
    ...composed('GET /app.bsky.feed.getFeedGenerator', 'GET /app.bsky.feed.searchPosts'),
    detail: 'A topic is a feed, by its address, or a hashtag.',
  },
  getTopicPosts: {
    ...composed('GET /app.bsky.feed.getFeed', 'GET /app.bsky.feed.searchPosts'),
    detail: 'A topic is a feed, by its address, or a hashtag.',
  },
};

type UserName = keyof typeof users | keyof typeof follows;

const resolveHandle = 'GET /com.atproto.identity.resolveHandle';
const getProfile = 'GET /app.bsky.actor.getProfile';

/** Users and follows. */
const userCapabilities: Readonly<Record<UserName, Capability>> = {
  getUserInfo: native(getProfile, getProfiles),
  getUserId: { ...native(resolveHandle), detail: 'The id is the DID, which stays when the handle changes.' },
  getPosts: native('GET /app.bsky.feed.getAuthorFeed', getProfile),
  getUserMedia: native('GET /app.bsky.feed.getAuthorFeed', getProfile),
  getUserHighlights: {
    ...composed('GET /app.bsky.feed.getAuthorFeed', getProfile),
    detail: 'The pinned post, if there is one. Bluesky has no highlights.',
  },
  getUserFollowers: { ...native('GET /app.bsky.graph.getFollowers', getProfile), detail: 'Without their numbers of followers and posts.' },
  getUserFollowings: { ...native('GET /app.bsky.graph.getFollows', getProfile), detail: 'Without their numbers of followers and posts.' },
  getUserSubscribers: unsupported('NO_FEATURE', 'Bluesky has no paid follows.', ['getUserFollowers']),
  getMutualFollowers: native('GET /app.bsky.graph.getKnownFollowers', getProfile),
  getBlockedUsers: native('GET /app.bsky.graph.getBlocks'),
  getSuggestedUsers: native('GET /app.bsky.actor.getSuggestions'),
  followUser: native(getProfile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord', getRecord),
  unfollowUser: native(getProfile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'),
  blockUser: {
    ...native(getProfile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord', getRecord),
    detail: 'Blocks are public.',
  },
  unblockUser: native(getProfile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'),
  enableUserNotification: {
    ...native(getProfile, 'POST /app.bsky.notification.putActivitySubscription'),
    detail: 'Only for followed users who allow it.',
  },
  disableUserNotification: native(resolveHandle, 'POST /app.bsky.notification.putActivitySubscription'),
};

/** The reason why lists cannot be searched. */
export const noListSearch = {
  reason: 'NO_ENDPOINT',
  detail: 'Bluesky searches posts and people, not lists.',
  alternatives: ['getLists'],
} as const;

/** The reason why a reply filter is not supported. */
export const noSuchAudience = {
  reason: 'NO_FEATURE',
  detail: 'Bluesky has no subscribers and no paid badges.',
  alternatives: ['Followers', 'Community', 'ByInvitation', 'Nobody'],
} as const;

/** The reason why quotes cannot be limited to followers. */
const noQuotesByFollowers = {
  reason: 'NO_FEATURE',
  detail: 'Either everyone can quote a post, or nobody.',
  alternatives: ['nobody'],
} as const;

type Topics = typeof postsTopic & typeof responses & typeof reactions & typeof insight & typeof schedule;
type PostName = keyof Topics;

const readPost = ['GET /app.bsky.feed.getPosts', getRecord] as const;
const add = [...readPost, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord'] as const;
const remove = [...readPost, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'] as const;
const blobs = [
  'POST /com.atproto.repo.uploadBlob',
  'GET /com.atproto.server.getServiceAuth',
  'GET /app.bsky.video.getUploadLimits',
  'POST /app.bsky.video.uploadVideo',
  'GET /app.bsky.video.getJobStatus',
] as const;

const onlyPublic = 'Only the public numbers: likes, reposts, replies and quotes.';
const placeUnsupported = unsupported('NO_FEATURE', 'Bluesky posts have no place.');
const pollsUnsupported = unsupported('NO_FEATURE', 'Bluesky has no polls.');
const visibilityUnsupported = unsupported('NO_FEATURE', 'All posts are public.', ['filter: who can reply', 'sendMessage']);
const noCommunities = unsupported('NO_FEATURE', 'Bluesky has no communities.');

/** Posts, reactions and schedules. */
const postCapabilities: Readonly<Record<PostName, Capability>> = {
  createPost: {
    ...native(
      ...readPost,
      ...blobs,
      'GET /com.atproto.identity.resolveHandle',
      'POST /com.atproto.repo.putRecord',
      'POST /com.atproto.repo.applyWrites',
    ),
    detail:
      'Up to 300 characters and 3000 bytes. The first link gets a card of its page, if the page can be read and the post has no files and no quote. ' +
      'Each post has a fixed key, so a repeated request creates no second post.',
    parameters: {
      files: { support: 'native', detail: 'Up to 4 pictures, or one video. GIFs become still pictures.', alone: ['mp4'] },
      filter: {
        support: 'native',
        detail: 'Only for the first post of a thread, not for replies.',
        values: {
          Subscribers: { support: 'unsupported', ...noSuchAudience },
          Verified: { support: 'unsupported', ...noSuchAudience },
        },
      },
      warning: {
        support: 'composed',
        detail: 'Above the text. `Sexually suggestive`, `Nudity`, `Adult content` and `Graphic media` become labels instead.',
      },
      sensitive: { support: 'native', detail: 'Label `graphic-media`, unless the warning names another label.' },
      quotable: { support: 'native', values: { followers: { support: 'unsupported', ...noQuotesByFollowers } } },
      quote: { support: 'native', detail: 'Rejected if the author does not allow quotes.' },
      language: { support: 'native', detail: 'By default, `posts.<account>.language`, or the language of the latest posts.' },
      visibility: {
        support: 'native',
        values: { unlisted: visibilityUnsupported, followers: visibilityUnsupported, direct: visibilityUnsupported },
      },
      poll: pollsUnsupported,
      place: placeUnsupported,
      community: noCommunities,
      postOnTimeline: noCommunities,
    },
  },
  editPost: unsupported('NO_FEATURE', 'Posts cannot be edited.', ['deletePost and createPost']),
  deletePost: native('POST /com.atproto.repo.deleteRecord'),
  postDetail: native(...readPost),
  uploadMedia: { ...native(...blobs), detail: 'Uploads without a post are deleted after an hour.' },
  getPostLikes: native('GET /app.bsky.feed.getLikes', getRecord),
  getPostReposts: native('GET /app.bsky.feed.getRepostedBy', getRecord),
  getPostQuotes: native('GET /app.bsky.feed.getQuotes', getRecord),
  getPostComments: { ...native('GET /app.bsky.feed.getPostThread', getRecord), detail: 'One page with all of them.' },
  likePost: native(...add),
  unlikePost: native(...remove),
  repostPost: native(...add),
  deleteRepost: native(...remove),
  pinPost: {
    ...composed(...readPost, 'POST /com.atproto.repo.putRecord'),
    detail: 'Only one pinned post: a new one replaces it.',
  },
  unpinPost: composed(getRecord, 'POST /com.atproto.repo.putRecord'),
  bookmarkPost: native(...readPost, 'POST /app.bsky.bookmark.createBookmark'),
  unbookmarkPost: native(...readPost, 'POST /app.bsky.bookmark.deleteBookmark'),
  votePoll: pollsUnsupported,
  getPostAnalytics: { ...composed(...readPost), detail: onlyPublic },
  translatePost: unsupported('PROVIDER_MISSING', 'Give SocialAsync a `translator`, or an `assistant`, which also translates.'),
  postEditHistory: { ...composed(...readPost), detail: 'Always one version, because posts cannot be edited.' },
  ...noSchedule,
};

type TimelineName = keyof typeof search | keyof typeof timelinesTopic | keyof typeof messages;

const privileged = 'The app password must allow direct messages.';
const convo = ['GET /chat.bsky.convo.getConvo', 'GET /chat.bsky.convo.getConvoForMembers'] as const;

/** Search, timelines and messages. */
const timelineCapabilities: Readonly<Record<TimelineName, Capability>> = {
  search: {
    ...native('GET /app.bsky.feed.searchPosts', 'GET /app.bsky.actor.searchActors', 'GET /app.bsky.actor.getProfiles'),
    parameters: {
      filter: {
        support: 'native',
        values: {
          Media: { support: 'composed', detail: 'Searched in the latest posts, in up to 10 requests per page.' },
          Lists: { support: 'unsupported', ...noListSearch },
        },
      },
    },
  },
  searchGifs: unsupported('PROVIDER_MISSING', 'Give SocialAsync `gifs`, a provider of GIFs.'),
  getTrends: { ...native('GET /app.bsky.unspecced.getTrends'), detail: 'Bluesky may change it at any time.' },
  getHomeTimeline: {
    ...native('GET /app.bsky.feed.getFeed', 'GET /app.bsky.feed.getTimeline'),
    parameters: { timelineType: { support: 'native', detail: 'HomeTimeline is the feed Discover.' } },
  },
  getMentions: composed('GET /app.bsky.notification.listNotifications', 'GET /app.bsky.feed.getPosts'),
  getBookmarks: native('GET /app.bsky.bookmark.getBookmarks'),
  getPostNotifications: composed('GET /app.bsky.notification.listNotifications', 'GET /app.bsky.feed.getPosts'),
  getInbox: { ...native('GET /chat.bsky.convo.listConvos', 'GET /chat.bsky.convo.getConvoForMembers'), detail: privileged },
  getConversation: { ...native(...convo, 'GET /chat.bsky.convo.getMessages'), detail: `${privileged} The latest 1000 messages.` },
  sendMessage: {
    ...native(...convo, 'POST /chat.bsky.convo.sendMessage'),
    detail: privileged,
    parameters: {
      file: unsupported('NO_FEATURE', 'Messages have no files.', ['quotePost']),
      audioOnly: unsupported('NO_FEATURE', 'Messages have no files.'),
    },
  },
  sendMessageReaction: {
    ...native(...convo, 'POST /chat.bsky.convo.addReaction', 'POST /chat.bsky.convo.removeReaction'),
    detail: `${privileged} Bluesky stores several reactions; the previous ones are removed.`,
  },
};

/** The support of each operation. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...userCapabilities,
  ...timelineCapabilities,
  ...postCapabilities,
  ...listCapabilities,
  ...noAssistant,
};
