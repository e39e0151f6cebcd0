import { games } from '#sandbox/world/content/games.ts';
import { regulars } from '#sandbox/world/content/people.ts';
import { FIRST_GUILD, SECOND_GUILD } from '#sandbox/discord/guild/plan.ts';
import { isOnKick } from '#sandbox/kick/channels.ts';

/** What every sandbox contains. */
export function describeWorld() {
  return {
    streamers: regulars.map(({ displayName, plays }, index) => ({
      handle: displayName.toLowerCase(),
      platforms: ['Twitch', ...(isOnKick(index) ? ['Kick'] : []), 'YouTube'],
      games: plays.map(({ name }) => name),
    })),
    games: games.map(({ name }) => name),
    servers: [FIRST_GUILD, SECOND_GUILD].map(({ name, locale, channels }) => ({
      name,
      locale,
      channels: channels.map(({ name: channel, kind = 'text', hidden = false }) => ({ name: channel, kind, hidden })),
    })),
  };
}
