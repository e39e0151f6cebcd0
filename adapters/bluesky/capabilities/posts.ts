import type { Capability } from '#src/operation/capability.ts';
import { noSchedule } from '#src/social/own/schedule.ts';
import type * as insight from '#src/social/insight.ts';
import type * as postsTopic from '#src/social/posts.ts';
import type * as reactions from '#src/social/reactions.ts';
import type * as responses from '#src/social/responses.ts';
import type * as schedule from '#src/social/schedule.ts';
import { noSuchAudience } from './refusals.ts';

type Topics = typeof postsTopic & typeof responses & typeof reactions & typeof insight & typeof schedule;
type Name = Exclude<keyof Topics, `iter${string}`>;

const look = ['GET /app.bsky.feed.getPosts', 'GET /com.atproto.repo.getRecord'] as const;
const add = [...look, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.putRecord'] as const;
const takeBack = [...look, 'GET /com.atproto.repo.listRecords', 'POST /com.atproto.repo.deleteRecord'] as const;
const blobs = [
  'POST /com.atproto.repo.uploadBlob',
  'GET /com.atproto.server.getServiceAuth',
  'GET /app.bsky.video.getUploadLimits',
  'POST /app.bsky.video.uploadVideo',
  'GET /app.bsky.video.getJobStatus',
] as const;

const onlyPublic = 'Only what everybody sees: likes, reposts, replies, quotes.';
const noPlaces = { support: 'unsupported', reason: 'NO_FEATURE', detail: 'Posts have no place.' } as const;
const noPolls = { support: 'unsupported', reason: 'NO_FEATURE', detail: 'There are no polls.' } as const;
const onlyPublicPosts = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'Everybody sees every post.',
  alternatives: ['filter: who may answer', 'sendMessage'],
} as const;
const noCommunities = { support: 'unsupported', reason: 'NO_FEATURE', detail: 'There are no communities.' } as const;

/** What Bluesky makes of posts. */
export const posts: Readonly<Record<Name, Capability>> = {
  createPost: {
    support: 'native',
    endpoints: [
      ...look,
      ...blobs,
      'GET /com.atproto.identity.resolveHandle',
      'POST /com.atproto.repo.putRecord',
      'POST /com.atproto.repo.applyWrites',
    ],
    detail:
      'Up to 300 characters and 3000 bytes. The first link has a card of its page, where that can be read and there are neither files nor a quote. ' +
      'A record under a key of its own: repeated, it stays one post.',
    parameters: {
      files: { support: 'native', detail: 'Up to 4 pictures, or one video. Moving pictures are shown still.' },
      filter: {
        support: 'native',
        detail: 'For who begins a thread, not for answers.',
        values: {
          Subscribers: { support: 'unsupported', ...noSuchAudience },
          Verified: { support: 'unsupported', ...noSuchAudience },
        },
      },
      quote: { support: 'native', detail: 'Refused where its author does not allow it.' },
      language: { support: 'native' },
      visibility: { support: 'native', values: { unlisted: onlyPublicPosts, private: onlyPublicPosts, direct: onlyPublicPosts } },
      poll: noPolls,
      place: noPlaces,
      community: noCommunities,
      postOnTimeline: noCommunities,
    },
  },
  editPost: {
    support: 'unsupported',
    reason: 'NO_FEATURE',
    detail: 'Posts cannot be edited.',
    alternatives: ['deletePost and createPost'],
  },
  deletePost: { support: 'native', endpoints: ['POST /com.atproto.repo.deleteRecord'] },
  postDetail: { support: 'native', endpoints: look },
  uploadMedia: { support: 'native', endpoints: blobs, detail: 'What no post takes within the hour is deleted.' },
  getPostLikes: { support: 'native', endpoints: ['GET /app.bsky.feed.getLikes'] },
  getPostReposts: { support: 'native', endpoints: ['GET /app.bsky.feed.getRepostedBy'] },
  getPostQuotes: { support: 'native', endpoints: ['GET /app.bsky.feed.getQuotes'] },
  getPostComments: { support: 'native', endpoints: ['GET /app.bsky.feed.getPostThread'], detail: 'All in one page, as Bluesky answers.' },
  likePost: { support: 'native', endpoints: add },
  unlikePost: { support: 'native', endpoints: takeBack },
  repostPost: { support: 'native', endpoints: add },
  deleteRepost: { support: 'native', endpoints: takeBack },
  pinPost: {
    support: 'composed',
    endpoints: [...look, 'POST /com.atproto.repo.putRecord'],
    detail: 'There is one pinned post: it takes the place of the one before.',
  },
  unpinPost: { support: 'composed', endpoints: ['GET /com.atproto.repo.getRecord', 'POST /com.atproto.repo.putRecord'] },
  bookmarkPost: { support: 'native', endpoints: [...look, 'POST /app.bsky.bookmark.createBookmark'] },
  unbookmarkPost: { support: 'native', endpoints: ['POST /app.bsky.bookmark.deleteBookmark'] },
  votePoll: noPolls,
  getPostAnalytics: { support: 'composed', endpoints: ['GET /app.bsky.feed.getPosts'], detail: onlyPublic },
  translatePost: {
    support: 'unsupported',
    reason: 'PROVIDER_MISSING',
    detail: 'Give SocialAsync a `translator`, or an `assistant`, who translates, too.',
  },
  postEditHistory: {
    support: 'composed',
    endpoints: ['GET /app.bsky.feed.getPosts'],
    detail: 'Always one version: posts cannot be edited.',
  },
  ...noSchedule,
};
