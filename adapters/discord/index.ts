import { createHash } from 'node:crypto';
import type { ChatPlatform } from '#src/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { discordApi } from './api.ts';
import { capabilities } from './capabilities.ts';
import { toWireEmbeds } from './embeds.ts';
import { history, PAGE_SIZE } from './history.ts';
import { toMentions } from './mentions.ts';
import { messagePlace, toMessage, toSent, WireMessage } from './messages.ts';
import { namedThings, type Named } from './named.ts';
import { findSent } from './recovery.ts';

export interface DiscordOptions {
  /** A bot's token. */
  readonly token: string;
  /** The server in whose channels it speaks. */
  readonly guildId: string;
  readonly apiUrl?: string | undefined;
  readonly account?: string | undefined;
  readonly clock: Clock;
}

/** Text channels and announcement channels. */
const CHANNEL_TYPES: readonly unknown[] = [0, 5];

/** The channels of one Discord server, as a bot that is in it. */
export function discord({ token, guildId, apiUrl = 'https://discord.com/api', account = 'discord', clock }: DiscordOptions): ChatPlatform {
  const api = discordApi({ token, apiUrl, clock });
  const isText = ({ type }: Named): boolean => CHANNEL_TYPES.includes(type);
  const channels = namedThings({ api, path: `/guilds/${guildId}/channels`, kind: 'channel', mark: '#', isMeant: isText });
  const roles = namedThings({ api, path: `/guilds/${guildId}/roles`, kind: 'role', mark: '@' });
  const past = history(api);

  return {
    name: 'discord',
    account,
    capabilities,

    operations: {
      async send({ channel: name, content, embed, mention, replyTo }, { key, signal }) {
        const channel = await channels.require(name, signal);
        const mentions = await toMentions(mention, roles, signal);
        const body = {
          content: mentions.into(content),
          embeds: embed && toWireEmbeds(embed),
          allowed_mentions: mentions.allowed,
          message_reference: replyTo && { message_id: messagePlace(replyTo, 'replyTo').messageId, fail_if_not_exists: false },
          ...(key !== undefined && { nonce: toNonce(key), enforce_nonce: true }),
        };
        try {
          return toSent(
            await api({ method: 'POST', path: `/channels/${channel.id}/messages`, body, answer: WireMessage, signal }),
            guildId,
          );
        } catch (error) {
          // The channel is gone; another may have its name.
          if (error instanceof PlatformError && error.fault === 'missing') channels.forget();
          throw error;
        }
      },

      async edit({ message, content, embed }, { signal }) {
        const { channelId, messageId } = messagePlace(message, 'message');
        const path: `/${string}` = `/channels/${channelId}/messages/${messageId}`;
        const standing = embed && (await api({ method: 'GET', path, answer: WireMessage, signal })).embeds[0];
        const body = {
          content,
          embeds: embed && toWireEmbeds({ ...standing, ...embed }),
          allowed_mentions: { parse: [] },
        };
        return toSent(await api({ method: 'PATCH', path, body, answer: WireMessage, signal }), guildId);
      },

      async getMessages({ channel: name }, { cursor, signal }) {
        const { id, name: channelName } = await channels.require(name, signal);
        const messages = await past.page(id, { before: cursor, signal });
        const about = { guildId, channel: { id, name: channelName }, fetchedAt: new Date(clock.nowMs()) };
        return {
          items: messages.map((message) => toMessage(message, about)),
          cursor: messages.length < PAGE_SIZE ? undefined : messages.at(-1)?.id,
        };
      },
    },

    recover: {
      async send({ channel: name, content, embed, mention }, { key, since, taken, signal }) {
        const channel = await channels.require(name, signal);
        const mentions = await toMentions(mention, roles, signal);
        return findSent(
          { nonce: toNonce(key), content: mentions.into(content), embed, since, taken },
          {
            guildId,
            botId: await past.botId(signal),
            page: (before) => past.page(channel.id, { before, signal }),
            newestAt: () => past.newestAt(channel.id, signal),
          },
        );
      },
    },
  };
}

/** The same for every attempt at one write, in the 25 characters that Discord takes. */
function toNonce(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25);
}
