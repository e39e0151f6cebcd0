import { composed, native, unsupported } from '#src/operation/capability-table.ts';
import type { Capability } from '#src/operation/capability.ts';
import { ANSWER_LIMITS } from '#src/operation/text/limit.ts';
import { noAssistant } from '#src/social/fallbacks/assistant.ts';
import { noSchedule } from '#src/social/fallbacks/schedule.ts';
import type { SocialPlatform } from '#src/social/social.ts';

const noEndpoint = (detail: string, alternatives?: readonly string[]) => unsupported('NO_ENDPOINT', detail, alternatives);

/** The reason why most apps cannot do this. */
export const NOT_SELF_SERVE = {
  reason: 'TIER_REQUIRED',
  detail: 'X took it out of the plans that anybody can buy: it is there for enterprises only.',
} as const;

const enterprise = { support: 'gated', ...NOT_SELF_SERVE } as const;

/** The reason why lists cannot be searched. */
export const NO_LIST_SEARCH = { reason: 'NO_ENDPOINT', detail: 'X does not search lists.', alternatives: ['getLists'] } as const;

/** The reason why there is only one home timeline. */
export const NO_FOR_YOU = {
  reason: 'NO_ENDPOINT',
  detail: 'X gives programs the latest posts of those whom the account follows, and nothing that it picked out.',
  alternatives: ['HomeLatestTimeline'],
} as const;

/** The capability without a watch list of Fanfare. */
const NO_WATCH_LIST = unsupported('PROVIDER_MISSING', 'X tells programs nothing of notifications: give the account a watch list.');

/** The reason why a composed read does not start. */
export const NO_BUDGET = {
  reason: 'PROVIDER_MISSING',
  detail:
    'X bills each row, so a read that is put together from several requests needs a budget: say `budgets: { x: { page: 0.10 USD } }` in fanfare.yaml, or give the adapter `budgets: { usd: 0.1 }`.',
} as const;

const LOOKED = 'Looked through within the budget of the account.';
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
  getPosts: { ...native(BY_NAME, 'GET /2/users/:id/tweets'), detail: 'The latest 3200, without replies the latest 800.' },
  getUserMedia: { ...composed(BY_NAME, 'GET /2/users/:id/tweets'), detail: LOOKED },
  getUserHighlights: noEndpoint('X shows highlights on its pages only.', ['getPosts']),
  getUserFollowers: { ...native(BY_NAME, 'GET /2/users/:id/followers'), detail: 'A hundred a page: X bills each.' },
  getUserFollowings: { ...native(BY_NAME, 'GET /2/users/:id/following'), detail: 'A hundred a page: X bills each.' },
  getUserSubscribers: noEndpoint('X tells of each user whether they subscribe, and lists none.'),
  getMutualFollowers: { ...composed(BY_NAME, 'GET /2/users/:id/followers'), detail: LOOKED },
  getBlockedUsers: native(ME, 'GET /2/users/:id/blocking'),
  getSuggestedUsers: noEndpoint('X suggests nobody to programs.'),

  followUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'POST /2/users/:id/following'] },
  unfollowUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'DELETE /2/users/:id/following/:target'] },
  blockUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'POST /2/users/:id/blocking'] },
  unblockUser: { ...enterprise, endpoints: [ME, BY_NAME, 'GET /2/users/:id', 'DELETE /2/users/:id/blocking/:target'] },
  enableUserNotification: { ...composed(BY_NAME), detail: 'A watch list of ours.' },
  disableUserNotification: { ...composed(BY_NAME), detail: 'A watch list of ours.' },

  search: {
    ...native(RECENT, 'GET /2/users/search'),
    detail: `${A_WEEK} The keyword may be a query of X's, of at most 512 characters.`,
    parameters: { filter: { support: 'native', values: { Lists: { support: 'unsupported', ...NO_LIST_SEARCH } } } },
  },
  searchGifs: noEndpoint('X has no search for GIFs.'),

  getHomeTimeline: {
    ...native(ME, 'GET /2/users/:id/timelines/reverse_chronological'),
    parameters: { timelineType: { support: 'native', values: { HomeTimeline: { support: 'unsupported', ...NO_FOR_YOU } } } },
  },
  getMentions: { ...native(ME, 'GET /2/users/:id/mentions'), detail: 'The latest 800.' },
  getBookmarks: native(ME, 'GET /2/users/:id/bookmarks'),
  getPostNotifications: { ...composed(RECENT), detail: `${A_WEEK} Of those on a watch list of ours.` },
  getTrends: {
    ...native('GET /2/trends/by/woeid/:woeid'),
    detail: 'Of the world, unless the account names another place. X takes a token here, and no signature.',
  },

  createPost: {
    ...native('POST /2/tweets', POST, ME, ...UPLOADS),
    detail: 'X bills a post, and one with a link more.',
    parameters: {
      filter: {
        support: 'native',
        values: {
          Followers: unsupported('NO_FEATURE', 'X cannot keep answers to followers.'),
          Nobody: unsupported('NO_FEATURE', 'On X somebody may always answer.'),
        },
      },
      language: unsupported('NO_FEATURE', 'X detects the language of a post.', ['createPost without language']),
      visibility: unsupported('NO_FEATURE', 'Whether only followers see posts is a setting of the whole account.', [
        'filter: who may answer',
        'Protect your posts, in the settings of the account',
      ]),
      replyTo: { support: 'native', detail: 'X lets apps answer only those who mentioned or quoted the account, and the account itself.' },
      quote: { support: 'gated', reason: 'TIER_REQUIRED', detail: 'Quoting is there for enterprises only.' },
      place: { support: 'native', detail: 'X has no search for places: their ids come from elsewhere.' },
      files: { support: 'native', detail: 'Four pictures, or one video, or one GIF; none beside a poll.' },
      poll: { support: 'native', detail: 'Beside no files and no quote.', excludes: ['files'] },
      'poll.options': { support: 'native', detail: 'Of at most 25 characters each, as X weighs them.', limit: ANSWER_LIMITS.x },
      'poll.multiple': unsupported('NO_FEATURE', 'On X one answer of a poll is chosen.'),
    },
  },
  editPost: {
    support: 'gated',
    reason: 'TIER_REQUIRED',
    detail: 'For accounts that pay: within thirty minutes, five times; an edit is a post with another id.',
    endpoints: ['POST /2/tweets', POST, ME, ...UPLOADS],
  },
  deletePost: native('DELETE /2/tweets/:id'),
  postDetail: native(POST),
  uploadMedia: native(...UPLOADS),

  getPostLikes: {
    support: 'gated',
    reason: 'TIER_REQUIRED',
    detail: "X keeps likes to itself: it gives those of the account's own posts.",
    endpoints: ['GET /2/tweets/:id/liking_users'],
  },
  getPostReposts: native('GET /2/tweets/:id/retweeted_by'),
  getPostQuotes: native('GET /2/tweets/:id/quote_tweets'),
  getPostComments: {
    ...composed(POST, RECENT),
    detail: `${A_WEEK} ${LOOKED}`,
    parameters: { getHidden: unsupported('NO_ENDPOINT', 'X hides answers, and lists none that are hidden.') },
  },

  likePost: { ...enterprise, endpoints: [ME, 'POST /2/users/:id/likes'], alternatives: ['bookmarkPost', 'repostPost'] },
  unlikePost: { ...enterprise, endpoints: [ME, 'DELETE /2/users/:id/likes/:post'] },
  repostPost: native(ME, 'POST /2/users/:id/retweets'),
  deleteRepost: native(ME, 'DELETE /2/users/:id/retweets/:post'),
  pinPost: noEndpoint('X lets programs pin lists only.'),
  unpinPost: noEndpoint('X lets programs pin lists only.'),
  bookmarkPost: { ...native(ME, 'POST /2/users/:id/bookmarks'), detail: 'X takes no signature here: sign in.' },
  unbookmarkPost: { ...native(ME, 'DELETE /2/users/:id/bookmarks/:post'), detail: 'X takes no signature here: sign in.' },
  votePoll: noEndpoint('X lets programs ask, and not answer.'),

  getPostAnalytics: { ...native(POST, ME, 'GET /2/tweets/analytics'), detail: "Of the account's own posts." },
  translatePost: noEndpoint('X translates on its pages only.'),
  postEditHistory: native(POST),

  getInbox: {
    ...composed('GET /2/dm_events', 'GET /2/dm_conversations/with/:participant/dm_events', 'GET /2/users', BY_NAME),
    detail: 'Of the last thirty days, without encrypted ones. X does not say what is unread.',
  },
  getConversation: {
    ...native('GET /2/dm_conversations/:id/dm_events', 'GET /2/dm_conversations/with/:participant/dm_events', 'GET /2/users', BY_NAME),
    detail: 'Of the last thirty days, without encrypted messages.',
  },
  sendMessage: {
    ...native(ME, BY_NAME, 'POST /2/dm_conversations/with/:participant/messages', 'POST /2/dm_conversations/:id/messages', ...UPLOADS),
    parameters: {
      quotePost: { support: 'composed', detail: 'Its address stands at the end of the text.' },
      replyToMessage: unsupported('NO_ENDPOINT', 'X lets programs answer no single message.'),
      audioOnly: unsupported('NO_ENDPOINT', 'X takes no sound without pictures.'),
    },
  },
  sendMessageReaction: noEndpoint('X lets programs react to no message.'),

  getCommunity: native('GET /2/communities/:id'),
  getCommunityPosts: noEndpoint('X lists the posts of communities on its pages only.'),
  getCommunityMembers: noEndpoint('X tells how many members a community has, and not who.'),

  getLists: native(ME, 'GET /2/users/:id/owned_lists'),
  createList: native(ME, 'POST /2/lists'),
  deleteList: native('DELETE /2/lists/:id'),
  getList: native('GET /2/lists/:id'),
  getListPosts: native('GET /2/lists/:id/tweets'),
  getListMember: native('GET /2/lists/:id/members'),
  addListMember: native(BY_NAME, 'POST /2/lists/:id/members', 'GET /2/lists/:id'),
  removeListMember: native(BY_NAME, 'DELETE /2/lists/:id/members/:user', 'GET /2/lists/:id'),

  getTopic: { ...composed(RECENT), detail: 'X lists no topics: what it said of posts that were read is remembered.' },
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
