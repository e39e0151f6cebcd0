import { z } from 'zod';
import type { Channel } from '../guild/channels.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { toChannel } from '../guild/wire.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { demand } from './lookups.ts';

/** What may be changed of a thread. */
export const ThreadChange = z.object({
  name: z.string().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
});

/** Refuses tags that a forum has not, or that the bot may not give, and a post without one where it wants one. */
export function checkTags({ guild }: Discord, { tags, requiresTag, ...forum }: Channel, wanted: readonly string[]): void {
  const known = wanted.filter((id) => tags.some((tag) => tag.id === id));
  if (known.length < wanted.length) {
    throw invalidForm([{ path: ['applied_tags'], code: 'CHANNEL_FORUM_TAG_UNKNOWN', message: 'Unknown tag' }]);
  }
  if (requiresTag && wanted.length === 0) throw refusals.tagRequired();
  const moderated = tags.some(({ id, moderated: closed }) => closed && wanted.includes(id));
  if (moderated && !guild.may(guild.members.bot, 'ManageThreads', { ...forum, tags, requiresTag })) throw refusals.missingPermissions();
}

/** Opens an archived thread, which anybody may who may write in it, unless it is locked; the rest needs a moderator or its maker. */
export function changeThread(discord: Discord, channel: Channel, { archived, locked, name }: z.output<typeof ThreadChange>): Channel {
  const { thread } = channel;
  if (!thread) throw refusals.missingPermissions();
  const opens = archived === false && locked === undefined && name === undefined && !thread.locked;
  const isOwn = thread.ownerId === APPLICATION_ID && locked === undefined && !thread.locked;
  demand(discord, opens || isOwn ? 'SendMessagesInThreads' : 'ManageThreads', channel);
  const changed = {
    ...channel,
    name: name ?? channel.name,
    thread: { ...thread, archived: archived ?? thread.archived, locked: locked ?? thread.locked },
  };
  discord.guild.channels.put(changed);
  tellChanged(discord, changed);
  return changed;
}

/** Tells of a thread that is not what it was. */
export function tellChanged(discord: Discord, thread: Channel): void {
  discord.gateway.tell({ name: 'THREAD_UPDATE', intent: 'Guilds', data: toWire(discord, thread) });
}

/** A thread as REST tells it. */
export function toWire({ messages }: Discord, channel: Channel) {
  return toChannel(channel, messages.lastId(channel.id));
}
