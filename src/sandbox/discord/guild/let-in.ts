import type { Discord } from '../parts.ts';
import type { Guild } from './guild.ts';

/** Takes the bot into a guild, and tells it of that. */
export function letIn({ gateway }: Discord, guild: Guild): void {
  guild.takeBot();
  gateway.welcome(guild.id);
}
