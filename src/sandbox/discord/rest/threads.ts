import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form.ts';
import type { Channel } from '../guild/channels.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { toChannel } from '../guild/wire.ts';
import { tellUpdated } from '../messages/events.ts';
import { MessageForm } from '../messages/form.ts';
import { currentOf, FLAGS } from '../messages/message.ts';
import { post } from '../messages/posting.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { readBody, readForm } from './body.ts';
import { channelOf, checkGuild, demand, messageOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

const DAY_MINUTES = 1440;

const Naming = z.object({
  name: z.string().min(1).max(100),
  auto_archive_duration: z.literal([60, DAY_MINUTES, 4320, 10_080]).nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
});
const ThreadForm = Naming.transform(toPlan);
/** In a forum a thread begins with a post. */
const ForumForm = Naming.extend({ message: MessageForm }).transform(({ message, ...naming }) => ({ ...toPlan(naming), message }));

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
        demand(discord, parent.kind === 'forum' ? 'SendMessages' : 'CreatePublicThreads', parent);
        if (parent.kind !== 'forum') {
          return c.json(toChannel(start(discord, parent, { ...parseForm(ThreadForm, json), id: discord.ids.next() }), undefined), 201);
        }
        const { message: form, ...plan } = parseForm(ForumForm, json);
        const thread = start(discord, parent, { ...plan, id: discord.ids.next() });
        const message = post(discord, { id: thread.id, channel: thread, author: discord.guild.members.bot, form, uploads });
        return c.json({ ...toChannel(thread, message.id), message: toMessage(discord, message) }, 201);
      })
      .get('/guilds/:guild/threads/active', limited(discord.limits, 'guild', 'guild'), (c) => {
        checkGuild(c);
        const seen = discord.guild.channels.all().filter((channel) => channel.thread && maySee(discord, channel));
        return c.json({ threads: seen.toSorted(newestFirst).map((channel) => toWire(discord, channel)), members: [] });
      })
      // Nothing is archived here: a sandbox forgets before it archives.
      .get('/channels/:channel/threads/archived/public', limited(discord.limits, 'guild', 'channel'), (c) => {
        demand(discord, 'ReadMessageHistory', channelOf(discord, c));
        return c.json({ threads: [], members: [], has_more: false });
      })
  );
}

function startFromMessage(discord: Discord, c: Context, plan: Plan) {
  const parent = channelOf(discord, c);
  const message = messageOf(discord, c);
  demand(discord, 'CreatePublicThreads', parent);
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
  return toChannel(thread, undefined);
}

/** Opens a thread, and tells of it. */
function start({ guild, gateway }: Discord, parent: Channel, { id, name, autoArchiveMinutes }: Plan & { readonly id: string }): Channel {
  const thread: Channel = {
    id,
    name,
    kind: parent.kind,
    position: 0,
    overwrites: [],
    thread: { parentId: parent.id, ownerId: APPLICATION_ID, autoArchiveMinutes },
  };
  guild.channels.put(thread);
  gateway.tell({ name: 'THREAD_CREATE', intent: 'Guilds', data: { ...toChannel(thread, undefined), newly_created: true } });
  return thread;
}

function maySee({ guild }: Discord, channel: Channel): boolean {
  return guild.may(guild.members.bot, 'ViewChannel', channel);
}

function toWire({ messages }: Discord, channel: Channel) {
  return toChannel(channel, messages.lastId(channel.id));
}

function newestFirst(a: Channel, b: Channel): number {
  return compareIds(b.id, a.id);
}
