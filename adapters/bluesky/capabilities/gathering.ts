import type { Capability } from '#src/operation/capability.ts';
import type * as communities from '#src/social/communities.ts';
import type * as lists from '#src/social/lists.ts';
import type * as topics from '#src/social/topics.ts';

type Name = Exclude<keyof typeof communities | keyof typeof lists | keyof typeof topics, `iter${string}`>;

const list = 'GET /app.bsky.graph.getList';
const items = 'GET /com.atproto.repo.listRecords';
const noCommunities: Capability = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'There are no communities.',
  alternatives: ['getTopicPosts', 'getListPosts'],
};

/** What Bluesky makes of communities, lists and topics. */
export const gathering: Readonly<Record<Name, Capability>> = {
  getCommunity: noCommunities,
  getCommunityPosts: noCommunities,
  getCommunityMembers: noCommunities,
  getLists: { support: 'native', endpoints: ['GET /app.bsky.graph.getLists'] },
  createList: {
    support: 'native',
    endpoints: ['POST /com.atproto.repo.putRecord', 'GET /com.atproto.repo.getRecord'],
    parameters: { isPrivate: { support: 'unsupported', reason: 'NO_FEATURE', detail: 'Everybody sees a list and who is on it.' } },
  },
  deleteList: {
    support: 'composed',
    endpoints: [items, 'POST /com.atproto.repo.applyWrites', 'POST /com.atproto.repo.deleteRecord'],
  },
  getList: { support: 'native', endpoints: [list] },
  getListPosts: { support: 'native', endpoints: ['GET /app.bsky.feed.getListFeed'] },
  getListMember: { support: 'native', endpoints: [list] },
  addListMember: { support: 'native', endpoints: [list, items, 'POST /com.atproto.repo.putRecord', 'GET /com.atproto.repo.getRecord'] },
  removeListMember: { support: 'composed', endpoints: [list, items, 'POST /com.atproto.repo.deleteRecord'] },
  getTopic: {
    support: 'composed',
    endpoints: ['GET /app.bsky.feed.getFeedGenerator', 'GET /app.bsky.feed.searchPosts'],
    detail: 'A topic is a feed, by its address, or a hashtag.',
  },
  getTopicPosts: {
    support: 'composed',
    endpoints: ['GET /app.bsky.feed.getFeed', 'GET /app.bsky.feed.searchPosts'],
    detail: 'A topic is a feed, by its address, or a hashtag.',
  },
};
