import { native, unsupported } from '#src/clients/operation/capability-table.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';

const missing = unsupported('NO_ENDPOINT', 'Demo lists only live streams of users.');

export const capabilities: StreamingPlatform['capabilities'] = {
  getStreams: native('GET /live'),
  getUser: missing,
  getFollowers: missing,
  sendChatMessage: missing,
  getTeamMembers: missing,
  getSchedule: missing,
  getUserVideos: missing,
  getUserClips: missing,
  getGameVideos: missing,
  getGameClips: missing,
  search: missing,
  getTopStreams: missing,
  getGameStreams: missing,
  getTopGames: missing,
};
