import type { ChatPlatform, StandingMessages } from '#src/chat/chat.ts';
import type { SentMessage } from '#src/chat/records.ts';
import { isFault } from '#src/http/errors.ts';
import { keepPictures } from '../attachments.ts';
import type { Channel } from '../channels.ts';
import { toAttachments } from '../client.ts';
import { codeOf, CODES } from '../errors.ts';
import { NoAnswer, type Server, toNonce, write } from '../server.ts';
import { toWireEmbeds } from '../wire/embed.ts';
import { type MessageAddress, parseMessageId, toSent, type WireMessage } from '../wire/message.ts';
import { beginPost, postsOfBot } from './forum-posts.ts';
import { hasSameContent } from './recovery.ts';
import { opening, refinding } from './retry-on-gone.ts';

/** The record stored before a send: the channel, and its newest message at that time. */
const BEGUN = /^sending (\d+)\/(\d+)$/;
const MOST_PAGES = 10;

interface Begun {
  readonly place: Pick<Channel, 'id' | 'name' | 'forum'>;
  /** The newest message before the attempt; the attempt's message is newer. */
  readonly after: string;
}

type Put = NonNullable<ChatPlatform['operations']['put']>;
type Wanted = Parameters<Put>[0];

/** Keeps one message per name. The start of each send is stored first, so a crash does not cause a second message. */
export function standing(server: Server, store: StandingMessages): { readonly operations: { readonly put: Put } } {
  const { api, account, guildId, channels, history, pace, fetchFile } = server;

  async function change(target: MessageAddress, { content, embed }: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    const { path, channelId } = target;
    const patch = async (): Promise<unknown> => {
      const card = embed && (await keepPictures(embed, { fetchFile, signal }));
      const files = card?.files ?? [];
      const body = {
        content: content ?? '',
        embeds: card ? toWireEmbeds(card.embed) : [],
        attachments: toAttachments(files),
        allowed_mentions: { parse: [] },
      };
      return api({ method: 'PATCH', path, body, files, answer: NoAnswer, signal });
    };
    try {
      await opening(server, channelId, () => pace.put(target, patch), signal);
      return true;
    } catch (error) {
      if (isFault(error, 'missing')) return false;
      throw error;
    }
  }

  async function begin(name: string, target: Begun['place'], signal: AbortSignal | undefined): Promise<Begun> {
    const after = (await history.newestId(target.id, signal)) ?? '0';
    await store.keep(account, name, `sending ${target.id}/${after}`);
    return { place: target, after };
  }

  /** The message of an attempt with an unknown outcome, if the channel shows it. */
  async function findBegun(
    { place: target, after }: Begun,
    wanted: Wanted,
    signal: AbortSignal | undefined,
  ): Promise<WireMessage | undefined> {
    if (target.forum) return findPost(target.id, { after, name: wanted.name, signal });
    const botId = await history.botId(signal);
    let before: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const messages = await history.page(target.id, { before, signal });
      const newer = messages.filter(({ id }) => BigInt(id) > BigInt(after));
      const found = newer.findLast((message) => message.author.id === botId && hasSameContent(message, wanted));
      if (found || newer.length < messages.length || messages.length === 0) return found;
      before = messages.at(-1)?.id;
    }
    return undefined;
  }

  /** In a forum, the name of the message is the title of the post. */
  async function findPost(
    forumId: string,
    { after, name, signal }: { readonly after: string; readonly name: string; readonly signal: AbortSignal | undefined },
  ): Promise<WireMessage | undefined> {
    const posts = await postsOfBot(server, forumId, { sinceMs: 0, signal });
    return posts.findLast(({ thread }) => BigInt(thread.id) > BigInt(after) && thread.name === name)?.message;
  }

  async function send(
    { place: target, after }: Begun,
    { name, content, embed, tags }: Wanted,
    signal: AbortSignal | undefined,
  ): Promise<WireMessage> {
    if (target.forum) return (await beginPost(server, target, { title: name, tags, content, embed }, signal)).message;
    const nonce = toNonce(`standing ${account} ${name} ${target.id} ${after}`);
    return write(server, target.id, { content, embed, nonce }, signal);
  }

  async function finish(begun: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage> {
    const found = await findBegun(begun, wanted, signal);
    if (found) return found;
    try {
      const sent = await send(begun, wanted, signal);
      // The message may be from an earlier attempt with older content.
      await change(parseMessageId(toSent(sent, guildId).id, 'message'), wanted, signal);
      return sent;
    } catch (error) {
      // The message was sent and then deleted.
      if (codeOf(error) !== CODES.unknownMessage) throw error;
      return send(await begin(wanted.name, begun.place, signal), wanted, signal);
    }
  }

  async function isIn(forum: Channel, { channelId }: MessageAddress, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return (await channels.forMessage(channelId, { signal })).parent_id === forum.id;
    } catch (error) {
      // Then the message is gone too, and the edit reports it.
      if (isFault(error, 'missing')) return true;
      throw error;
    }
  }

  async function putIn(where: Channel, wanted: Wanted, signal: AbortSignal | undefined): Promise<SentMessage> {
    const { name } = wanted;
    const known = await store.find(account, name);
    const [, begunIn, after] = BEGUN.exec(known ?? '') ?? [];

    if (known !== undefined && begunIn === undefined) {
      const target = parseMessageId(known, 'message');
      const record = toSent({ id: target.messageId, channel_id: target.channelId }, guildId);
      // The channel of a forum post is its thread.
      const isHere = where.forum ? await isIn(where, target, signal) : target.channelId === where.id;
      if (isHere) {
        if (await change(target, wanted, signal)) return record;
      } else {
        await opening(server, target.channelId, () => api({ method: 'DELETE', path: target.path, answer: NoAnswer, signal }), signal).catch(
          (error: unknown) => {
            if (!isFault(error, 'missing')) throw error;
          },
        );
      }
    }
    const goesOn = begunIn === where.id && after !== undefined;
    const sent = goesOn
      ? await finish({ place: where, after }, wanted, signal)
      : await send(await begin(name, where, signal), wanted, signal);
    const record = toSent(sent, guildId);
    await store.keep(account, name, record.id);
    return record;
  }

  return {
    operations: {
      put(wanted, { signal }) {
        const find = (): Promise<Channel> => channels.forMessage(wanted.channel, { signal });
        return refinding(channels, find, (where) => putIn(where, wanted, signal));
      },
    },
  };
}
