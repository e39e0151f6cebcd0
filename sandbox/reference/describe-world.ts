import { games } from '../world/content/games.ts';
import { regulars } from '../world/content/people.ts';
import { FIRST_GUILD, SECOND_GUILD } from '../discord/guild/plan.ts';
import { isOnKick } from '../kick/channels.ts';

/** What every sandbox contains. */
export function describeWorld() {
  return {
    streamers: regulars.map(({ displayName, plays }, index) => ({
      handle: displayName.toLowerCase(),
      platforms: isOnKick(index) ? ['Twitch', 'Kick'] : ['Twitch'],
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
