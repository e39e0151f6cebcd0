import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { Address, Id, parseForm } from '../form.ts';
import { type Channel, isForum } from '../guild/channel.ts';
import { APPLICATION_ID } from '../identity.ts';
import { MessageForm } from '../messages/form.ts';
import type { Message } from '../messages/message.ts';
import { edit, post, remove } from '../messages/post.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { readBody, readForm } from './body.ts';
import { channelOf, demand, idOf } from './guild.ts';
import { limited } from './rate-limits.ts';

/** The id of the application in this place belongs to answers to interactions. */
const WEBHOOK = `/webhooks/:webhook{(?!${APPLICATION_ID}\\b)[0-9]+}/:token`;

const COLLECTION = 'discord.webhooks';
const MOST_WEBHOOKS = 15;

const Webhook = z.object({ id: z.string(), channelId: z.string(), name: z.string(), token: z.string() });
type Webhook = z.output<typeof Webhook>;

/** Discord refuses some names, and removes invisible characters and repeated spaces from others. */
const Name = z
  .string()
  .transform((name) =>
    name
      .replace(/[\u200B\u2060]/gu, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1)
      .max(80)
      .refine((name) => !/clyde|discord/iu.test(name), {
        params: { code: 'USERNAME_INVALID_CONTAINS' },
        message: 'Username cannot contain "discord" or "clyde"',
      }),
  );
const WebhookForm = z.object({ name: Name });
const SenderForm = z.object({ username: Name.nullish(), avatar_url: Address.nullish() });
const DirectForm = z.object({ recipient_id: Id });

/** Webhooks of channels: messages under another name and picture. The token in the path is the authorization. */
export function webhookRoutes(discord: Discord): Hono {
  const limit = limited(discord.limits, 'webhook', 'token');
  const message = `${WEBHOOK}/messages/:message`;
  return new Hono()
    .post(WEBHOOK, limit, async (c) => {
      const { json, uploads } = await readBody(c);
      const webhook = webhookOf(discord, c);
      const channel = channelFor(discord, c, webhook);
      const { username, avatar_url: avatar } = parseForm(SenderForm, json);
      const form = { ...parseForm(MessageForm, json), nonce: undefined, enforceNonce: false, replyTo: undefined };
      const sender = { name: username ?? webhook.name, avatar: avatar ?? undefined };
      const author = discord.guilds.of(channel.id).members.bot;
      const sent = post(discord, { channel, author, form, uploads, webhook: { id: webhook.id, sender } });
      return c.req.query('wait') === 'true' ? c.json(toMessage(discord, sent)) : c.body(null, 204);
    })
    .get(message, limit, (c) => c.json(toMessage(discord, messageOf(discord, c))))
    .patch(message, limit, async (c) => {
      const { json, uploads } = await readBody(c);
      return c.json(toMessage(discord, edit(discord, messageOf(discord, c), { form: parseForm(MessageForm, json), uploads })));
    })
    .delete(message, limit, (c) => {
      remove(discord, messageOf(discord, c));
      return c.body(null, 204);
    });
}

/** Routes of the bot: the webhooks of a channel, and channels of direct messages. */
export function ownWebhookRoutes(discord: Discord): Hono {
  const path = '/channels/:channel/webhooks';
  return new Hono()
    .get(path, limited(discord.limits, 'guild', 'channel'), (c) => {
      const channel = channelOf(discord, c);
      demand(discord, 'ManageWebhooks', channel);
      return c.json(
        all(discord)
          .filter(({ channelId }) => channelId === channel.id)
          .map((one) => toWebhook(discord, one)),
      );
    })
    .post(path, limited(discord.limits, 'guild', 'channel'), async (c) => {
      const { name } = await readForm(c, WebhookForm);
      const channel = channelOf(discord, c);
      if (channel.thread) throw refusals.wrongChannelType();
      demand(discord, 'ManageWebhooks', channel);
      if (all(discord).filter(({ channelId }) => channelId === channel.id).length >= MOST_WEBHOOKS) throw refusals.tooManyWebhooks();
      const webhook = { id: discord.ids.next(), channelId: channel.id, name, token: randomBytes(32).toString('base64url') };
      journalOf(discord).put(COLLECTION, webhook.id, webhook);
      return c.json(toWebhook(discord, webhook));
    })
    .post('/users/@me/channels', async (c) => {
      const { recipient_id: userId } = await readForm(c, DirectForm);
      const { channels } = discord.guilds.first;
      const user = discord.guilds.findUser(userId);
      if (!user) throw refusals.unknownUser();
      const known = channels.findDirect(userId);
      const channel: Channel = known ?? {
        id: discord.ids.next(),
        name: user.displayName,
        kind: 'text',
        position: 0,
        tags: [],
        requiresTag: false,
        overwrites: [],
        recipientId: userId,
      };
      if (!known) channels.put(channel);
      return c.json({ id: channel.id, type: 1, last_message_id: discord.messages.lastId(channel.id) ?? null, recipients: [], flags: 0 });
    });
}

function journalOf({ context }: Discord): Journal {
  return context.journal;
}

function all(discord: Discord): readonly Webhook[] {
  return journalOf(discord)
    .all(COLLECTION)
    .map((document) => Webhook.parse(document));
}

function webhookOf(discord: Discord, c: Context): Webhook {
  const webhook = all(discord).find(({ id }) => id === idOf(c, 'webhook'));
  if (!webhook) throw refusals.unknownWebhook();
  if (webhook.token !== c.req.param('token')) throw refusals.invalidToken();
  return webhook;
}

/** The channel of a webhook, or a thread in it. */
function channelFor(discord: Discord, c: Context, { channelId }: Webhook): Channel {
  const { channels } = discord.guilds.of(channelId);
  const threadId = c.req.query('thread_id');
  const channel = channels.find(threadId ?? channelId);
  if (!channel || (threadId !== undefined && channel.thread?.parentId !== channelId)) throw refusals.unknownChannel();
  if (isForum(channel)) throw refusals.notForWriting();
  return channel;
}

function messageOf(discord: Discord, c: Context): Message {
  const webhook = webhookOf(discord, c);
  const message = discord.messages.existing(channelFor(discord, c, webhook).id, idOf(c, 'message'));
  if (!message || message.authorId !== webhook.id) throw refusals.unknownMessage();
  return message;
}

function toWebhook({ guilds }: Discord, { id, channelId, name, token }: Webhook): JsonObject {
  return {
    id,
    type: 1,
    guild_id: guilds.of(channelId).id,
    channel_id: channelId,
    name,
    avatar: null,
    token,
    application_id: APPLICATION_ID,
  };
}
