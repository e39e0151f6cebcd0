import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form.ts';
import { isForum, type Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import { OPCODES } from '../gateway/session.ts';
import { PUBLIC_KEY } from '../interactions/endpoint.ts';
import { MessageForm } from '../messages/form.ts';
import { post, type Draft } from '../messages/post.ts';
import { react, toEmojiName } from '../messages/react.ts';
import { channelFor, channelNamed, inGuild, messageNamed, personNamed, guildOfMessage } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord, InGuild } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { growThread, start } from '../rest/threads.ts';
import { compareIds } from '../snowflake.ts';
import {
  EndpointOrder,
  GatewayOrder,
  GuildOrder,
  GuildQuery,
  InteractionOrder,
  MessageOrder,
  MessageQuery,
  PermissionOrder,
  ReactionOrder,
  RemovalOrder,
  ThreadOrder,
  ThreadStateOrder,
  describeGuild,
  changeThread,
  setPermissions,
  changeGuild,
  deleteContent,
} from './orders.ts';
import { interact, toInteractionView } from './interact.ts';
import { toMessageView } from './message-view.ts';

/** The control API: it lists messages and lets people use the bot. */
export function controlRoutes(discord: Discord): Hono {
  return new Hono()
    .get('/messages', (c) => c.json(listMessages(discord, parse(MessageQuery, c.req.query()))))
    .get('/discord', (c) => c.json(describeGuild(inGuild(discord, parse(GuildQuery, c.req.query())))))
    .get('/discord/interactions/:interaction', (c) => {
      const interaction = discord.interactions.find(c.req.param('interaction'));
      if (!interaction) throw new OrderError('there is no such interaction');
      return c.json(toInteractionView(discord, interaction));
    })
    .post('/discord/interactions', async (c) => c.json(await interact(discord, await readOrder(c, InteractionOrder))))
    .post('/discord/endpoint', async (c) => {
      await discord.endpoint.save((await readOrder(c, EndpointOrder)).url);
      return c.json({ url: discord.endpoint.url, publicKey: PUBLIC_KEY });
    })
    .post('/discord/messages', async (c) => c.json(write(discord, await readOrder(c, MessageOrder))))
    .post('/discord/threads', async (c) => c.json(openThread(discord, await readOrder(c, ThreadOrder))))
    .post('/discord/reactions', async (c) => {
      const { user, message, emoji: text } = await readOrder(c, ReactionOrder);
      const emoji = toEmojiName(text);
      if (!emoji) throw new OrderError(`${text} is no emoji`);
      const target = messageNamed(discord, message);
      react(discord, target, emoji, personNamed(guildOfMessage(discord, target), user).userId);
      return c.json(toMessageView(discord, messageNamed(discord, message)));
    })
    .post('/discord/permissions', async (c) => c.json(setPermissions(discord, await readOrder(c, PermissionOrder))))
    .post('/discord/thread-states', async (c) => c.json(changeThread(discord, await readOrder(c, ThreadStateOrder))))
    .post('/discord/removals', async (c) => c.json(deleteContent(discord, await readOrder(c, RemovalOrder))))
    .post('/discord/guild', async (c) => c.json(changeGuild(discord, await readOrder(c, GuildOrder))))
    .post('/discord/gateway', async (c) => c.json(disturb(discord, await readOrder(c, GatewayOrder))))
    .onError((error, c) => {
      if (error instanceof OrderError) return c.json({ error: error.message }, 400);
      if (error instanceof Refusal) return c.json({ error: error.message, errors: error.errors }, 400);
      throw error;
    });
}

function listMessages(discord: Discord, query: z.output<typeof MessageQuery>) {
  const { channel: name, cursor, limit } = query;
  const scope = inGuild(discord, query);
  const channel = name === undefined ? undefined : channelNamed(scope, name);
  const isListed = (channelId: string): boolean =>
    channel ? channelId === channel.id : query.guild === undefined || discord.guilds.of(channelId) === scope.guild;
  const rest = [...discord.messages.all()].filter(
    ({ id, channelId }) => isListed(channelId) && (cursor === undefined || compareIds(id, cursor) > 0),
  );
  const page = rest.slice(0, limit);
  return { items: page.map((message) => toMessageView(discord, message)), cursor: rest.length > limit ? page.at(-1)?.id : undefined };
}

function write(discord: Discord, order: z.output<typeof MessageOrder>) {
  const { content, replyTo, ping } = order;
  const scope = inGuild(discord, order);
  const author = personNamed(scope, order.user);
  const channel = channelFor(scope, order.channel, author, 'SendMessages');
  const mentions = { parse: ['users', 'roles', 'everyone'], replied_user: ping };
  const form = { content, allowed_mentions: mentions, ...(replyTo !== undefined && { message_reference: { message_id: replyTo } }) };
  const target = isForum(channel) ? openPost(scope, channel, author, order) : { channel };
  return toMessageView(discord, post(discord, { ...target, author, form: parseForm(MessageForm, form) }));
}

/** Opens the thread of a forum post. Its first message has the id of the thread. */
function openPost(
  { ids, ...discord }: InGuild,
  forum: Channel,
  { userId: ownerId }: Member,
  { title, tags }: z.output<typeof MessageOrder>,
): Pick<Draft, 'channel' | 'id'> {
  if (title === undefined) throw new OrderError(`#${forum.name} is a forum: title names the post`);
  const tagIds = tags.map((tag) => forum.tags.find(({ name }) => name === tag)?.id ?? tag);
  const id = ids.next();
  return { id, channel: start({ ids, ...discord }, forum, { id, name: title, autoArchiveMinutes: 1440, tagIds, ownerId }) };
}

function openThread(discord: Discord, { user, message: id, name }: z.output<typeof ThreadOrder>) {
  const message = messageNamed(discord, id);
  const scope = guildOfMessage(discord, message);
  const owner = personNamed(scope, user);
  const parent = channelFor(scope, message.channelId, owner, 'CreatePublicThreads');
  const thread = growThread(discord, message, { name, autoArchiveMinutes: 1440, parent, ownerId: owner.userId });
  return { id: thread.id, name: thread.name };
}

/** Disturbs all connections, and returns their number. */
function disturb({ gateway }: Discord, order: GatewayOrder) {
  const { connections } = gateway;
  switch (order.do) {
    case 'drop':
      for (const connection of connections) connection.drop();
      break;
    case 'reconnect':
      for (const connection of connections) connection.send(OPCODES.reconnect, null);
      break;
    case 'zombie':
      for (const connection of connections) connection.becomeZombie();
      break;
    case 'invalidSession':
      gateway.invalidateSessions(order);
      break;
    case 'close':
      for (const connection of connections) connection.close(order.code, 'as ordered');
      break;
    case 'refuse':
      gateway.refuse(order.code);
      break;
    case 'ignoreResumes':
      gateway.ignoreResumes();
      break;
    case 'disallow':
      gateway.disallow(order.intents);
  }
  return { connections: connections.length };
}

async function readOrder<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  return parse(schema, await c.req.json().catch(() => undefined));
}

function parse<T>(schema: z.ZodType<T>, order: unknown): T {
  const parsed = schema.safeParse(order);
  if (!parsed.success) throw new OrderError(z.prettifyError(parsed.error));
  return parsed.data;
}
