import { composed, native, unsupported } from '#src/clients/operation/capability-table.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';

const scanned = 'Kick sorts streams only by their start, so up to 10000 are read as one page.';

const noRecordings = unsupported('NO_ENDPOINT', "Kick's public API lists neither videos nor clips.");

/** The reason why videos and clips cannot be searched. */
export const noSearch = {
  reason: 'NO_ENDPOINT',
  detail: "Kick's public API lists neither videos nor clips.",
  alternatives: ['SearchStreams', 'SearchChannels', 'SearchGames'],
} as const;

/** The support of each operation. */
export const capabilities: StreamingPlatform['capabilities'] = {
  getUser: {
    ...native('GET /public/v1/channels', 'GET /public/v1/users'),
    detail: 'Without the number of followers and the creation date, which Kick does not state.',
  },
  getTeamMembers: { ...unsupported('NO_FEATURE', 'Kick has no teams.'), alternatives: ['getStreams({ users })'] },
  getFollowers: { ...unsupported('NO_ENDPOINT', "Kick's public API does not list followers."), alternatives: ['getUser'] },
  sendChatMessage: unsupported('NO_FEATURE', 'Kick accepts chat messages only from a signed-in user. Fanfare signs in to Kick as an app.', [
    'sendChatMessage on Twitch',
  ]),
  getSchedule: { ...unsupported('NO_ENDPOINT', "Kick's public API has no schedules."), alternatives: ['getStreams({ users })'] },
  getUserVideos: { ...noRecordings, alternatives: ['getStreams({ users })'] },
  getUserClips: { ...noRecordings, alternatives: ['getStreams({ users })'] },
  getGameVideos: { ...noRecordings, alternatives: ['getGameStreams'] },
  getGameClips: { ...noRecordings, alternatives: ['getGameStreams'] },
  search: {
    ...composed('GET /public/v2/livestreams', 'GET /public/v1/channels', 'GET /public/v2/categories', 'GET /public/v1/users'),
    parameters: {
      filter: {
        support: 'composed',
        values: {
          SearchStreams: { support: 'composed', detail: `In titles, tags and names. ${scanned}` },
          SearchChannels: { support: 'composed', detail: 'Only the channel with exactly this name.' },
          SearchGames: { support: 'native' },
          SearchVideos: { support: 'unsupported', ...noSearch },
          SearchClips: { support: 'unsupported', ...noSearch },
        },
      },
    },
  },
  getTopStreams: { ...composed('GET /public/v2/livestreams'), detail: scanned },
  getGameStreams: { ...composed('GET /public/v2/categories', 'GET /public/v2/livestreams'), detail: scanned },
  getTopGames: { ...composed('GET /public/v2/livestreams'), detail: `Counted from the streams. ${scanned}` },
  getStreams: {
    ...composed('GET /public/v1/channels', 'GET /public/v1/users', 'GET /public/v2/categories', 'GET /public/v2/livestreams'),
    detail: `At most 25 games and 25 languages. ${scanned}`,
    parameters: {
      users: { support: 'native', detail: '50 channels per request, and one request per day for the id of each name.' },
    },
  },
};
