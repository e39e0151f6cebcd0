import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { archivedIn, archiving } from '../guild/archive.ts';
import { type Channel, isForum } from '../guild/channel.ts';
import { APPLICATION_ID } from '../identity.ts';
import { toChannel } from '../guild/wire.ts';
import { dispatchUpdated } from '../messages/events.ts';
import { MessageForm } from '../messages/form.ts';
import { FLAGS, MESSAGE_TYPES, type Message, currentOf } from '../messages/message.ts';
import { NO_MENTIONS } from '../messages/parts.ts';
import { post } from '../messages/post.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { checkContents, readBody, readForm } from './body.ts';
import { channelOf, demand, guildOf, messageOf } from './guild.ts';
import { limited } from './rate-limits.ts';

const ThreadChange = z.object({
  name: z.string().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
});

/** Throws for unknown tags, for tags that need a moderator, and for a missing required tag. */
function checkTags({ guilds }: Discord, { tags, requiresTag, ...forum }: Channel, wanted: readonly string[]): void {
  const known = wanted.filter((id) => tags.some((tag) => tag.id === id));
  if (known.length < wanted.length) {
    throw invalidForm([{ path: ['applied_tags'], code: 'CHANNEL_FORUM_TAG_UNKNOWN', message: 'Unknown tag' }]);
  }
  if (requiresTag && wanted.length === 0) throw refusals.tagRequired();
  const moderated = tags.some(({ id, moderated: closed }) => closed && wanted.includes(id));
  if (moderated && !guilds.of(forum.id).botMay('ManageThreads', { ...forum, tags, requiresTag })) throw refusals.missingPermissions();
}

/** Everyone who can write in a thread can reopen it, unless it is locked. Other changes need a moderator or the owner. */
function changeThread(discord: Discord, channel: Channel, { archived, locked, name }: z.output<typeof ThreadChange>): Channel {
  const { thread } = channel;
  if (!thread) throw refusals.missingPermissions();
  if (thread.archived && archived !== false) throw refusals.archived();
  const opens = archived === false && locked === undefined && name === undefined && !thread.locked;
  const isOwner = thread.ownerId === APPLICATION_ID && locked === undefined && !thread.locked;
  demand(discord, opens || isOwner ? 'SendMessagesInThreads' : 'ManageThreads', channel);
  const changed = {
    ...channel,
    name: name ?? channel.name,
    thread: { ...thread, locked: locked ?? thread.locked },
  };
  return setArchived(discord, changed, archived ?? thread.archived);
}

/** Renames a channel. Discord writes names in lower case with dashes, and limits renames. */
function renameChannel(discord: Discord, channel: Channel, { name }: z.output<typeof ThreadChange>): Channel {
  demand(discord, 'ManageChannels', channel);
  if (name === undefined) return channel;
  const { used, limit, resetAfterMs } = discord.limits.count('renameChannel', channel.id);
  if (used > limit.requests) throw refusals.tooManyRenames(resetAfterMs);
  const { channels, id: guildId } = discord.guilds.of(channel.id);
  const renamed = { ...channel, name: channel.kind === 'voice' ? name.trim() : name.trim().toLowerCase().replace(/\s+/gu, '-') };
  channels.put(renamed);
  discord.gateway.dispatch({ name: 'CHANNEL_UPDATE', guildId, intent: 'Guilds', data: toWire(discord, renamed) });
  return renamed;
}

/** Archives or reopens a thread with its other changes, and sends the event. */
export function setArchived(discord: Discord, channel: Channel, archived: boolean): Channel {
  const { channels, id: guildId } = discord.guilds.of(channel.id);
  const changed = archiving(channels, channel, archived, discord.context.clock.nowMs());
  channels.put(changed);
  discord.gateway.dispatch({ name: 'THREAD_UPDATE', guildId, intent: 'Guilds', data: toWire(discord, changed) });
  return changed;
}

/** A thread as REST sends it. */
function toWire({ guilds, messages }: Discord, channel: Channel) {
  return toChannel(guilds.of(channel.id), channel, messages.lastId(channel.id));
}

const DAY_MINUTES = 1440;
const MAX_TAGS = 5;

const Naming = z.object({
  name: z.string().min(1).max(100),
  auto_archive_duration: z.literal([60, DAY_MINUTES, 4320, 10_080]).nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
});
const ThreadForm = Naming.transform(toPlan);
const ArchivePage = z.object({
  limit: z.coerce.number().int().min(2).max(100).default(50),
  before: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), {
      params: { code: 'DATE_TIME_TYPE_PARSE' },
      message: 'Could not parse the timestamp.',
    })
    .optional(),
});
/** A thread in a forum begins with a message. */
const ForumForm = Naming.extend({ message: MessageForm, applied_tags: z.array(Id).max(MAX_TAGS).nullish() }).transform(
  ({ message, applied_tags, ...naming }) => ({ ...toPlan(naming), message, tagIds: applied_tags ?? [] }),
);

type Plan = ReturnType<typeof toPlan>;

function toPlan({ name, auto_archive_duration }: z.output<typeof Naming>) {
  return { name, autoArchiveMinutes: auto_archive_duration ?? DAY_MINUTES };
}

/** Routes of threads. A thread from a message has the id of the message. */
export function threadRoutes(discord: Discord): Hono {
  const limit = limited(discord.limits, 'startThread', 'channel');
  return (
    new Hono()
      .post('/channels/:channel/messages/:message/threads', limit, async (c) => {
        const plan = await readForm(c, ThreadForm);
        return c.json(startFromMessage(discord, c, plan), 201);
      })
      .post('/channels/:channel/threads', limit, async (c) => {
        const { json, uploads } = await readBody(c);
        const parent = channelOf(discord, c);
        if (parent.thread) throw refusals.wrongChannelType();
        demand(discord, isForum(parent) ? 'SendMessages' : 'CreatePublicThreads', parent);
        if (parent.kind === 'voice') throw refusals.wrongChannelType();
        if (!isForum(parent)) {
          const thread = start(discord, parent, { ...parseForm(ThreadForm, json), id: discord.ids.next() });
          announce(discord, parent, thread);
          return c.json(toWire(discord, thread), 201);
        }
        const { message: form, ...plan } = parseForm(ForumForm, json);
        checkTags(discord, parent, plan.tagIds);
        checkContents(discord, parent, form, uploads);
        const thread = start(discord, parent, { ...plan, id: discord.ids.next() });
        const author = discord.guilds.of(parent.id).members.bot;
        const message = post(discord, { id: thread.id, channel: thread, author, form, uploads });
        return c.json({ ...toWire(discord, thread), message: toMessage(discord, message) }, 201);
      })
      // A parameter, because some clients encode the `@` of `@me`.
      .put('/channels/:channel/thread-members/:user', limited(discord.limits, 'guild', 'channel'), (c) => {
        if (c.req.param('user') !== '@me') throw refusals.noRoute();
        join(discord, channelOf(discord, c));
        return c.body(null, 204);
      })
      .get('/guilds/:guild/threads/active', limited(discord.limits, 'guild', 'guild'), (c) => {
        const guild = guildOf(discord, c);
        const seen = guild.channels
          .all()
          .filter((channel) => channel.thread && !channel.thread.archived && guild.botMay('ViewChannel', channel));
        return c.json({ threads: seen.toSorted(newestFirst).map((channel) => toWire(discord, channel)), members: [] });
      })
      .get('/channels/:channel/threads/archived/public', limited(discord.limits, 'guild', 'channel'), (c) => {
        const parent = channelOf(discord, c);
        demand(discord, 'ReadMessageHistory', parent);
        const { channels } = discord.guilds.of(parent.id);
        const [archived, hasMore] = archivedIn(channels, parent.id, parseForm(ArchivePage, c.req.query()));
        return c.json({ threads: archived.map((channel) => toWire(discord, channel)), members: [], has_more: hasMore });
      })
      .patch('/channels/:channel', limited(discord.limits, 'guild', 'channel'), async (c) => {
        const change = await readForm(c, ThreadChange);
        const channel = channelOf(discord, c);
        return c.json(toWire(discord, channel.thread ? changeThread(discord, channel, change) : renameChannel(discord, channel, change)));
      })
  );
}

/** Discord writes in a channel that someone opened a thread without a message. The content is the name of the thread. */
function announce(discord: Discord, channel: Channel, { name }: Channel): void {
  const author = discord.guilds.of(channel.id).members.bot;
  const form = parseForm(MessageForm, { content: name });
  post(discord, { channel, author, form, mentions: NO_MENTIONS, type: MESSAGE_TYPES.threadCreated });
}

function startFromMessage(discord: Discord, c: Context, plan: Plan) {
  const parent = channelOf(discord, c);
  const message = messageOf(discord, c);
  demand(discord, 'CreatePublicThreads', parent);
  return toWire(discord, growThread(discord, message, { ...plan, parent, ownerId: APPLICATION_ID }));
}

/** Opens a thread from a message, with the id of the message, and sends both events. */
export function growThread(
  discord: Discord,
  message: Message,
  { parent, ...plan }: Plan & { readonly parent: Channel; readonly ownerId: string },
): Channel {
  if (parent.thread) throw refusals.wrongChannelType();
  if (message.threadId !== undefined) throw refusals.threadExists();

  const thread = start(discord, parent, { ...plan, id: message.id });
  const now = currentOf(message);
  const started = {
    ...message,
    threadId: thread.id,
    versions: message.versions.with(-1, { ...now, flags: now.flags | FLAGS.HasThread }),
  };
  discord.messages.put(started);
  dispatchUpdated(discord, started);
  return thread;
}

/** Adds the bot to a thread. */
function join({ guilds }: Discord, channel: Channel): void {
  if (!channel.thread) throw refusals.wrongChannelType();
  guilds.of(channel.id).channels.put({ ...channel, thread: { ...channel.thread, joined: true } });
}

/** Opens a thread and sends the event. */
export function start(
  discord: Discord,
  parent: Channel,
  {
    id,
    name,
    autoArchiveMinutes,
    tagIds = [],
    ownerId = APPLICATION_ID,
  }: Plan & { readonly id: string; readonly tagIds?: readonly string[]; readonly ownerId?: string },
): Channel {
  const thread: Channel = {
    id,
    name,
    kind: parent.kind,
    position: 0,
    overwrites: [],
    tags: [],
    requiresTag: false,
    thread: { parentId: parent.id, ownerId, autoArchiveMinutes, archived: false, locked: false, tagIds },
  };
  const guild = discord.guilds.of(parent.id);
  guild.channels.put(thread);
  const data = { ...toWire(discord, thread), newly_created: true };
  discord.gateway.dispatch({ name: 'THREAD_CREATE', guildId: guild.id, intent: 'Guilds', data });
  return thread;
}

function newestFirst(a: Channel, b: Channel): number {
  return compareIds(b.id, a.id);
}
