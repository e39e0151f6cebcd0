import { native } from '#src/operation/capability-table.ts';
import type { StreamingPlatform } from '#src/streaming/bot.ts';

const looked = 'Twitch cannot be asked for tags: up to 1000 streams are looked through for a page.';

const clipSort = {
  support: 'composed',
  detail:
    'TIME is put together from spans of time, each read whole, in up to 10 requests a page. The others are native, and end after about 1000 clips, as Twitch does.',
} as const;

/** The reason why clips cannot be searched. */
export const noClipSearch = {
  reason: 'NO_ENDPOINT',
  detail: 'Twitch does not search clips by text.',
  alternatives: ['getUserClips', 'getGameClips'],
} as const;

/** The support of each operation. */
export const capabilities: StreamingPlatform['capabilities'] = {
  getUser: { ...native('GET /users', 'GET /streams'), detail: 'Without the number of followers: only the channel itself may read it.' },
  getUserVideos: { ...native('GET /users', 'GET /videos'), detail: 'Without the game: Twitch does not tell it of videos.' },
  getUserClips: { ...native('GET /users', 'GET /clips'), parameters: { sort: clipSort } },
  getGameClips: {
    ...native('GET /games', 'GET /search/categories', 'GET /clips'),
    parameters: {
      sort: clipSort,
      languages: { support: 'composed', detail: 'Twitch cannot be asked for them: up to 1000 clips are looked through for a page.' },
    },
  },
  getGameVideos: {
    ...native('GET /games', 'GET /search/categories', 'GET /videos'),
    detail: 'Without the game: Twitch does not tell it of videos. 500 videos a game at the most.',
    parameters: { languages: { support: 'native', detail: 'One language a request; with several, TRENDING is an approximate order.' } },
  },
  search: {
    ...native('GET /search/channels', 'GET /streams', 'GET /users', 'GET /games', 'GET /search/categories', 'GET /videos'),
    parameters: {
      filter: {
        support: 'composed',
        detail: 'SearchChannels finds names that begin with the keyword, SearchStreams such names and games; titles are not looked at.',
        values: {
          SearchGames: { support: 'native' },
          SearchVideos: { support: 'composed', detail: 'The keyword has to be the name of a game: its most viewed videos.' },
          SearchClips: { support: 'unsupported', ...noClipSearch },
        },
      },
    },
  },
  getTopStreams: { ...native('GET /streams'), parameters: { tags: { support: 'composed', detail: looked } } },
  getGameStreams: {
    ...native('GET /games', 'GET /search/categories', 'GET /streams'),
    parameters: {
      tags: { support: 'composed', detail: looked },
      sort: {
        support: 'composed',
        detail: 'VIEWER_COUNT is native. For the others up to 1000 streams of the game are read, which make one page.',
      },
    },
  },
  getTopGames: {
    ...native('GET /games/top', 'GET /streams', 'GET /games'),
    detail: 'Without viewers and channels, unless tags are given.',
    parameters: { tags: { support: 'composed', detail: 'Counted from the top 1000 streams, as one page.' } },
  },
  getStreams: {
    ...native('GET /streams', 'GET /games', 'GET /search/categories'),
    parameters: { users: { support: 'native', detail: '100 channels a request, requests side by side; all of them make one page.' } },
  },
};
