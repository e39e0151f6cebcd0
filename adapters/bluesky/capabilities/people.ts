import type { Capability } from '#src/operation/capability.ts';
import type * as follows from '#src/social/follows.ts';
import type * as users from '#src/social/users.ts';

type Name = Exclude<keyof typeof users | keyof typeof follows, `iter${string}`>;

const resolve = 'GET /com.atproto.identity.resolveHandle';
const profile = 'GET /app.bsky.actor.getProfile';

/** What Bluesky makes of people. */
export const people: Readonly<Record<Name, Capability>> = {
  getUserInfo: { support: 'native', endpoints: [profile, 'GET /app.bsky.actor.getProfiles'] },
  getUserId: { support: 'native', endpoints: [resolve], detail: 'The id is the DID, which stays when the handle changes.' },
  getPosts: { support: 'native', endpoints: ['GET /app.bsky.feed.getAuthorFeed'] },
  getUserMedia: { support: 'native', endpoints: ['GET /app.bsky.feed.getAuthorFeed'] },
  getUserHighlights: {
    support: 'composed',
    endpoints: ['GET /app.bsky.feed.getAuthorFeed'],
    detail: 'The pinned post, if there is one: there are no highlights.',
  },
  getUserFollowers: {
    support: 'native',
    endpoints: ['GET /app.bsky.graph.getFollowers'],
    detail: 'Without their numbers of followers and posts.',
  },
  getUserFollowings: {
    support: 'native',
    endpoints: ['GET /app.bsky.graph.getFollows'],
    detail: 'Without their numbers of followers and posts.',
  },
  getUserSubscribers: {
    support: 'unsupported',
    reason: 'NO_FEATURE',
    detail: 'Nobody pays to follow.',
    alternatives: ['getUserFollowers'],
  },
  getMutualFollowers: { support: 'native', endpoints: ['GET /app.bsky.graph.getKnownFollowers'] },
  getBlockedUsers: { support: 'native', endpoints: ['GET /app.bsky.graph.getBlocks'] },
  getSuggestedUsers: { support: 'native', endpoints: ['GET /app.bsky.actor.getSuggestions'] },
  followUser: {
    support: 'native',
    endpoints: [profile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord', 'GET /com.atproto.repo.getRecord'],
  },
  unfollowUser: {
    support: 'native',
    endpoints: [profile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'],
  },
  blockUser: {
    support: 'native',
    endpoints: [profile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord', 'GET /com.atproto.repo.getRecord'],
    detail: 'Anybody can see who blocks whom.',
  },
  unblockUser: {
    support: 'native',
    endpoints: [profile, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'],
  },
  enableUserNotification: {
    support: 'native',
    endpoints: [profile, 'POST /app.bsky.notification.putActivitySubscription'],
    detail: 'One has to follow them first, and they may allow it to nobody.',
  },
  disableUserNotification: {
    support: 'native',
    endpoints: [resolve, 'POST /app.bsky.notification.putActivitySubscription'],
  },
};
