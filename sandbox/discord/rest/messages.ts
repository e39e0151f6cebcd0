import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { type Channel, isForum } from '../guild/channel.ts';
import { APPLICATION_ID } from '../identity.ts';
import { dispatchUpdated, toReadable } from '../messages/events.ts';
import { MessageForm } from '../messages/form.ts';
import { FLAGS, type Message, currentOf, hasFlag } from '../messages/message.ts';
import { edit, post, remove } from '../messages/post.ts';
import { findReaction, react, toEmojiName } from '../messages/react.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { madeAtMs } from '../snowflake.ts';
import { checkContents, readBody } from './body.ts';
import { channelOf, demand, demandToWrite, messageOf, openMessageOf } from './guild.ts';
import { limited } from './rate-limits.ts';

/** How long a fault hides a message by default. */
const HIDDEN_MS = 1000;
const OLD_MS = 3_600_000;

const Range = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: Id.optional(),
  after: Id.optional(),
  around: Id.optional(),
});

/** Routes that read, send, edit and delete the messages of a channel. */
export function messageRoutes(discord: Discord): Hono {
  const { limits } = discord;
  return new Hono()
    .get('/channels/:channel/messages', limited(limits, 'readMessages', 'channel'), (c) => c.json(list(discord, c)))
    .get('/channels/:channel/messages/:message', limited(limits, 'readMessages', 'channel'), (c) => {
      const { channelId, id } = messageOf(discord, c);
      const message = discord.messages.read(channelId, id);
      if (!message) throw refusals.unknownMessage();
      return c.json(toReadable(discord, message));
    })
    .post('/channels/:channel/messages', limited(limits, 'createMessage', 'channel'), async (c) => c.json(await create(discord, c)))
    .patch('/channels/:channel/messages/:message', limited(limits, 'editMessage', 'channel'), async (c) => c.json(await change(discord, c)))
    .delete('/channels/:channel/messages/:message', limited(limits, 'deleteMessage', 'channel'), (c) => {
      const message = openMessageOf(discord, c);
      if (message.authorId !== APPLICATION_ID) demand(discord, 'ManageMessages', channelOf(discord, c));
      remove(discord, message);
      return c.body(null, 204);
    })
    .post('/channels/:channel/messages/:message/crosspost', limited(limits, 'crosspost', 'channel'), (c) => c.json(publish(discord, c)))
    .post('/channels/:channel/typing', limited(limits, 'typing', 'channel'), (c) => {
      const channel = channelOf(discord, c);
      demand(discord, 'SendMessages', channel);
      dispatchTyping(discord, channel);
      return c.body(null, 204);
    });
}

function list(discord: Discord, c: Context) {
  const channel = channelOf(discord, c);
  const range = parseForm(Range, c.req.query());
  if (!discord.guilds.of(channel.id).botMay('ReadMessageHistory', channel)) return [];

  const fault = { platform: 'discord', method: c.req.method, path: c.req.path };
  if (discord.context.faults.take('emptyList', fault)) return [];
  const messages = discord.messages.list(channel.id, range);
  const short = discord.context.faults.take('shortList', fault);
  return messages.slice(0, short ? Math.ceil(messages.length / 2) : messages.length).map((message) => toReadable(discord, message));
}

async function create(discord: Discord, c: Context) {
  const { messages, guilds, context } = discord;
  const channel = channelOf(discord, c);
  if (isForum(channel)) throw refusals.notForWriting();
  if (channel.recipientId !== undefined && !acceptsDirect(discord, channel.recipientId)) throw refusals.notToThisUser();
  demandToWrite(discord, channel);
  const { json, uploads } = await readBody(c);
  const form = parseForm(MessageForm, json);
  checkContents(discord, channel, form, uploads);

  const fault = { platform: 'discord', method: c.req.method, path: c.req.path };
  const known = form.enforceNonce && form.nonce !== undefined ? messages.findByNonce(APPLICATION_ID, form.nonce) : undefined;
  if (known && !context.faults.take('ignoreKey', fault)) return toCreated(discord, repeated(known));

  const hidden = context.faults.take('delayedVisibility', fault);
  const visibleAtMs = hidden && context.clock.nowMs() + (hidden.ms ?? HIDDEN_MS);
  return toCreated(discord, post(discord, { channel, author: guilds.of(channel.id).members.bot, form, uploads, visibleAtMs }));
}

/** Whether the bot may write to a user: a person in one of its guilds. */
function acceptsDirect({ guilds }: Discord, userId: string): boolean {
  return guilds.all.some(({ hasBot, members }) => hasBot && members.find(userId)?.bot === false);
}

/** The answer to a repeated request. Discord does not send a deleted message again. */
function repeated(message: Message): Message {
  if (message.deletedAt !== undefined) throw refusals.unknownMessage();
  return message;
}

/** The answer to a create request. Only this answer contains the nonce. */
function toCreated(discord: Discord, message: Message) {
  return { ...toMessage(discord, message), nonce: message.nonce };
}

async function change(discord: Discord, c: Context) {
  // Reading the body takes time, so the message is looked up after it.
  const { json, uploads } = await readBody(c);
  const message = openMessageOf(discord, c);
  if (message.authorId !== APPLICATION_ID) throw refusals.notTheAuthor();
  checkAge(discord, message);
  const form = parseForm(MessageForm, json);
  checkContents(discord, channelOf(discord, c), form, uploads);
  return toMessage(discord, edit(discord, message, { form, uploads }));
}

/** Discord limits edits of messages that are older than an hour. */
function checkAge({ limits, context: { clock } }: Discord, { id, channelId }: Message): void {
  if (clock.nowMs() - madeAtMs(id) < OLD_MS) return;
  const { used, limit, resetAfterMs } = limits.count('editOldMessage', channelId);
  if (used > limit.requests) throw refusals.oldEdits(resetAfterMs);
}

/** Publishes a message of an announcement channel to the servers that follow the channel. */
function publish(discord: Discord, c: Context) {
  const channel = channelOf(discord, c);
  const message = messageOf(discord, c);
  if (channel.kind !== 'news' || channel.thread) throw refusals.wrongChannelType();
  demand(discord, message.authorId === APPLICATION_ID ? 'SendMessages' : 'ManageMessages', channel);
  if (hasFlag(message, FLAGS.Crossposted)) throw refusals.alreadyPublished();

  const now = currentOf(message);
  const published = { ...message, versions: message.versions.with(-1, { ...now, flags: now.flags | FLAGS.Crossposted }) };
  discord.messages.put(published);
  dispatchUpdated(discord, published);
  return toMessage(discord, published);
}

function dispatchTyping({ context, gateway, guilds }: Discord, channel: Channel): void {
  const { id: guildId } = guilds.of(channel.id);
  const data = {
    channel_id: channel.id,
    guild_id: guildId,
    user_id: APPLICATION_ID,
    timestamp: Math.floor(context.clock.nowMs() / 1000),
  };
  gateway.dispatch({ name: 'TYPING_START', guildId, intent: 'GuildMessageTyping', data });
}

/** Reactions of the bot to messages. */
export function reactionRoutes(discord: Discord): Hono {
  const path = '/channels/:channel/messages/:message/reactions/:emoji/@me';
  return new Hono().put(path, limited(discord.limits, 'react', 'channel'), (c) => {
    const message = openMessageOf(discord, c);
    const emoji = toEmojiName(c.req.param('emoji'));
    if (!emoji) throw refusals.unknownEmoji();
    if (!findReaction(message, emoji)) demand(discord, 'AddReactions', channelOf(discord, c));
    react(discord, message, emoji, APPLICATION_ID);
    return c.body(null, 204);
  });
}
