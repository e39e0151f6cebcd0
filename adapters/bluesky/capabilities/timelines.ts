import type { Capability } from '#src/operation/capability.ts';
import type * as messages from '#src/social/messages.ts';
import type * as search from '#src/social/search.ts';
import type * as timelinesTopic from '#src/social/timelines.ts';
import { noListSearch } from './refusals.ts';

type Name = Exclude<keyof typeof search | keyof typeof timelinesTopic | keyof typeof messages, `iter${string}`>;

const privileged = 'The app password must be one that allows direct messages.';
const talk = ['GET /chat.bsky.convo.getConvo', 'GET /chat.bsky.convo.getConvoForMembers'] as const;

/** What Bluesky makes of searches, timelines and messages. */
export const timelines: Readonly<Record<Name, Capability>> = {
  search: {
    support: 'native',
    endpoints: ['GET /app.bsky.feed.searchPosts', 'GET /app.bsky.actor.searchActors', 'GET /app.bsky.actor.getProfiles'],
    parameters: {
      filter: {
        support: 'native',
        values: {
          Media: { support: 'composed', detail: 'The latest posts are looked through, in up to 10 requests a page.' },
          Lists: { support: 'unsupported', ...noListSearch },
        },
      },
    },
  },
  searchGifs: {
    support: 'unsupported',
    reason: 'PROVIDER_MISSING',
    detail: 'Give SocialAsync `gifs`, a provider of GIFs.',
  },
  getTrends: {
    support: 'native',
    endpoints: ['GET /app.bsky.unspecced.getTrends'],
    detail: 'Bluesky keeps the right to change it at any time.',
  },
  getHomeTimeline: {
    support: 'native',
    endpoints: ['GET /app.bsky.feed.getFeed', 'GET /app.bsky.feed.getTimeline'],
    parameters: { timelineType: { support: 'native', detail: 'HomeTimeline is the feed Discover.' } },
  },
  getMentions: { support: 'composed', endpoints: ['GET /app.bsky.notification.listNotifications', 'GET /app.bsky.feed.getPosts'] },
  getBookmarks: { support: 'native', endpoints: ['GET /app.bsky.bookmark.getBookmarks'] },
  getPostNotifications: {
    support: 'composed',
    endpoints: ['GET /app.bsky.notification.listNotifications', 'GET /app.bsky.feed.getPosts'],
  },
  getInbox: {
    support: 'native',
    endpoints: ['GET /chat.bsky.convo.listConvos', 'GET /chat.bsky.convo.getConvoForMembers'],
    detail: privileged,
  },
  getConversation: {
    support: 'native',
    endpoints: [...talk, 'GET /chat.bsky.convo.getMessages'],
    detail: `${privileged} The latest 1000 messages.`,
  },
  sendMessage: {
    support: 'native',
    endpoints: [...talk, 'POST /chat.bsky.convo.sendMessage'],
    detail: privileged,
    parameters: {
      file: { support: 'unsupported', reason: 'NO_FEATURE', detail: 'Messages carry no files.', alternatives: ['quotePost'] },
      audioOnly: { support: 'unsupported', reason: 'NO_FEATURE', detail: 'Messages carry no files.' },
    },
  },
  sendMessageReaction: {
    support: 'native',
    endpoints: [...talk, 'POST /chat.bsky.convo.addReaction', 'POST /chat.bsky.convo.removeReaction'],
    detail: `${privileged} Bluesky keeps several; those of before are taken back.`,
  },
};
