import { composed, unsupported } from '#src/clients/operation/capability-table.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';

/** A day of 10,000 units, per minute. */
export const UNITS_A_MINUTE = 6.9;
/** A search takes one of the 100 searches of a day, which estimates count as a hundredth of the units, and 2 units for its videos and channels. */
const SEARCH_UNITS = 102;
/** The units of a request, if it costs more than one. */
export const UNITS = { search: SEARCH_UNITS, getTopStreams: SEARCH_UNITS } as const;

const noGames = unsupported('NO_ENDPOINT', 'The YouTube API states no game of a video and has no filter for games.', [
  'search({ filter: SearchStreams })',
]);
const noClips = unsupported('NO_ENDPOINT', 'The YouTube API has no clips.', ['getUserVideos']);

/** The reason why games and clips cannot be searched. */
export const noSearch = {
  reason: 'NO_ENDPOINT',
  detail: 'The YouTube API has neither games nor clips.',
  alternatives: ['SearchStreams', 'SearchChannels', 'SearchVideos'],
} as const;

/** The support of each operation. The feeds of a channel cost no quota. */
export const capabilities: StreamingPlatform['capabilities'] = {
  getUser: {
    ...composed('GET /channels', 'GET /feeds/videos.xml', 'GET /videos'),
    detail: '1 unit of the quota, and 1 for 50 videos that may be live.',
  },
  getTeamMembers: unsupported('NO_FEATURE', 'YouTube has no teams.', ['getStreams({ users })']),
  getFollowers: unsupported('NO_ENDPOINT', 'The YouTube API lists no subscribers to a key.', ['getUser']),
  sendChatMessage: unsupported('NO_FEATURE', 'YouTube accepts chat messages only from a signed-in user, not with a key.', [
    'sendChatMessage on Twitch',
  ]),
  getSchedule: {
    ...composed('GET /channels', 'GET /feeds/videos.xml', 'GET /videos'),
    detail:
      'The announced streams among the last 15 videos of the channel, without premieres and without those that are more than 6 hours late. 1 unit for 50 videos.',
  },
  getUserVideos: {
    ...composed('GET /channels', 'GET /feeds/videos.xml', 'GET /playlistItems', 'GET /videos', 'GET /search'),
    detail:
      'Without Shorts and premieres. The first page has the last 15 uploads and recordings, and costs 1 unit for 50 new videos, and 1 unit for each feed that fails: every 3 hours if its playlist does not exist. Each further page costs 2 units. Without the playlists UULF and UULV, which YouTube does not document, Shorts are listed too, with a partial error.',
    parameters: {
      sort: { support: 'composed', detail: 'VIEWS and TRENDING search the channel: each page takes one of the 100 searches of a day.' },
    },
  },
  getUserClips: noClips,
  getGameClips: noClips,
  getGameVideos: noGames,
  getGameStreams: noGames,
  getTopGames: noGames,
  search: {
    ...composed('GET /search', 'GET /videos', 'GET /channels'),
    detail: 'Each page of 50 results takes one of the 100 searches of a day, and 2 units.',
    parameters: {
      filter: {
        support: 'composed',
        values: {
          SearchGames: { support: 'unsupported', ...noSearch },
          SearchClips: { support: 'unsupported', ...noSearch },
        },
      },
    },
  },
  getTopStreams: {
    ...composed('GET /search', 'GET /videos', 'GET /channels'),
    detail:
      'The search for live videos, most watched first, at most 500: each page of 50 takes one of the 100 searches of a day, and 2 units.',
    parameters: { tags: { support: 'composed', detail: 'Filtered after the search.' } },
  },
  getStreams: {
    ...composed('GET /channels', 'GET /feeds/videos.xml', 'GET /videos'),
    detail:
      'Without premieres. The feeds of the channels cost nothing; each poll costs 1 unit for 50 videos that are live, announced or new. If a feed fails, the list of its videos costs 1 unit, and all such lists together at most 4,500 units a day.',
    parameters: {
      users: { support: 'composed', detail: 'Required. The id of a handle costs 1 unit a day.' },
      games: noGames,
      languages: {
        support: 'composed',
        detail: 'Filtered by the language that the channel states. A language includes its regions: `en` also keeps `en-gb`.',
      },
    },
  },
};
