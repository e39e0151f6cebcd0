import type { Channel } from '../guild/channel.ts';
import type { MessageForm } from '../messages/form.ts';
import type { Uploads } from '../messages/posting.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { demand } from './lookups.ts';

/** Refuses what a message holds that the bot may not write there. */
export function checkContents(discord: Discord, channel: Channel, form: MessageForm, uploads: Uploads): void {
  if (uploads.size > 0) demand(discord, 'AttachFiles', channel);
  if (form.embeds?.length) demand(discord, 'EmbedLinks', channel);
  if (form.replyTo && !discord.guilds.of(channel.id).lets('ReadMessageHistory', channel)) throw refusals.noReplyWithoutHistory();
}
