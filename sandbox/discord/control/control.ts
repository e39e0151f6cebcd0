import { Hono } from 'hono';
import type { z } from 'zod';
import { serve } from '../../control/endpoint.ts';
import { OrderError } from '../../control/order-error.ts';
import { parseForm } from '../form.ts';
import { isForum, type Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import { OPCODES } from '../gateway/session.ts';
import { PUBLIC_KEY } from '../identity.ts';
import { MessageForm } from '../messages/form.ts';
import { MESSAGE_TYPES } from '../messages/message.ts';
import { post, type Draft } from '../messages/post.ts';
import { react, toEmojiName } from '../messages/react.ts';
import { channelFor, channelNamed, inGuild, messageNamed, personNamed, guildOfMessage } from '../named.ts';
import type { Discord, InGuild } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { growThread, start } from '../rest/threads.ts';
import { compareIds } from '../snowflake.ts';
import {
  changeGuild,
  changeThread,
  createGuild,
  deleteContent,
  describeGuild,
  growGuild,
  setMemberState,
  setPermissions,
  setRole,
} from './changes.ts';
import * as endpoints from './endpoints.ts';
import { interact, toInteractionView } from './interact.ts';
import { getInteraction, sendInteraction } from './interaction-endpoints.ts';
import { toMemberView } from './member-view.ts';
import { toMessageView } from './message-view.ts';
import { historyOf } from './seen-message.ts';
import { getMemberView, listHistory } from './view-endpoints.ts';
import type { GatewayOrder, MessageOrder, MessageQuery, ReactionOrder, ThreadOrder } from './orders.ts';

/** The control API: it lists messages and lets people use the bot. */
export function controlRoutes(discord: Discord): Hono {
  const routes = new Hono();
  routes.onError((error, c) => {
    if (error instanceof OrderError) return c.json({ error: error.message }, 400);
    if (error instanceof Refusal) return c.json({ error: formatRefusal(error), errors: error.errors }, 400);
    throw error;
  });

  serve(routes, endpoints.getServer, ({ query }) => describeGuild(inGuild(discord, query)));
  serve(routes, endpoints.listMessages, ({ query }) => listMessages(discord, query));
  serve(routes, endpoints.writeMessage, ({ body }) => write(discord, body));
  serve(routes, endpoints.addReaction, ({ body }) => addReaction(discord, body));
  serve(routes, endpoints.openThread, ({ body }) => openThread(discord, body));
  serve(routes, endpoints.setThreadState, ({ body }) => changeThread(discord, body));
  serve(routes, endpoints.deleteContent, ({ body }) => deleteContent(discord, body));
  serve(routes, endpoints.setPermissions, ({ body }) => setPermissions(discord, body));
  serve(routes, endpoints.setRole, ({ body }) => setRole(discord, body));
  serve(routes, endpoints.growServer, ({ body }) => growGuild(discord, body));
  serve(routes, endpoints.createServer, ({ body }) => createGuild(discord, body));
  serve(routes, endpoints.changeServer, ({ body }) => changeGuild(discord, body));
  serve(routes, endpoints.setMemberState, ({ body }) => setMemberState(discord, body));
  serve(routes, endpoints.disturbGateway, ({ body }) => disturb(discord, body));
  serve(routes, endpoints.limitShards, ({ body }) => {
    discord.gateway.limitSessionStarts(body);
    return discord.gateway.sessionStarts;
  });
  serve(routes, endpoints.setEndpoint, async ({ body: { url } }) => {
    await discord.endpoint.save(url);
    return { url: discord.endpoint.url, publicKey: PUBLIC_KEY };
  });
  serve(routes, getMemberView, ({ query }) => toMemberView(discord, query));
  serve(routes, listHistory, ({ query }) => historyOf(discord, query));
  serve(routes, sendInteraction, ({ body }) => interact(discord, body));
  serve(routes, getInteraction, ({ c }) => {
    const id = c.req.param('interaction') ?? '';
    const interaction = discord.interactions.find(id);
    if (!interaction) throw new OrderError(`interaction: no interaction of the last 15 minutes has the id ${id}.`);
    return toInteractionView(discord, interaction);
  });
  return routes;
}

function listMessages(discord: Discord, query: z.output<typeof MessageQuery>) {
  const { channel: name, cursor, limit } = query;
  const scope = inGuild(discord, query);
  const channel = name === undefined ? undefined : channelNamed(scope, name);
  const isListed = (channelId: string): boolean =>
    channel ? channelId === channel.id : query.guild === undefined || discord.guilds.of(channelId) === scope.guild;
  const rest = [...discord.messages.all()].filter(
    ({ id, channelId, type }) =>
      // The notes of Discord are no messages of anyone.
      type !== MESSAGE_TYPES.threadCreated && isListed(channelId) && (cursor === undefined || compareIds(id, cursor) > 0),
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
  const form = {
    content: withMentions(content, scope),
    allowed_mentions: mentions,
    ...(replyTo !== undefined && { message_reference: { message_id: replyTo } }),
  };
  const target = isForum(channel) ? openPost(scope, channel, author, order) : { channel };
  return toMessageView(discord, post(discord, { ...target, author, form: parseForm(MessageForm, form) }));
}

/** The text with a mention for each `@name` of a member or a role, which the clients of Discord send in its place. */
function withMentions(text: string, { guild: { id: everyone, members, roles } }: InGuild): string {
  const named = [
    ...roles.filter(({ id }) => id !== everyone).map(({ id, name }) => [name, `<@&${id}>`] as const),
    ...members.all().flatMap(({ userId, username, displayName }) => [username, displayName].map((name) => [name, `<@${userId}>`] as const)),
  ];
  const mentions = new Map(named.map(([name, mention]) => [name.toLowerCase(), mention]));
  const longestFirst = [...mentions.keys()].toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  const typed = new RegExp(`(?<![\\w@])@(${longestFirst.join('|')})(?!\\w)`, 'giu');
  return text.replace(typed, (whole, name: string) => mentions.get(name.toLowerCase()) ?? whole);
}

/** Opens the thread of a forum post. Its first message has the id of the thread. */
function openPost(
  { ids, ...discord }: InGuild,
  forum: Channel,
  { userId: ownerId }: Member,
  { title, tags }: z.output<typeof MessageOrder>,
): Pick<Draft, 'channel' | 'id'> {
  if (title === undefined) throw new OrderError(`title: required, because #${forum.name} is a forum. Expected a text.`);
  const tagIds = tags.map((tag) => forum.tags.find(({ name }) => name === tag)?.id ?? tag);
  const id = ids.next();
  return { id, channel: start({ ids, ...discord }, forum, { id, name: title, autoArchiveMinutes: 1440, tagIds, ownerId }) };
}

function addReaction(discord: Discord, { user, message, emoji: text }: z.output<typeof ReactionOrder>) {
  const emoji = toEmojiName(text);
  if (!emoji) throw new OrderError(`emoji: expected a Unicode emoji or name:id, got "${text}".`);
  const target = messageNamed(discord, message);
  react(discord, target, emoji, personNamed(guildOfMessage(discord, target), user).userId);
  return toMessageView(discord, messageNamed(discord, message));
}

function openThread(discord: Discord, { user, message: id, name }: z.output<typeof ThreadOrder>) {
  const message = messageNamed(discord, id);
  const scope = guildOfMessage(discord, message);
  const owner = personNamed(scope, user);
  const parent = channelFor(scope, message.channelId, owner, 'CreatePublicThreads');
  const thread = growThread(discord, message, { name, autoArchiveMinutes: 1440, parent, ownerId: owner.userId });
  return { id: thread.id, name: thread.name };
}

/** The fields of an order, by the fields of Discord's form. */
const FIELDS: Readonly<Record<string, string>> = { message_reference: 'replyTo', applied_tags: 'tags' };

/** The message of a refusal by Discord. It names the fields of an invalid form. */
function formatRefusal({ message, errors = {} }: Refusal): string {
  const fields = Object.entries(errors).map(([name, mistakes]) => {
    const texts = [...JSON.stringify(mistakes).matchAll(/"message":"([^"]*)"/gu)].map(([, text = '']) => text.replace(/\.$/u, ''));
    return `${FIELDS[name] ?? name}: ${texts.join(', ')}.`;
  });
  return fields.length > 0 ? fields.join(' ') : `Discord refuses the order: ${message}.`;
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
