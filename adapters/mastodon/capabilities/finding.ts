import type { SocialPlatform } from '#src/social/social.ts';
import { ME, native, RELATIONS, SERVER } from './endpoints.ts';

/** What comes by itself, and what is looked for. */
export const finding = {
  search: {
    support: 'gated',
    reason: 'SERVER_DISABLED',
    detail: 'The text of posts is searched where the server has a search for it; hashtags and people are found everywhere.',
    endpoints: ['GET /api/v2/search', 'GET /api/v1/timelines/tag/:tag', ME, RELATIONS, ...SERVER],
    parameters: {
      filter: {
        support: 'native',
        values: {
          Lists: {
            support: 'unsupported',
            reason: 'NO_FEATURE',
            detail: 'Lists are private.',
            alternatives: ['getLists'],
          },
        },
      },
    },
  },
  searchGifs: {
    support: 'unsupported',
    reason: 'PROVIDER_MISSING',
    detail: 'Give SocialAsync `gifs`, a provider of GIFs.',
  },

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
