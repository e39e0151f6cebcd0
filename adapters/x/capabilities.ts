import { composed, native, unsupported } from '#src/clients/operation/capability-table.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import { ANSWER_LIMIT } from './text/limit.ts';
import { noAssistant } from '#src/clients/social/fallbacks/assistant.ts';
import { noSchedule } from '#src/clients/social/fallbacks/schedule.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';

const noEndpoint = (detail: string, alternatives?: readonly string[]) => unsupported('NO_ENDPOINT', detail, alternatives);

/** The reason why most apps cannot do this. */
export const NOT_SELF_SERVE = {
  reason: 'TIER_REQUIRED',
  detail: 'Only enterprise plans of X include it.',
} as const;

/** The OpenAPI document of X has no POST or DELETE of `/2/users/:id/blocking`. */
const UNDOCUMENTED = `${NOT_SELF_SERVE.detail} The current documentation of X does not list this endpoint, so X may remove it.`;
const enterprise = { support: 'gated', ...NOT_SELF_SERVE } as const;

/** The reason why lists cannot be searched. */
export const NO_LIST_SEARCH = { reason: 'NO_ENDPOINT', detail: 'X has no search for lists.', alternatives: ['getLists'] } as const;

/** The reason why there is only one home timeline. */
export const NO_FOR_YOU = {
  reason: 'NO_ENDPOINT',
  detail: 'The API of X has only the latest posts of followed users.',
  alternatives: ['HomeLatestTimeline'],
} as const;

/** The capability without a watch list of Fanfare. */
const NO_WATCH_LIST = unsupported('PROVIDER_MISSING', 'X has no API for notifications: give the account a watch list.');

/** The reason why a composed read does not start. */
export const NO_BUDGET = {
  reason: 'PROVIDER_MISSING',
  detail:
    'X bills each row, so a read from several requests needs a budget: set `budgets: { x: { page: 0.10 USD } }` in fanfare.yaml, or `budgets: { usd: 0.1 }` in the adapter.',
} as const;

const LOOKED = 'Filtered within the budget of the account.';
const A_WEEK = 'Posts of the last seven days.';
const RECENT = 'GET /2/tweets/search/recent';
const BY_NAME = 'GET /2/users/by/username/:username';
const ME = 'GET /2/users/me';
const POST = 'GET /2/tweets/:id';
const UPLOADS = [
  'POST /2/media/upload',
  'POST /2/media/upload/initialize',
  'POST /2/media/upload/:id/append',
  'POST /2/media/upload/:id/finalize',
  'GET /2/media/upload',
  'POST /2/media/metadata',
] as const;

/** The support of each operation, for an account with a budget and a watch list. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...noAssistant,
  ...noSchedule,

  getUserInfo: native(ME, 'GET /2/users/:id', BY_NAME, 'GET /2/users', 'GET /2/users/by'),
  getUserId: native('GET /2/users/:id', BY_NAME),
  getPosts: { ...native(BY_NAME, 'GET /2/users/:id/tweets'), detail: 'The latest 3200; without replies, the latest 800.' },
  getUserMedia: { ...composed(BY_NAME, 'GET /2/users/:id/tweets'), detail: LOOKED },
  getUserHighlights: noEndpoint('X shows highlights only on its website.', ['getPosts']),
  getUserFollowers: { ...native(BY_NAME, 'GET /2/users/:id/followers'), detail: '100 users per page. X bills each user.' },
  getUserFollowings: { ...native(BY_NAME, 'GET /2/users/:id/following'), detail: '100 users per page. X bills each user.' },
  getUserSubscribers: noEndpoint('X has no list of subscribers.'),
  getMutualFollowers: { ...composed(BY_NAME, 'GET /2/users/:id/followers'), detail: LOOKED },
  getBlockedUsers: native(ME, 'GET /2/users/:id/blocking'),
  getSuggestedUsers: noEndpoint('X has no API for suggestions.'),

  followUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'POST /2/users/:id/following'] },
  unfollowUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'DELETE /2/users/:id/following/:target'] },
  blockUser: { ...enterprise, detail: UNDOCUMENTED, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'POST /2/users/:id/blocking'] },
  unblockUser: {
    ...enterprise,
    detail: UNDOCUMENTED,
    endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'DELETE /2/users/:id/blocking/:target'],
  },
  enableUserNotification: { ...composed(BY_NAME), detail: 'On the watch list of Fanfare.' },
  disableUserNotification: { ...composed(BY_NAME), detail: 'On the watch list of Fanfare.' },

  search: {
    ...native(RECENT, 'GET /2/users/search'),
    detail: `${A_WEEK} The keyword can be a query of X, of at most 512 characters.`,
    parameters: { filter: { support: 'native', values: { Lists: { support: 'unsupported', ...NO_LIST_SEARCH } } } },
  },
  searchGifs: noEndpoint('X has no search for GIFs.'),

  getHomeTimeline: {
    ...native(ME, 'GET /2/users/:id/timelines/reverse_chronological'),
    parameters: { timelineType: { support: 'native', values: { HomeTimeline: { support: 'unsupported', ...NO_FOR_YOU } } } },
  },
  getMentions: { ...native(ME, 'GET /2/users/:id/mentions'), detail: 'The latest 800.' },
  getBookmarks: native(ME, 'GET /2/users/:id/bookmarks'),
  getPostNotifications: { ...composed(RECENT), detail: `${A_WEEK} Of users on the watch list of Fanfare.` },
  getTrends: {
    ...native('GET /2/trends/by/woeid/:woeid'),
    detail: 'Worldwide, unless the account sets another place. X requires OAuth 2.0 here, not OAuth 1.0a.',
  },

  createPost: {
    ...native('POST /2/tweets', POST, ME, ...UPLOADS),
    detail:
      'X bills each post, and more for a post with a link. Fanfare does not read the new post, so the result lacks language, place and addresses of media. `postDetail` reads them.',
    parameters: {
      filter: {
        support: 'native',
        values: {
          Followers: unsupported('NO_FEATURE', 'X cannot limit replies to followers.'),
          Nobody: unsupported('NO_FEATURE', 'X cannot turn replies off.'),
        },
      },
      language: unsupported('NO_FEATURE', 'X detects the language of a post.', ['createPost without language']),
      visibility: unsupported('NO_FEATURE', 'On X, the visibility is a setting of the whole account.', [
        'filter: who can reply',
        'Protect your posts, in the settings of the account',
      ]),
      replyTo: { support: 'native', detail: 'X allows apps to reply only to the account itself and to users who mentioned or quoted it.' },
      quote: { support: 'gated', reason: 'TIER_REQUIRED', detail: 'Only enterprise plans of X include quotes.' },
      quotable: unsupported('NO_FEATURE', 'Everyone who sees a post can quote it.'),
      place: { support: 'native', detail: 'The id of a place. X has no search for places.' },
      warning: { support: 'composed', detail: 'Above the text. It also covers the files.' },
      sensitive: {
        support: 'native',
        detail: 'Covers the files. The warnings `Adult content` and `Graphic media` choose the reason that X shows.',
      },
      files: {
        support: 'native',
        detail: 'Four pictures, one video or one GIF; not with a poll or a quote.',
        excludes: ['quote'],
        alone: ['mp4', 'mov'],
      },
      poll: { support: 'native', detail: 'Not with files or a quote.', excludes: ['files', 'quote'] },
      'poll.options': { support: 'native', detail: 'At most 25 characters each, by the weight of X.', limit: ANSWER_LIMIT },
      'poll.multiple': unsupported('NO_FEATURE', 'A poll on X has a single choice.'),
    },
  },
  editPost: {
    support: 'gated',
    reason: 'TIER_REQUIRED',
    detail: 'For accounts with X Premium: five times within thirty minutes. Each edit has a new id.',
    endpoints: ['POST /2/tweets', POST, ME, ...UPLOADS],
  },
  deletePost: native('DELETE /2/tweets/:id'),
  postDetail: native(POST),
  uploadMedia: native(...UPLOADS),

  getPostLikes: {
    support: 'gated',
    reason: 'TIER_REQUIRED',
    detail: 'X lists only the likes of posts of the account.',
    endpoints: ['GET /2/tweets/:id/liking_users'],
  },
  getPostReposts: native('GET /2/tweets/:id/retweeted_by'),
  getPostQuotes: native('GET /2/tweets/:id/quote_tweets'),
  getPostComments: {
    ...composed(POST, RECENT),
    detail: `${A_WEEK} ${LOOKED}`,
    parameters: { getHidden: unsupported('NO_ENDPOINT', 'X does not list hidden replies.') },
  },

  likePost: { ...enterprise, endpoints: [ME, 'POST /2/users/:id/likes'], alternatives: ['bookmarkPost', 'repostPost'] },
  unlikePost: { ...enterprise, endpoints: [ME, 'DELETE /2/users/:id/likes/:post'] },
  repostPost: native(ME, 'POST /2/users/:id/retweets'),
  deleteRepost: native(ME, 'DELETE /2/users/:id/retweets/:post'),
  pinPost: noEndpoint('The API of X pins only lists.'),
  unpinPost: noEndpoint('The API of X pins only lists.'),
  bookmarkPost: { ...native(ME, 'POST /2/users/:id/bookmarks'), detail: 'X requires authentication with OAuth 2.0, not OAuth 1.0a.' },
  unbookmarkPost: {
    ...native(ME, 'DELETE /2/users/:id/bookmarks/:post'),
    detail: 'X requires authentication with OAuth 2.0, not OAuth 1.0a.',
  },
  votePoll: noEndpoint('X has no API for votes.'),

  getPostAnalytics: { ...native(POST, ME, 'GET /2/tweets/analytics'), detail: 'Only for posts of the account.' },
  translatePost: noEndpoint('X translates only on its website.'),
  postEditHistory: native(POST),

  getInbox: {
    ...composed('GET /2/dm_events', 'GET /2/dm_conversations/with/:participant/dm_events', 'GET /2/users', BY_NAME),
    detail: 'The last thirty days, without encrypted conversations. X does not report unread messages.',
  },
  getConversation: {
    ...native('GET /2/dm_conversations/:id/dm_events', 'GET /2/dm_conversations/with/:participant/dm_events', 'GET /2/users', BY_NAME),
    detail: 'The last thirty days, without encrypted messages.',
  },
  sendMessage: {
    ...native(ME, BY_NAME, 'POST /2/dm_conversations/with/:participant/messages', 'POST /2/dm_conversations/:id/messages', ...UPLOADS),
    parameters: {
      quotePost: { support: 'composed', detail: 'As its address at the end of the text.' },
      replyToMessage: unsupported('NO_ENDPOINT', 'X has no API for replies to a message.'),
      audioOnly: unsupported('NO_ENDPOINT', 'X accepts no sound without pictures.'),
    },
  },
  sendMessageReaction: noEndpoint('X has no API for reactions to messages.'),

  getCommunity: native('GET /2/communities/:id'),
  getCommunityPosts: noEndpoint('X lists the posts of communities only on its website.'),
  getCommunityMembers: noEndpoint('X reports only the number of members.'),

  getLists: native(ME, 'GET /2/users/:id/owned_lists'),
  createList: native(ME, 'POST /2/lists'),
  deleteList: native('DELETE /2/lists/:id'),
  getList: native('GET /2/lists/:id'),
  getListPosts: native('GET /2/lists/:id/tweets'),
  getListMember: native('GET /2/lists/:id/members'),
  addListMember: native(BY_NAME, 'POST /2/lists/:id/members', 'GET /2/lists/:id'),
  removeListMember: native(BY_NAME, 'DELETE /2/lists/:id/members/:user', 'GET /2/lists/:id'),

  getTopic: { ...composed(RECENT), detail: 'X lists no topics, so Fanfare remembers the topics of posts that it read.' },
  getTopicPosts: { ...composed(RECENT), detail: A_WEEK },
};

/** Reads that take several requests, or more rows than they return. */
const COMPOSED_READS = [
  'getUserMedia',
  'getMutualFollowers',
  'getPostComments',
  'getInbox',
  'getPostNotifications',
  'getTopic',
  'getTopicPosts',
] as const;

const WATCHING = ['enableUserNotification', 'disableUserNotification', 'getPostNotifications'] as const;

/** The capabilities of an account, with or without a budget and a watch list. */
export function capabilitiesFor({
  budget,
  watchList,
}: {
  readonly budget: boolean;
  readonly watchList: boolean;
}): SocialPlatform['capabilities'] {
  const unpaid: Capability = { support: 'unsupported', ...NO_BUDGET };
  return {
    ...capabilities,
    ...(!budget && Object.fromEntries(COMPOSED_READS.map((name) => [name, unpaid]))),
    ...(!watchList && Object.fromEntries(WATCHING.map((name) => [name, NO_WATCH_LIST]))),
  };
}
