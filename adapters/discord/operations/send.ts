import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { SentMessage } from '#src/clients/chat/records.ts';
import { doubtfulMs, findLost } from '#src/clients/operation/find-lost.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { assertShown } from '../assert-shown.ts';
import { fileName, isOptional } from '../attachments.ts';
import type { Channel } from '../channels.ts';
import { type Server, toMentions, toNonce, write } from '../server.ts';
import { parseMessageId, toSent } from '../wire/message.ts';
import { changing } from './change.ts';
import { beginPost, type Heading, postsOfBot, refuseHeading, titleOf } from './forum-posts.ts';
import { findSent, hasSameContent, historyIn, type Lost, type MessageContent } from './recovery.ts';
import { refinding } from './retry-on-gone.ts';
import { directChannel, homeOf, isNamedAs, webhookIn, writeAs } from './senders.ts';

type Operations = Pick<ChatPlatform['operations'], 'send' | 'edit' | 'delete' | 'react' | 'publish'>;
type Recoveries = Pick<NonNullable<ChatPlatform['recover']>, 'send'>;

/** The place of direct messages in addresses. */
const DIRECT = '@me';

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

      async send({ channel = '', user, sender, thread, replyTo, title, tags, ...message }, { key, signal }) {
        await assertShown(message);
        if (user !== undefined) {
          const nonce = key === undefined ? undefined : toNonce(key);
          return toSent(await write(server, await directChannel(server, user, signal), { ...message, key, nonce }, signal), DIRECT);
        }
        const find = (): Promise<Channel> => channels.forMessage(channel, { thread, signal });
        const sent = await refinding(channels, find, async (target) => {
          if (target.forum && !sender) return (await beginPost(server, target, { ...message, key, title, tags }, signal)).message;
          refuseHeading(target, { title, tags });
          if (sender) return writeAs(server, target, { ...message, sender, key }, signal);
          const nonce = key === undefined ? undefined : toNonce(key);
          return write(server, target.id, { ...message, key, nonce, more: { message_reference: referenceTo(replyTo) } }, signal);
        });
        return toSent(sent, guildId);
      },
    },

    recover: {
      async send(
        { channel = '', user, sender, thread, title, content, files = [], mention, embed, embeds, buttons, layout },
        { key, since, taken, about, signal },
      ) {
        const place: Channel =
          user === undefined
            ? await channels.forMessage(channel, { thread, signal })
            : { id: await directChannel(server, user, signal), name: user, forum: false };
        const { id, forum } = place;
        const mentions = await toMentions(mention, roles, signal);
        const wanted: MessageContent = {
          content: mentions.into(content),
          embed,
          embeds,
          buttons,
          layout,
          // After a restore, any file may be missing from the message.
          files: files.map((file) => ({ name: fileName(file), isOptional: isOptional(file) || about !== undefined })),
        };
        if (forum) return findPost(id, { ...wanted, title: title ?? titleOf({ content, embed, embeds, layout }), since, taken, signal });
        const lost = { nonce: toNonce(key), ...wanted, since, taken, about };
        const history = { ...(await historyIn(server, id, signal)), ...(user !== undefined && { guildId: DIRECT }) };
        if (!sender) return findSent(lost, history);
        // Discord keeps no nonce of a webhook: its message is found by its sender and its content.
        const webhook = await webhookIn(server, homeOf(place), signal);
        return webhook ? findSent(lost, { ...history, botId: webhook.id, isSender: (name) => isNamedAs(sender.name, name) }) : 'absent';
      },
    },
  };
}

/** The reference of a reply. If the referenced message is deleted, Discord sends a plain message. */
function referenceTo(replyTo: string | undefined): object | undefined {
  return replyTo === undefined ? undefined : { message_id: parseMessageId(replyTo, 'replyTo').messageId, fail_if_not_exists: false };
}
