import { z } from 'zod';
import { archiving } from '../guild/archive.ts';
import type { Channel } from '../guild/channel.ts';
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
export function checkTags({ guilds }: Discord, { tags, requiresTag, ...forum }: Channel, wanted: readonly string[]): void {
  const known = wanted.filter((id) => tags.some((tag) => tag.id === id));
  if (known.length < wanted.length) {
    throw invalidForm([{ path: ['applied_tags'], code: 'CHANNEL_FORUM_TAG_UNKNOWN', message: 'Unknown tag' }]);
  }
  if (requiresTag && wanted.length === 0) throw refusals.tagRequired();
  const moderated = tags.some(({ id, moderated: closed }) => closed && wanted.includes(id));
  if (moderated && !guilds.of(forum.id).lets('ManageThreads', { ...forum, tags, requiresTag })) throw refusals.missingPermissions();
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
    thread: { ...thread, locked: locked ?? thread.locked },
  };
  return setArchived(discord, changed, archived ?? thread.archived);
}

/** Archives a thread or opens it, with all else that was changed of it, and tells of it. */
export function setArchived(discord: Discord, channel: Channel, archived: boolean): Channel {
  const { channels } = discord.guilds.of(channel.id);
  const changed = archiving(channels, channel, archived, discord.context.clock.nowMs());
  channels.put(changed);
  tellChanged(discord, changed);
  return changed;
}

/** Tells of a thread that is not what it was. */
function tellChanged(discord: Discord, thread: Channel): void {
  const { id: guildId } = discord.guilds.of(thread.id);
  discord.gateway.tell({ name: 'THREAD_UPDATE', guildId, intent: 'Guilds', data: toWire(discord, thread) });
}

/** A thread as REST tells it. */
export function toWire({ guilds, messages }: Discord, channel: Channel) {
  return toChannel(guilds.of(channel.id), channel, messages.lastId(channel.id));
}
