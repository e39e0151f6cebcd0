import type { StreamingPlatform } from '#src/streaming/bot.ts';

const looked = 'Twitch cannot be asked for tags: up to 1000 streams are looked through for a page.';

/** What Twitch makes of each operation. */
export const capabilities: StreamingPlatform['capabilities'] = {
  getUser: { support: 'native', detail: 'Without the number of followers: only the channel itself may read it.' },
  getTopStreams: { support: 'native', parameters: { tags: { support: 'composed', detail: looked } } },
  getGameStreams: {
    support: 'native',
    parameters: {
      tags: { support: 'composed', detail: looked },
      sort: {
        support: 'composed',
        detail: 'VIEWER_COUNT is native. For the others up to 1000 streams of the game are read, which make one page.',
      },
    },
  },
  getTopGames: {
    support: 'native',
    detail: 'Without viewers and channels, unless tags are given.',
    parameters: { tags: { support: 'composed', detail: 'Counted from the top 1000 streams, as one page.' } },
  },
  getStreams: {
    support: 'native',
    parameters: { users: { support: 'native', detail: '100 channels a request, requests side by side; all of them make one page.' } },
  },
};
