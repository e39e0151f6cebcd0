import type { Capability } from '#src/operation/capability.ts';
import { ANSWER_LIMITS } from '#src/operation/text/limit.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { ADDRESS, ME, native, noCommunities, RELATIONS, SERVER, UPLOAD } from './endpoints.ts';

const noPlace = { support: 'unsupported', reason: 'NO_FEATURE', detail: 'A post has no place.' } as const;

/** Done to a post. */
function onPost(endpoint: string): Capability {
  return native(endpoint, ...ADDRESS);
}

const drafted: Capability['parameters'] = {
  filter: {
    support: 'unsupported',
    reason: 'NO_FEATURE',
    detail: 'Whoever sees a post may answer it.',
    alternatives: ['createPost without filter'],
  },
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

/** What is written, and what comes of it. */
export const posts = {
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
      getHidden: {
        support: 'unsupported',
        reason: 'NO_FEATURE',
        detail: 'Nobody hides answers to their posts here.',
      },
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

  getPostAnalytics: {
    support: 'composed',
    detail: 'What everybody sees: likes, reposts, answers and quotes.',
    endpoints: [...ADDRESS, ME],
  },
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
