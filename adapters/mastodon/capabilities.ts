import { composed, native, unsupported } from '#src/operation/capability-table.ts';
import type { Capability } from '#src/operation/capability.ts';
import { ANSWER_LIMITS } from '#src/operation/text/limit.ts';
import { noAssistant } from '#src/social/fallbacks/assistant.ts';
import type { SocialPlatform } from '#src/social/social.ts';

const LOOKUP = ['GET /api/v1/accounts/lookup', 'GET /api/v1/accounts/:id', 'GET /api/v1/accounts/search', 'GET /api/v2/search'] as const;
const RELATIONS = 'GET /api/v1/accounts/relationships';
const ME = 'GET /api/v1/accounts/verify_credentials';
const ADDRESS = ['GET /api/v1/statuses/:id', 'GET /api/v2/search'] as const;
const SERVER = ['GET /api/v2/instance', 'GET /api/v1/instance'] as const;
const UPLOAD = ['POST /api/v2/media', 'POST /api/v1/media', 'GET /api/v1/media/:id', 'PUT /api/v1/media/:id'] as const;

/** Why there is nothing of a community. */
const noCommunities = unsupported('NO_FEATURE', 'There are no communities.', ['getTopicPosts', 'getListPosts']);

/** Timelines, notifications and search. */
const timelineCapabilities = {
  search: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'The text of posts is searched where the server has a search for it; hashtags and people are found everywhere.',
    endpoints: ['GET /api/v2/search', 'GET /api/v1/timelines/tag/:tag', ME, RELATIONS, ...SERVER],
    parameters: {
      filter: {
        support: 'native',
        values: {
          Lists: unsupported('NO_FEATURE', 'Lists are private.', ['getLists']),
        },
      },
    },
  },
  searchGifs: unsupported('PROVIDER_MISSING', 'Give SocialAsync `gifs`, a provider of GIFs.'),

  getHomeTimeline: {
    ...native('GET /api/v1/timelines/home', 'GET /api/v1/trends/statuses'),
    parameters: {
      timelineType: {
        support: 'native',
        values: {
          HomeTimeline: {
            support: 'gated',
            reason: 'SERVER_DISABLED',
            detail: 'What is talked about on the server, where it tells that.',
            alternatives: ['HomeLatestTimeline'],
          },
        },
      },
    },
  },
  getMentions: native('GET /api/v1/notifications'),
  getPostNotifications: native('GET /api/v1/notifications'),
  getBookmarks: native('GET /api/v1/bookmarks'),
  getTrends: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'Where the server tells what is talked about.',
    endpoints: ['GET /api/v1/trends/tags'],
  },
} satisfies Partial<SocialPlatform['capabilities']>;

/** Messages, lists and topics. */
const listCapabilities = {
  getInbox: native('GET /api/v1/conversations', ...LOOKUP),
  getConversation: {
    ...composed('GET /api/v1/conversations', 'GET /api/v1/statuses/:id/context', ...LOOKUP),
    detail: 'Looked for in the latest 400 conversations, and read thread by thread.',
  },
  sendMessage: {
    ...composed('POST /api/v1/statuses', 'GET /api/v1/conversations', ...LOOKUP, ME, ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'A post that only the people see whom it names; whoever runs the servers can read it, too.',
    parameters: {
      audioOnly: { support: 'composed', detail: 'The file has to be a sound already.' },
      quotePost: { support: 'composed', detail: 'Its address is put below the text.' },
      inGroup: { support: 'composed', detail: 'The id of a conversation of several, as the inbox has it.' },
    },
  },
  sendMessageReaction: unsupported('NO_FEATURE', 'Nobody reacts to messages with emojis here.', ['likePost']),

  getCommunity: noCommunities,
  getCommunityPosts: noCommunities,
  getCommunityMembers: noCommunities,

  getLists: { ...native('GET /api/v1/lists', ME), detail: 'All of them are one page.' },
  createList: {
    ...native('POST /api/v1/lists', ME),
    detail: 'A list is always private.',
    parameters: {
      description: unsupported('NO_FEATURE', 'A list has a name only.'),
    },
  },
  deleteList: native('DELETE /api/v1/lists/:id'),
  getList: native('GET /api/v1/lists/:id', ME),
  getListPosts: native('GET /api/v1/timelines/list/:id'),
  getListMember: native('GET /api/v1/lists/:id/accounts', ME, RELATIONS),
  addListMember: {
    ...native('POST /api/v1/lists/:id/accounts', 'GET /api/v1/accounts/:id/lists', 'GET /api/v1/lists/:id', ...LOOKUP, ME),
    detail: 'Only somebody whom one follows.',
  },
  removeListMember: native('DELETE /api/v1/lists/:id/accounts', 'GET /api/v1/accounts/:id/lists', 'GET /api/v1/lists/:id', ...LOOKUP, ME),

  getTopic: { ...composed('GET /api/v1/tags/:name'), detail: 'A hashtag.' },
  getTopicPosts: { ...composed('GET /api/v1/timelines/tag/:tag'), detail: 'The posts with a hashtag.' },
} satisfies Partial<SocialPlatform['capabilities']>;

const noSubscribers = unsupported('NO_FEATURE', 'Nobody pays to follow somebody here.', ['getUserFollowers']);

/** Users and follows. */
const userCapabilities = {
  getUserInfo: native(ME, ...LOOKUP, 'GET /api/v1/accounts', RELATIONS, ...SERVER),
  getUserId: {
    ...native(...LOOKUP),
    detail: 'An id is good on its own server only.',
  },
  getPosts: native('GET /api/v1/accounts/:id/statuses', ...LOOKUP),
  getUserMedia: native('GET /api/v1/accounts/:id/statuses', ...LOOKUP),
  getUserHighlights: { ...composed('GET /api/v1/accounts/:id/statuses', ...LOOKUP), detail: 'What they pinned.' },
  getUserFollowers: {
    ...native('GET /api/v1/accounts/:id/followers', ...LOOKUP, ME, RELATIONS),
    detail: 'Of people of other servers only those whom this server knows; nobody where somebody hides them.',
  },
  getUserFollowings: {
    ...native('GET /api/v1/accounts/:id/following', ...LOOKUP, ME, RELATIONS),
    detail: 'Of people of other servers only those whom this server knows; nobody where somebody hides them.',
  },
  getUserSubscribers: noSubscribers,
  getMutualFollowers: {
    ...native('GET /api/v1/accounts/familiar_followers', ...LOOKUP, ME, RELATIONS),
    detail: 'All of them are one page. From Mastodon 3.5 on.',
  },
  getBlockedUsers: native('GET /api/v1/blocks', ME, RELATIONS),
  getSuggestedUsers: native('GET /api/v2/suggestions', 'GET /api/v1/suggestions', ME, RELATIONS),

  followUser: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOKUP),
    detail: 'Who wants to be asked first is asked; until then they are not followed.',
  },
  unfollowUser: native('POST /api/v1/accounts/:id/unfollow', ...LOOKUP),
  blockUser: native('POST /api/v1/accounts/:id/block', RELATIONS, ...LOOKUP),
  unblockUser: native('POST /api/v1/accounts/:id/unblock', ...LOOKUP),
  enableUserNotification: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOKUP),
    detail: 'Only of somebody whom one follows.',
  },
  disableUserNotification: native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOKUP),
} satisfies Partial<SocialPlatform['capabilities']>;

const noPlace = unsupported('NO_FEATURE', 'A post has no place.');

/** Done to a post. */
function onPost(endpoint: string): Capability {
  return native(endpoint, ...ADDRESS);
}

const drafted: Capability['parameters'] = {
  filter: unsupported('NO_FEATURE', 'Whoever sees a post may answer it.', ['createPost without filter']),
  quote: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'From Mastodon 4.5 on; where the author has to agree first, the quote is pending.',
    alternatives: ['put the address of the post into the text'],
  },
  files: { support: 'native', detail: 'As many, as large and of the types that the server says: four in most places.' },
  poll: { support: 'native', detail: 'As long and with as many answers as the server says; never with files.', excludes: ['files'] },
  'poll.options': {
    support: 'native',
    detail: 'As long as the server says: 50 characters each in most places.',
    limit: { ...ANSWER_LIMITS.mastodon, varies: true },
  },
  language: { support: 'native', detail: 'A code of ISO 639-1, as `de`; a variant, as `pt-BR`, where the server knows it.' },
  visibility: { support: 'native' },
  batchCompose: { support: 'composed', detail: 'A thread is made of answers to oneself.' },
  place: noPlace,
  community: noCommunities,
  postOnTimeline: noCommunities,
};

/** Posts, reactions and responses. */
const postCapabilities = {
  createPost: { ...native('POST /api/v1/statuses', ...ADDRESS, ...UPLOAD, ...SERVER), parameters: drafted },
  editPost: {
    ...native('PUT /api/v1/statuses/:id', ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'From Mastodon 3.5 on. A poll that is over is open again for five minutes.',
  },
  deletePost: native('DELETE /api/v1/statuses/:id', ...ADDRESS),
  postDetail: native(...ADDRESS),
  uploadMedia: native(...UPLOAD, ...SERVER),

  getPostLikes: native('GET /api/v1/statuses/:id/favourited_by', ...ADDRESS, ME, RELATIONS),
  getPostReposts: native('GET /api/v1/statuses/:id/reblogged_by', ...ADDRESS, ME, RELATIONS),
  getPostQuotes: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'From Mastodon 4.5 on.',
    endpoints: ['GET /api/v1/statuses/:id/quotes', ...SERVER, ...ADDRESS, ME, RELATIONS],
  },
  getPostComments: {
    ...native('GET /api/v1/statuses/:id/context', ...ADDRESS),
    detail: 'All of them are one page.',
    parameters: {
      getHidden: unsupported('NO_FEATURE', 'Nobody hides answers to their posts here.'),
    },
  },

  likePost: onPost('POST /api/v1/statuses/:id/favourite'),
  unlikePost: onPost('POST /api/v1/statuses/:id/unfavourite'),
  repostPost: onPost('POST /api/v1/statuses/:id/reblog'),
  deleteRepost: onPost('POST /api/v1/statuses/:id/unreblog'),
  pinPost: { ...onPost('POST /api/v1/statuses/:id/pin'), detail: 'Five posts in most places.' },
  unpinPost: onPost('POST /api/v1/statuses/:id/unpin'),
  bookmarkPost: onPost('POST /api/v1/statuses/:id/bookmark'),
  unbookmarkPost: onPost('POST /api/v1/statuses/:id/unbookmark'),
  votePoll: onPost('POST /api/v1/polls/:id/votes'),

  getPostAnalytics: { ...composed(...ADDRESS, ME), detail: 'What everybody sees: likes, reposts, answers and quotes.' },
  translatePost: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'Where the server translates, and only what everybody may see.',
    endpoints: ['POST /api/v1/statuses/:id/translate', 'GET /api/v1/instance/translation_languages', ...SERVER, ...ADDRESS],
  },
  postEditHistory: native('GET /api/v1/statuses/:id/history', ...ADDRESS),

  createScheduledPost: {
    ...native('POST /api/v1/statuses', ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'At least five minutes ahead; the server keeps it.',
    parameters: drafted,
  },
  getScheduledPosts: { ...native('GET /api/v1/scheduled_statuses'), detail: 'All of them are one page.' },
  deleteScheduledPost: native('DELETE /api/v1/scheduled_statuses/:id'),
} satisfies Partial<SocialPlatform['capabilities']>;

/** What servers of Mastodon's client API make of each operation. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...noAssistant,
  ...userCapabilities,
  ...timelineCapabilities,
  ...postCapabilities,
  ...listCapabilities,
};
