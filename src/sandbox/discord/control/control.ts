import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form.ts';
import { OPCODES } from '../gateway/connection.ts';
import { BOT_ROLE_ID, GUILD_ID } from '../guild/identity.ts';
import { toChannel, toGuild } from '../guild/wire.ts';
import { PUBLIC_KEY } from '../interactions/endpoint.ts';
import { MessageForm } from '../messages/form.ts';
import { post, remove } from '../messages/posting.ts';
import { react, toEmojiName } from '../messages/reacting.ts';
import { channelFor, channelNamed, messageNamed, personNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { tellChanged } from '../rest/thread-changes.ts';
import { growThread } from '../rest/threads.ts';
import { compareIds } from '../snowflake.ts';
import { interact, toInteractionView } from './interacting.ts';
import { toMessageView } from './message-view.ts';
import {
  EndpointOrder,
  GatewayOrder,
  GuildOrder,
  InteractionOrder,
  MessageOrder,
  MessageQuery,
  PermissionOrder,
  ReactionOrder,
  RemovalOrder,
  ThreadOrder,
  ThreadStateOrder,
} from './order-form.ts';

/** What Discord has been told, and what people in it do: for tests, and for whoever wants to try the bot. */
export function controlRoutes(discord: Discord): Hono {
  return new Hono()
    .get('/messages', (c) => c.json(listMessages(discord, parse(MessageQuery, c.req.query()))))
    .get('/discord', (c) => c.json(describe(discord)))
    .get('/discord/interactions/:interaction', (c) => {
      const interaction = discord.interactions.find(c.req.param('interaction'));
      if (!interaction) throw new OrderError('there is no such interaction');
      return c.json(toInteractionView(discord, interaction));
    })
    .post('/discord/interactions', async (c) => c.json(await interact(discord, parse(InteractionOrder, await bodyOf(c)))))
    .post('/discord/endpoint', async (c) => {
      await discord.endpoint.save(parse(EndpointOrder, await bodyOf(c)).url);
      return c.json({ url: discord.endpoint.url, publicKey: PUBLIC_KEY });
    })
    .post('/discord/messages', async (c) => c.json(write(discord, parse(MessageOrder, await bodyOf(c)))))
    .post('/discord/threads', async (c) => c.json(openThread(discord, parse(ThreadOrder, await bodyOf(c)))))
    .post('/discord/reactions', async (c) => {
      const { user, message, emoji: text } = parse(ReactionOrder, await bodyOf(c));
      const emoji = toEmojiName(text);
      if (!emoji) throw new OrderError(`${text} is no emoji`);
      react(discord, messageNamed(discord, message), emoji, personNamed(discord, user).userId);
      return c.json(toMessageView(discord, messageNamed(discord, message)));
    })
    .post('/discord/permissions', async (c) => c.json(permit(discord, parse(PermissionOrder, await bodyOf(c)))))
    .post('/discord/thread-states', async (c) => c.json(moderate(discord, parse(ThreadStateOrder, await bodyOf(c)))))
    .post('/discord/removals', async (c) => c.json(takeAway(discord, parse(RemovalOrder, await bodyOf(c)))))
    .post('/discord/guild', async (c) => c.json(settle(discord, parse(GuildOrder, await bodyOf(c)))))
    .post('/discord/gateway', async (c) => c.json(disturb(discord, parse(GatewayOrder, await bodyOf(c)))))
    .onError((error, c) => {
      if (error instanceof OrderError) return c.json({ error: error.message }, 400);
      if (error instanceof Refusal) return c.json({ error: error.message, errors: error.errors }, 400);
      throw error;
    });
}

function listMessages(discord: Discord, { channel: name, cursor, limit }: z.output<typeof MessageQuery>) {
  const channel = name === undefined ? undefined : channelNamed(discord, name);
  const rest = [...discord.messages.all()].filter(
    ({ id, channelId }) => (channel === undefined || channelId === channel.id) && (cursor === undefined || compareIds(id, cursor) > 0),
  );
  const page = rest.slice(0, limit);
  return { items: page.map((message) => toMessageView(discord, message)), cursor: rest.length > limit ? page.at(-1)?.id : undefined };
}

function describe({ guild, commands, gateway }: Discord) {
  return {
    guild: { id: GUILD_ID, name: guild.name },
    channels: guild.channels.all().map(({ id, name }) => ({ id, name })),
    roles: guild.roles.map(({ id, name }) => ({ id, name })),
    members: guild.members.all().map(({ userId, username, displayName, bot }) => ({ id: userId, username, displayName, bot })),
    commands: [...commands.in(GUILD_ID), ...commands.in(undefined)].map(({ id, form }) => ({
      id,
      type: form.type,
      name: form.name,
      options: form.options,
    })),
    connections: gateway.connections.length,
  };
}

function write(discord: Discord, { user, channel: name, content, replyTo, ping }: z.output<typeof MessageOrder>) {
  const author = personNamed(discord, user);
  const channel = channelFor(discord, name, author, 'SendMessages');
  const mentions = { parse: ['users', 'roles', 'everyone'], replied_user: ping };
  const form = { content, allowed_mentions: mentions, ...(replyTo !== undefined && { message_reference: { message_id: replyTo } }) };
  return toMessageView(discord, post(discord, { channel, author, form: parseForm(MessageForm, form) }));
}

function openThread(discord: Discord, { user, message: id, name }: z.output<typeof ThreadOrder>) {
  const owner = personNamed(discord, user);
  const message = messageNamed(discord, id);
  const parent = channelFor(discord, message.channelId, owner, 'CreatePublicThreads');
  const thread = growThread(discord, message, { name, autoArchiveMinutes: 1440, parent, ownerId: owner.userId });
  return { id: thread.id, name: thread.name };
}

function moderate(discord: Discord, { thread: name, archived, locked }: z.output<typeof ThreadStateOrder>) {
  const channel = channelNamed(discord, name);
  if (!channel.thread) throw new OrderError(`#${channel.name} is no thread`);
  const changed = { ...channel, thread: { ...channel.thread, archived, locked } };
  discord.guild.channels.put(changed);
  tellChanged(discord, changed);
  return { thread: changed.name, archived, locked };
}

function takeAway(discord: Discord, order: z.output<typeof RemovalOrder>) {
  if ('message' in order) {
    remove(discord, messageNamed(discord, order.message));
    return order;
  }
  const channel = channelNamed(discord, order.channel);
  discord.guild.channels.remove(channel);
  discord.gateway.tell({ name: 'CHANNEL_DELETE', intent: 'Guilds', data: toChannel(channel, undefined) });
  return { channel: channel.name };
}

function permit(discord: Discord, { channel: name, allow, deny }: z.output<typeof PermissionOrder>) {
  const channel = channelNamed(discord, name);
  const others = channel.overwrites.filter(({ id }) => id !== BOT_ROLE_ID);
  const changed = { ...channel, overwrites: [...others, { id: BOT_ROLE_ID, of: 'role' as const, allow, deny }] };
  discord.guild.channels.put(changed);
  const data = toChannel(changed, discord.messages.lastId(changed.id));
  discord.gateway.tell({ name: 'CHANNEL_UPDATE', intent: 'Guilds', data });
  return { channel: changed.name, allow, deny };
}

function settle({ guild, gateway }: Discord, { preferredLocale }: z.output<typeof GuildOrder>) {
  guild.preferredLocale = preferredLocale;
  gateway.tell({ name: 'GUILD_UPDATE', intent: 'Guilds', data: toGuild(guild) });
  return { preferredLocale };
}

/** Disturbs every connection that there is; tells how many. */
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
      for (const connection of connections) connection.turnZombie();
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
    case 'disallow':
      gateway.disallow(order.intents);
  }
  return { connections: connections.length };
}

/** What does not read as JSON fits no form either. */
async function bodyOf(c: Context): Promise<unknown> {
  return c.req.json().catch(() => undefined);
}

function parse<T>(schema: z.ZodType<T>, order: unknown): T {
  const parsed = schema.safeParse(order);
  if (!parsed.success) throw new OrderError(z.prettifyError(parsed.error));
  return parsed.data;
}
