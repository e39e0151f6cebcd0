import type { ChatPlatform } from '#src/chat/chat.ts';
import { toWireEmbeds } from './embeds.ts';
import { codeOf, CODES } from './faults.ts';
import { fileNameOf } from './files.ts';
import { toMentions } from './mentions.ts';
import { messagePlace, toSent, WireMessage } from './messages.ts';
import { toNonce } from './nonce.ts';
import { findSent } from './recovery.ts';
import { Nothing, write, type Server } from './server.ts';

type Operations = Pick<ChatPlatform['operations'], 'send' | 'edit' | 'delete' | 'react' | 'publish'>;
type Recoveries = Pick<NonNullable<ChatPlatform['recover']>, 'send'>;

/** Messages that are sent, and what is done with them. */
export function sending(server: Server): { readonly operations: Operations; readonly recover: Recoveries } {
  const { api, guildId, places, roles, past } = server;

  return {
    operations: {
      async send({ channel, thread, replyTo, ...message }, { key, signal }) {
        const { id } = await places.forMessage(channel, { thread, signal });
        const reference = replyTo && { message_id: messagePlace(replyTo, 'replyTo').messageId, fail_if_not_exists: false };
        const nonce = key === undefined ? undefined : toNonce(key);
        return toSent(await write(server, id, { ...message, nonce, more: { message_reference: reference } }, signal), guildId);
      },

      async edit({ message, content, embed }, { signal }) {
        const { path } = messagePlace(message, 'message');
        const standing = embed && (await api({ method: 'GET', path, answer: WireMessage, signal })).embeds[0];
        const body = {
          content,
          embeds: embed && toWireEmbeds({ ...standing, ...embed }),
          allowed_mentions: { parse: [] },
        };
        return toSent(await api({ method: 'PATCH', path, body, answer: WireMessage, signal }), guildId);
      },

      async delete({ message }, { signal }) {
        const { path, channelId, messageId } = messagePlace(message, 'message');
        await unless(CODES.unknownMessage, () => api({ method: 'DELETE', path, answer: Nothing, signal }));
        return toSent({ id: messageId, channel_id: channelId }, guildId);
      },

      async react({ message, emoji }, { signal }) {
        const { path, channelId, messageId } = messagePlace(message, 'message');
        await api({ method: 'PUT', path: `${path}/reactions/${encodeURIComponent(toEmoji(emoji))}/@me`, answer: Nothing, signal });
        return toSent({ id: messageId, channel_id: channelId }, guildId);
      },

      async publish({ message }, { signal }) {
        const { path, channelId, messageId } = messagePlace(message, 'message');
        await unless(CODES.published, () => api({ method: 'POST', path: `${path}/crosspost`, answer: Nothing, signal }));
        return toSent({ id: messageId, channel_id: channelId }, guildId);
      },
    },

    recover: {
      async send({ channel, thread, content, embed, files, mention }, { key, since, taken, signal }) {
        const { id } = await places.forMessage(channel, { thread, signal });
        const mentions = await toMentions(mention, roles, signal);
        return findSent(
          { nonce: toNonce(key), content: mentions.into(content), embed, files: files?.map(fileNameOf), since, taken },
          {
            guildId,
            botId: await past.botId(signal),
            page: (before) => past.page(id, { before, signal }),
            newestAt: () => past.newestAt(id, signal),
          },
        );
      },
    },
  };
}

/** Does something that may be done already, which Discord says with `code`. */
async function unless(code: number, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
  }
}

/** An emoji as a path names it: itself, or `name:id`, which people copy as `<:name:id>`. */
function toEmoji(text: string): string {
  return /^<?a?:?(\w{2,32}:\d+)>?$/.exec(text)?.[1] ?? text;
}
