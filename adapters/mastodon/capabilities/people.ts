import type { SocialPlatform } from '#src/social/social.ts';
import { LOOK_UP, ME, native, RELATIONS, SERVER } from './endpoints.ts';

const noSubscribers = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'Nobody pays to follow somebody here.',
  alternatives: ['getUserFollowers'],
} as const;

/** Who there is, and who is with whom. */
export const people = {
  getUserInfo: native(ME, ...LOOK_UP, 'GET /api/v1/accounts', RELATIONS, ...SERVER),
  getUserId: {
    ...native(...LOOK_UP),
    detail: 'An id is good on its own server only.',
  },
  getPosts: native('GET /api/v1/accounts/:id/statuses', ...LOOK_UP),
  getUserMedia: native('GET /api/v1/accounts/:id/statuses', ...LOOK_UP),
  getUserHighlights: { support: 'composed', detail: 'What they pinned.', endpoints: ['GET /api/v1/accounts/:id/statuses', ...LOOK_UP] },
  getUserFollowers: {
    ...native('GET /api/v1/accounts/:id/followers', ...LOOK_UP, ME, RELATIONS),
    detail: 'Of people of other servers only those whom this server knows; nobody where somebody hides them.',
  },
  getUserFollowings: {
    ...native('GET /api/v1/accounts/:id/following', ...LOOK_UP, ME, RELATIONS),
    detail: 'Of people of other servers only those whom this server knows; nobody where somebody hides them.',
  },
  getUserSubscribers: noSubscribers,
  getMutualFollowers: {
    ...native('GET /api/v1/accounts/familiar_followers', ...LOOK_UP, ME, RELATIONS),
    detail: 'All of them are one page. From Mastodon 3.5 on.',
  },
  getBlockedUsers: native('GET /api/v1/blocks', ME, RELATIONS),
  getSuggestedUsers: native('GET /api/v2/suggestions', 'GET /api/v1/suggestions', ME, RELATIONS),

  followUser: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOK_UP),
    detail: 'Who wants to be asked first is asked; until then they are not followed.',
  },
  unfollowUser: native('POST /api/v1/accounts/:id/unfollow', ...LOOK_UP),
  blockUser: native('POST /api/v1/accounts/:id/block', RELATIONS, ...LOOK_UP),
  unblockUser: native('POST /api/v1/accounts/:id/unblock', ...LOOK_UP),
  enableUserNotification: {
    ...native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOK_UP),
    detail: 'Only of somebody whom one follows.',
  },
  disableUserNotification: native('POST /api/v1/accounts/:id/follow', RELATIONS, ...LOOK_UP),
} satisfies Partial<SocialPlatform['capabilities']>;
