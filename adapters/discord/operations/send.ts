import type { ChatPlatform } from '#src/chat/chat.ts';
import type { EmbedDraft } from '#src/chat/parameters.ts';
import type { SentMessage } from '#src/chat/records.ts';
import { doubtfulMs, findLost } from '#src/operation/find-lost.ts';
import type { Recovery } from '#src/operation/platform.ts';
import { fileName, isOptional } from '../attachments.ts';
import type { Channel } from '../channels.ts';
import { type Server, toMentions, toNonce, write } from '../server.ts';
import { parseMessageId, toSent } from '../wire/message.ts';
import { changing } from './change.ts';
import { beginPost, type Heading, postsOfBot, refuseHeading, titleOf } from './forum-posts.ts';
import { findSent, hasSameContent, historyIn, type Lost, type MessageContent } from './recovery.ts';
import { refinding } from './retry-on-gone.ts';

type Operations = Pick<ChatPlatform['operations'], 'send' | 'edit' | 'delete' | 'react' | 'publish'>;
type Recoveries = Pick<NonNullable<ChatPlatform['recover']>, 'send'>;

/** New messages. */
export function sending(server: Server): { readonly operations: Operations; readonly recover: Recoveries } {
  const { guildId, channels, roles } = server;

  /** Finds the lost post among the recent posts of the bot. */
  async function findPost(
    forumId: string,
    { title, since, taken, ...wanted }: Omit<Lost, 'nonce'> & Pick<Heading, 'title'> & { readonly signal?: AbortSignal | undefined },
  ): Promise<Recovery<SentMessage>> {
    const posts = await postsOfBot(server, forumId, { sinceMs: doubtfulMs(since), signal: wanted.signal });
    const name = titleOf({ title, ...wanted });
    const alike = posts.filter(
      ({ thread, message }) => thread.name === name && !taken.has(toSent(message, guildId).id) && hasSameContent(message, wanted),
    );
    const recovery = findLost(alike, { since, madeAt: ({ message }) => message.timestamp });
    return typeof recovery === 'object' ? { found: toSent(recovery.found.message, guildId) } : recovery;
  }

  return {
    operations: {
      ...changing(server),

      async send({ channel, thread, replyTo, title, tags, ...message }, { key, signal }) {
        const find = (): Promise<Channel> => channels.forMessage(channel, { thread, signal });
        const sent = await refinding(channels, find, async (target) => {
          if (target.forum) return (await beginPost(server, target, { ...message, title, tags }, signal)).message;
          refuseHeading(target, { title, tags });
          const nonce = key === undefined ? undefined : toNonce(key);
          return write(server, target.id, { ...message, nonce, more: { message_reference: referenceTo(replyTo) } }, signal);
        });
        return toSent(sent, guildId);
      },
    },

    recover: {
      async send({ channel, thread, title, content, embed, files = [], mention }, { key, since, taken, about, signal }) {
        const { id, forum } = await channels.forMessage(channel, { thread, signal });
        const mentions = await toMentions(mention, roles, signal);
        const wanted: MessageContent & { readonly embed: EmbedDraft | undefined } = {
          content: mentions.into(content),
          embed,
          // After a restore, any file may be missing from the message.
          files: files.map((file) => ({ name: fileName(file), isOptional: isOptional(file) || about !== undefined })),
        };
        if (forum) return findPost(id, { ...wanted, title: title ?? titleOf({ content, embed }), since, taken, signal });
        return findSent({ nonce: toNonce(key), ...wanted, since, taken, about }, await historyIn(server, id, signal));
      },
    },
  };
}

/** The reference of a reply. If the referenced message is deleted, Discord sends a plain message. */
function referenceTo(replyTo: string | undefined): object | undefined {
  return replyTo === undefined ? undefined : { message_id: parseMessageId(replyTo, 'replyTo').messageId, fail_if_not_exists: false };
}
