import { Hono } from 'hono';
import { z } from 'zod';
import type { Channel } from '../guild/channels.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { toChannel } from '../guild/wire.ts';
import { tellUpdated } from '../messages/events.ts';
import { currentOf, FLAGS } from '../messages/message.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { readForm } from './body.ts';
import { channelOf, demand, messageOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

const DAY_MINUTES = 1440;

const ThreadForm = z
  .object({
    name: z.string().min(1).max(100),
    auto_archive_duration: z.literal([60, DAY_MINUTES, 4320, 10_080]).nullish(),
    rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
  })
  .transform((wire) => ({ name: wire.name, autoArchiveMinutes: wire.auto_archive_duration ?? DAY_MINUTES }));

/** Threads that start from a message; a thread has the id of its message. */
export function threadRoutes(discord: Discord): Hono {
  return new Hono().post('/channels/:channel/messages/:message/threads', limited(discord.limits, 'startThread', 'channel'), async (c) => {
    const { name, autoArchiveMinutes } = await readForm(c, ThreadForm);
    const parent = channelOf(discord, c);
    const message = messageOf(discord, c);
    demand(discord, 'CreatePublicThreads', parent);
    if (message.threadId !== undefined) throw refusals.threadExists();

    const thread: Channel = {
      id: message.id,
      name,
      position: 0,
      overwrites: [],
      thread: { parentId: parent.id, ownerId: APPLICATION_ID, autoArchiveMinutes },
    };
    discord.guild.channels.put(thread);
    const now = currentOf(message);
    const started = {
      ...message,
      threadId: thread.id,
      versions: message.versions.with(-1, { ...now, flags: now.flags | FLAGS.HasThread }),
    };
    discord.messages.put(started);

    const wire = toChannel(thread, undefined);
    discord.gateway.tell({ name: 'THREAD_CREATE', intent: 'Guilds', data: { ...wire, newly_created: true } });
    tellUpdated(discord, started);
    return c.json(wire, 201);
  });
}
