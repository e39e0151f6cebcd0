import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { isForum, type Channel } from '../guild/channels.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { toChannel } from '../guild/wire.ts';
import { tellUpdated } from '../messages/events.ts';
import { MessageForm } from '../messages/form.ts';
import { currentOf, FLAGS, type Message } from '../messages/message.ts';
import { post } from '../messages/posting.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { readBody, readForm } from './body.ts';
import { checkContents } from './contents.ts';
import { channelOf, checkGuild, demand, messageOf } from './lookups.ts';
import { limited } from './rate-limits.ts';
import { changeThread, checkTags, ThreadChange, toWire } from './thread-changes.ts';

const DAY_MINUTES = 1440;
const MOST_TAGS = 5;

const Naming = z.object({
  name: z.string().min(1).max(100),
  auto_archive_duration: z.literal([60, DAY_MINUTES, 4320, 10_080]).nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
});
const ThreadForm = Naming.transform(toPlan);
/** In a forum a thread begins with a post. */
const ForumForm = Naming.extend({ message: MessageForm, applied_tags: z.array(Id).max(MOST_TAGS).nullish() }).transform(
  ({ message, applied_tags, ...naming }) => ({ ...toPlan(naming), message, tagIds: applied_tags ?? [] }),
);

type Plan = ReturnType<typeof toPlan>;

function toPlan({ name, auto_archive_duration }: z.output<typeof Naming>) {
  return { name, autoArchiveMinutes: auto_archive_duration ?? DAY_MINUTES };
}

/** Threads: from a message, whose id they have, or by themselves. */
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
          return c.json(toChannel(start(discord, parent, { ...parseForm(ThreadForm, json), id: discord.ids.next() }), undefined), 201);
        }
        const { message: form, ...plan } = parseForm(ForumForm, json);
        checkTags(discord, parent, plan.tagIds);
        checkContents(discord, parent, form, uploads);
        const thread = start(discord, parent, { ...plan, id: discord.ids.next() });
        const message = post(discord, { id: thread.id, channel: thread, author: discord.guild.members.bot, form, uploads });
        return c.json({ ...toChannel(thread, message.id), message: toMessage(discord, message) }, 201);
      })
      // A parameter, because clients write the sign of `@me` as they like.
      .put('/channels/:channel/thread-members/:user', limited(discord.limits, 'guild', 'channel'), (c) => {
        if (c.req.param('user') !== '@me') throw refusals.noRoute();
        join(discord, channelOf(discord, c));
        return c.body(null, 204);
      })
      .get('/guilds/:guild/threads/active', limited(discord.limits, 'guild', 'guild'), (c) => {
        checkGuild(c);
        const seen = discord.guild.channels
          .all()
          .filter((channel) => channel.thread && !channel.thread.archived && maySee(discord, channel));
        return c.json({ threads: seen.toSorted(newestFirst).map((channel) => toWire(discord, channel)), members: [] });
      })
      .get('/channels/:channel/threads/archived/public', limited(discord.limits, 'guild', 'channel'), (c) => {
        const parent = channelOf(discord, c);
        demand(discord, 'ReadMessageHistory', parent);
        const archived = discord.guild.channels.all().filter(({ thread }) => thread?.parentId === parent.id && thread.archived);
        return c.json({ threads: archived.toSorted(newestFirst).map((channel) => toWire(discord, channel)), members: [], has_more: false });
      })
      .patch('/channels/:channel', limited(discord.limits, 'guild', 'channel'), async (c) => {
        const change = await readForm(c, ThreadChange);
        return c.json(toWire(discord, changeThread(discord, channelOf(discord, c), change)));
      })
  );
}

function startFromMessage(discord: Discord, c: Context, plan: Plan) {
  const parent = channelOf(discord, c);
  const message = messageOf(discord, c);
  demand(discord, 'CreatePublicThreads', parent);
  return toChannel(growThread(discord, message, { ...plan, parent, ownerId: APPLICATION_ID }), undefined);
}

/** Opens a thread from a message, whose id it has, and tells of both. */
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
  tellUpdated(discord, started);
  return thread;
}

/** Lets the bot into a thread that another opened. */
function join({ guild }: Discord, channel: Channel): void {
  if (!channel.thread) throw refusals.wrongChannelType();
  guild.channels.put({ ...channel, thread: { ...channel.thread, joined: true } });
}

/** Opens a thread, and tells of it. */
function start(
  { guild, gateway }: Discord,
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
  guild.channels.put(thread);
  gateway.tell({ name: 'THREAD_CREATE', intent: 'Guilds', data: { ...toChannel(thread, undefined), newly_created: true } });
  return thread;
}

function maySee({ guild }: Discord, channel: Channel): boolean {
  return guild.may(guild.members.bot, 'ViewChannel', channel);
}

function newestFirst(a: Channel, b: Channel): number {
  return compareIds(b.id, a.id);
}
