import type { Discord } from '../parts.ts';
import type { Guild } from './guild.ts';

/** Adds the bot to a guild and sends the event. */
export function letIn({ gateway }: Discord, guild: Guild): void {
  guild.takeBot();
  gateway.welcome(guild.id);
}
