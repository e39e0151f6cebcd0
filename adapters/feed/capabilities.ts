import type { FeedPlatform } from '#src/clients/feed/feed.ts';

/** The support of each operation. */
export const capabilities: FeedPlatform['capabilities'] = {
  getItems: {
    support: 'native',
    detail:
      'One conditional request per feed, at most 4 MB. Addresses in private networks are refused, unless FANFARE_FEED_ORIGINS has their origin.',
    endpoints: ['GET the address of the feed'],
  },
};
