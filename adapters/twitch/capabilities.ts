import { native } from '#src/clients/operation/capability-table.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';

const looked = 'Twitch has no filter for tags, so up to 1000 streams are filtered per page.';

const clipSort = {
  support: 'composed',
  detail: 'TIME reads complete time spans in up to 10 requests per page. The other orders are native and end after about 1000 clips.',
} as const;

/** The reason why clips cannot be searched. */
export const noClipSearch = {
  reason: 'NO_ENDPOINT',
  detail: 'Twitch has no text search for clips.',
  alternatives: ['getUserClips', 'getGameClips'],
} as const;

/** The support of each operation. */
export const capabilities: StreamingPlatform['capabilities'] = {
  getUser: {
    ...native('GET /users', 'GET /streams', 'GET /channels/followers'),
    detail: 'With the number of followers only for the channel that is signed in with `fanfare auth twitch --channel`.',
  },
  getFollowers: {
    ...native('GET /channels/followers', 'GET /users'),
    detail: 'Of the channel that is signed in with `fanfare auth twitch --channel`.',
  },
  sendChatMessage: {
    ...native('POST /chat/messages'),
    detail:
      'In the chat of the channel that is signed in with `fanfare auth twitch --channel`, at most 20 messages in 30 seconds. Twitch lists no sent messages, so you decide about a message whose response was lost.',
  },
  getTeamMembers: {
    ...native('GET /teams', 'GET /users'),
    detail: 'One page has all channels. A channel that Twitch closed is missing.',
  },
  getSchedule: {
    ...native('GET /users', 'GET /schedule'),
    detail: 'One page has all streams of the given days, with a request for each 25. Streams during a vacation are canceled.',
  },
  getUserVideos: { ...native('GET /users', 'GET /videos'), detail: 'Without the game, which Twitch does not state for videos.' },
  getUserClips: { ...native('GET /users', 'GET /clips'), parameters: { sort: clipSort } },
  getGameClips: {
    ...native('GET /games', 'GET /search/categories', 'GET /clips'),
    parameters: {
      sort: clipSort,
      languages: { support: 'composed', detail: 'Twitch has no filter for languages, so up to 1000 clips are filtered per page.' },
    },
  },
  getGameVideos: {
    ...native('GET /games', 'GET /search/categories', 'GET /videos'),
    detail: 'At most 500 videos per game, without the game, which Twitch does not state for videos.',
    parameters: {
      languages: { support: 'native', detail: 'One language per request. With several, the order of TRENDING is approximate.' },
    },
  },
  search: {
    ...native('GET /search/channels', 'GET /streams', 'GET /users', 'GET /games', 'GET /search/categories', 'GET /videos'),
    parameters: {
      filter: {
        support: 'composed',
        detail: 'SearchChannels finds names that begin with the keyword. SearchStreams also finds games. Titles are not searched.',
        values: {
          SearchGames: { support: 'native' },
          SearchVideos: { support: 'composed', detail: 'The keyword must be the name of a game. The results are its most viewed videos.' },
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
        detail: 'VIEWER_COUNT is native. The other orders read up to 1000 streams of the game as one page.',
      },
    },
  },
  getTopGames: {
    ...native('GET /games/top', 'GET /streams', 'GET /games'),
    detail: 'Without viewers and channels, unless tags are given.',
    parameters: { tags: { support: 'composed', detail: 'Counted from the top 1000 streams, as one page.' } },
  },
  getStreams: {
    ...native('GET /streams', 'GET /games', 'GET /search/categories', 'GET /users'),
    parameters: {
      users: {
        support: 'native',
        detail:
          '100 channels per request, in parallel. One page has all channels. The pictures of live channels and their games need one request per 100 channels or games a day.',
      },
    },
  },
};
