import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form.ts';
import { OPCODES } from '../gateway/connection.ts';
import { BOT_ROLE_ID, GUILD_ID } from '../guild/identity.ts';
import { toChannel } from '../guild/wire.ts';
import { MessageForm } from '../messages/form.ts';
import { post } from '../messages/posting.ts';
import { react, toEmojiName } from '../messages/reacting.ts';
import { channelFor, channelNamed, messageNamed, personNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { interact, toInteractionView } from './interacting.ts';
import { toMessageView } from './message-view.ts';
import { GatewayOrder, InteractionOrder, MessageOrder, MessageQuery, PermissionOrder, ReactionOrder } from './order-form.ts';

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
    .post('/discord/messages', async (c) => c.json(write(discord, parse(MessageOrder, await bodyOf(c)))))
    .post('/discord/reactions', async (c) => {
      const { user, message, emoji: text } = parse(ReactionOrder, await bodyOf(c));
      const emoji = toEmojiName(text);
      if (!emoji) throw new OrderError(`${text} is no emoji`);
      react(discord, messageNamed(discord, message), emoji, personNamed(discord, user).userId);
      return c.json(toMessageView(discord, messageNamed(discord, message)));
    })
    .post('/discord/permissions', async (c) => c.json(permit(discord, parse(PermissionOrder, await bodyOf(c)))))
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
    commands: [...commands.in(GUILD_ID), ...commands.in(undefined)].map(({ id, form }) => ({ id, name: form.name, options: form.options })),
    connections: gateway.connections.length,
  };
}

function write(discord: Discord, { user, channel: name, content, replyTo }: z.output<typeof MessageOrder>) {
  const author = personNamed(discord, user);
  const channel = channelFor(discord, name, author, 'SendMessages');
  const form = { content, ...(replyTo !== undefined && { message_reference: { message_id: replyTo } }) };
  return toMessageView(discord, post(discord, { channel, author, form: parseForm(MessageForm, form) }));
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
      gateway.invalidateSessions();
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
