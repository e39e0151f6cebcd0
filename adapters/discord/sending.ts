import type { ChatPlatform } from '#src/chat/chat.ts';
import type { EmbedDraft } from '#src/chat/parameters.ts';
import type { SentMessage } from '#src/chat/records.ts';
import { doubtfulMs, lostAmong } from '#src/operation/lost-among.ts';
import type { Recovery } from '#src/operation/platform.ts';
import { isOptional, nameOf } from './attaching.ts';
import { changing } from './changing.ts';
import { toMentions } from './mentions.ts';
import { messagePlace, toSent } from './messages.ts';
import { toNonce } from './nonce.ts';
import type { Place } from './places.ts';
import { beginPost, ownPosts, refuseHeading, titleOf, type Heading } from './posts.ts';
import { findSent, saysTheSame, type Lost, type Saying } from './recovery.ts';
import { refinding } from './refinding.ts';
import { write, type Server } from './server.ts';

type Operations = Pick<ChatPlatform['operations'], 'send' | 'edit' | 'delete' | 'react' | 'publish'>;
type Recoveries = Pick<NonNullable<ChatPlatform['recover']>, 'send'>;

/** Messages that are sent, and what is done with them. */
export function sending(server: Server): { readonly operations: Operations; readonly recover: Recoveries } {
  const { guildId, places, roles, past } = server;

  /** Among the posts that the bot began since, the lost one. */
  async function findPost(
    forumId: string,
    { title, since, taken, ...saying }: Omit<Lost, 'nonce'> & Pick<Heading, 'title'> & { readonly signal?: AbortSignal | undefined },
  ): Promise<Recovery<SentMessage>> {
    const posts = await ownPosts(server, forumId, { sinceMs: doubtfulMs(since), signal: saying.signal });
    const name = titleOf({ title, ...saying });
    const alike = posts.filter(
      ({ thread, message }) => thread.name === name && !taken.has(toSent(message, guildId).id) && saysTheSame(message, saying),
    );
    const recovery = lostAmong(alike, { since, madeAt: ({ message }) => message.timestamp });
    return typeof recovery === 'object' ? { found: toSent(recovery.found.message, guildId) } : recovery;
  }

  return {
    operations: {
      ...changing(server),

      async send({ channel, thread, replyTo, title, tags, ...message }, { key, signal }) {
        const find = (): Promise<Place> => places.forMessage(channel, { thread, signal });
        const sent = await refinding(places, find, async (place) => {
          if (place.forum) return (await beginPost(server, place, { ...message, title, tags }, signal)).message;
          refuseHeading(place, { title, tags });
          const nonce = key === undefined ? undefined : toNonce(key);
          return write(server, place.id, { ...message, nonce, more: { message_reference: referenceTo(replyTo) } }, signal);
        });
        return toSent(sent, guildId);
      },
    },

    recover: {
      async send({ channel, thread, title, content, embed, files = [], mention }, { key, since, taken, about, signal }) {
        const { id, forum } = await places.forMessage(channel, { thread, signal });
        const mentions = await toMentions(mention, roles, signal);
        const saying: Saying & { readonly embed: EmbedDraft | undefined } = {
          content: mentions.into(content),
          embed,
          // After a restore, nobody knows which files the message was sent without.
          files: files.map((file) => ({ name: nameOf(file), isOptional: isOptional(file) || about !== undefined })),
        };
        if (forum) return findPost(id, { ...saying, title: title ?? titleOf({ content, embed }), since, taken, signal });
        return findSent(
          { nonce: toNonce(key), ...saying, since, taken, about },
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

/** What a message answers; one that is gone by then leaves it a plain message. */
function referenceTo(replyTo: string | undefined): object | undefined {
  return replyTo === undefined ? undefined : { message_id: messagePlace(replyTo, 'replyTo').messageId, fail_if_not_exists: false };
}
