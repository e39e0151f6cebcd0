import { composed, native, unsupported } from '#src/clients/operation/capability-table.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import { ANSWER_LIMIT } from './text/limit.ts';
import { noAssistant } from '#src/clients/social/fallbacks/assistant.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';

const LOOKUP = ['GET /api/v1/accounts/lookup', 'GET /api/v1/accounts/:id', 'GET /api/v1/accounts/search', 'GET /api/v2/search'] as const;
const RELATIONS = 'GET /api/v1/accounts/relationships';
const ME = 'GET /api/v1/accounts/verify_credentials';
const MEMBERS = ['GET /api/v1/lists/:id/accounts', 'GET /api/v1/accounts/:id/lists', 'GET /api/v1/lists/:id', ...LOOKUP, ME] as const;
const ADDRESS = ['GET /api/v1/statuses/:id', 'GET /api/v2/search'] as const;
const SERVER = ['GET /api/v2/instance', 'GET /api/v1/instance'] as const;
const UPLOAD = ['POST /api/v2/media', 'POST /api/v1/media', 'GET /api/v1/media/:id', 'PUT /api/v1/media/:id'] as const;

/** The capability of operations for communities. */
const noCommunities = unsupported('NO_FEATURE', 'Mastodon has no communities.', ['getTopicPosts', 'getListPosts']);

/** Timelines, notifications and search. */
const timelineCapabilities = {
  search: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'Some servers search the text of posts; all servers find hashtags and people.',
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
            detail: 'The trending posts, if the server has them.',
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
    detail: 'Only on servers with trends.',
    endpoints: ['GET /api/v1/trends/tags'],
  },
} satisfies Partial<SocialPlatform['capabilities']>;

/** Messages, lists and topics. */
const listCapabilities = {
  getInbox: native('GET /api/v1/conversations', ...LOOKUP),
  getConversation: {
    ...composed('GET /api/v1/conversations', 'GET /api/v1/statuses/:id/context', ...LOOKUP),
    detail: 'Searched in the latest 400 conversations, and read thread by thread.',
  },
  sendMessage: {
    ...composed('POST /api/v1/statuses', 'GET /api/v1/conversations', ...LOOKUP, ME, ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'A post for the mentioned users only. Operators of the servers can also read it.',
    parameters: {
      audioOnly: { support: 'composed', detail: 'The file must be a sound.' },
      quotePost: { support: 'composed', detail: 'As its address below the text.' },
      inGroup: { support: 'composed', detail: 'The id of a group conversation, from the inbox.' },
    },
  },
  sendMessageReaction: unsupported('NO_FEATURE', 'Mastodon has no reactions to messages.', ['likePost']),

  getCommunity: noCommunities,
  getCommunityPosts: noCommunities,
  getCommunityMembers: noCommunities,

  getLists: { ...native('GET /api/v1/lists', ME), detail: 'One page with all lists.' },
  createList: {
    ...native('POST /api/v1/lists', ME),
    detail: 'A list is always private.',
    parameters: {
      description: unsupported('NO_FEATURE', 'A list has only a name.'),
    },
  },
  deleteList: native('DELETE /api/v1/lists/:id'),
  getList: native('GET /api/v1/lists/:id', ME),
  getListPosts: native('GET /api/v1/timelines/list/:id'),
  getListMember: native('GET /api/v1/lists/:id/accounts', ME, RELATIONS),
  addListMember: {
    ...native('POST /api/v1/lists/:id/accounts', ...MEMBERS),
    detail: 'Only followed users.',
  },
  removeListMember: native('DELETE /api/v1/lists/:id/accounts', ...MEMBERS),

  getTopic: { ...composed('GET /api/v1/tags/:name'), detail: 'A hashtag.' },
  getTopicPosts: { ...composed('GET /api/v1/timelines/tag/:tag'), detail: 'The posts with a hashtag.' },
} satisfies Partial<SocialPlatform['capabilities']>;

const noSubscribers = unsupported('NO_FEATURE', 'Mastodon has no paid follows.', ['getUserFollowers']);

/** Users and follows. */
const userCapabilities = {
  getUserInfo: native(ME, ...LOOKUP, 'GET /api/v1/accounts', RELATIONS, ...SERVER),
  getUserId: {
    ...native(...LOOKUP),
    detail: 'An id is valid only on its server.',
  },
  getPosts: native('GET /api/v1/accounts/:id/statuses', ...LOOKUP, ME, RELATIONS),
  getUserMedia: native('GET /api/v1/accounts/:id/statuses', ...LOOKUP, ME, RELATIONS),
  getUserHighlights: { ...composed('GET /api/v1/accounts/:id/statuses', ...LOOKUP, ME, RELATIONS), detail: 'The pinned posts.' },
  getUserFollowers: {
    ...native('GET /api/v1/accounts/:id/followers', ...LOOKUP, ME, RELATIONS),
    detail: 'Of other servers, only users that this server knows; empty if the user hides the list.',
  },
  getUserFollowings: {
    ...native('GET /api/v1/accounts/:id/following', ...LOOKUP, ME, RELATIONS),
    detail: 'Of other servers, only users that this server knows; empty if the user hides the list.',
  },
  getUserSubscribers: noSubscribers,
  getMutualFollowers: {
    ...native('GET /api/v1/accounts/familiar_followers', ...LOOKUP, ME, RELATIONS),
    detail: 'One page with all of them. From Mastodon 3.5 on.',
  },
  getBlockedUsers: native('GET /api/v1/blocks', ME, RELATIONS),
  getSuggestedUsers: native('GET /api/v2/suggestions', 'GET /api/v1/suggestions', ME, RELATIONS),

  followUser: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ME, ...LOOKUP),
    detail: 'If the user approves followers, the follow is pending until then.',
  },
  unfollowUser: native('POST /api/v1/accounts/:id/unfollow', ...LOOKUP),
  blockUser: native('POST /api/v1/accounts/:id/block', RELATIONS, ME, ...LOOKUP),
  unblockUser: native('POST /api/v1/accounts/:id/unblock', ...LOOKUP),
  enableUserNotification: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOKUP),
    detail: 'Only for followed users.',
  },
  disableUserNotification: native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOKUP),
} satisfies Partial<SocialPlatform['capabilities']>;

const noPlace = unsupported('NO_FEATURE', 'Mastodon posts have no place.');

/** The capability of a write to a post. */
function onPost(endpoint: string): Capability {
  return native(endpoint, ...ADDRESS);
}

const drafted: Capability['parameters'] = {
  filter: unsupported('NO_FEATURE', 'Everyone who sees a post can reply.', ['createPost without filter']),
  quote: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'From Mastodon 4.5 on. If the author must approve it, the quote is pending.',
    alternatives: ['put the address of the post into the text'],
  },
  quotable: { support: 'native', detail: 'From Mastodon 4.5 on. Earlier versions have no quotes, so the post is sent without it.' },
  files: { support: 'native', detail: 'The server limits the number, the size and the types; most servers allow four files.' },
  poll: { support: 'native', detail: 'The server limits the duration and the number of options. Not with files.', excludes: ['files'] },
  'poll.options': {
    support: 'native',
    detail: 'The server limits the length; most servers allow 50 characters.',
    limit: ANSWER_LIMIT,
  },
  language: { support: 'native', detail: 'A code of ISO 639-1, for example `de`; some servers also know variants, for example `pt-BR`.' },
  warning: { support: 'native', detail: 'Readers open the post. It counts towards the length.' },
  sensitive: { support: 'native', detail: 'A warning always covers the files.' },
  replyTo: { support: 'native', keepsAudience: true },
  visibility: { support: 'native' },
  batchCompose: { support: 'composed', detail: 'Each post of the thread is a reply to the previous post.' },
  place: noPlace,
  community: noCommunities,
  postOnTimeline: noCommunities,
};

/** Posts, reactions and responses. */
const postCapabilities = {
  createPost: { ...native('POST /api/v1/statuses', ME, ...ADDRESS, ...UPLOAD, ...SERVER), parameters: drafted },
  editPost: {
    ...native('PUT /api/v1/statuses/:id', ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'From Mastodon 3.5 on. Not once the poll of the post is closed or ends within five minutes.',
  },
  deletePost: native('DELETE /api/v1/statuses/:id', ME, ...ADDRESS),
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
    detail: 'One page with all threads.',
    parameters: {
      getHidden: unsupported('NO_FEATURE', 'Mastodon has no hidden replies.'),
    },
  },

  likePost: onPost('POST /api/v1/statuses/:id/favourite'),
  unlikePost: onPost('POST /api/v1/statuses/:id/unfavourite'),
  repostPost: onPost('POST /api/v1/statuses/:id/reblog'),
  deleteRepost: onPost('POST /api/v1/statuses/:id/unreblog'),
  pinPost: { ...onPost('POST /api/v1/statuses/:id/pin'), detail: 'Most servers allow five pinned posts.' },
  unpinPost: onPost('POST /api/v1/statuses/:id/unpin'),
  bookmarkPost: onPost('POST /api/v1/statuses/:id/bookmark'),
  unbookmarkPost: onPost('POST /api/v1/statuses/:id/unbookmark'),
  votePoll: onPost('POST /api/v1/polls/:id/votes'),

  getPostAnalytics: { ...composed(...ADDRESS, ME), detail: 'Only the public numbers: likes, reposts, replies and quotes.' },
  translatePost: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'Only public posts, and only on servers with a translation service.',
    endpoints: ['POST /api/v1/statuses/:id/translate', 'GET /api/v1/instance/translation_languages', ...SERVER, ...ADDRESS],
  },
  postEditHistory: native('GET /api/v1/statuses/:id/history', ...ADDRESS),

  createScheduledPost: {
    ...native('POST /api/v1/statuses', ...ADDRESS, ...UPLOAD, ...SERVER),
    detail: 'At least five minutes ahead. The server stores it.',
    parameters: drafted,
  },
  getScheduledPosts: { ...native('GET /api/v1/scheduled_statuses'), detail: 'One page with all of them.' },
  deleteScheduledPost: native('DELETE /api/v1/scheduled_statuses/:id'),
} satisfies Partial<SocialPlatform['capabilities']>;

/** The support of each operation on servers with Mastodon's client API. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...noAssistant,
  ...userCapabilities,
  ...timelineCapabilities,
  ...postCapabilities,
  ...listCapabilities,
};
