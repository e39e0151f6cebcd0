import type { ChatPlatform, StandingMessages } from '#src/chat/chat.ts';
import type { SentMessage } from '#src/chat/records.ts';
import type { EmbedDraft } from '#src/chat/parameters.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import { keepPictures } from '../attachments.ts';
import type { Channel } from '../channels.ts';
import { toAttachments } from '../client.ts';
import { codeOf, CODES } from '../errors.ts';
import { NoAnswer, type Server, toNonce, write } from '../server.ts';
import { toWireEmbeds, WireEmbeds } from '../wire/embed.ts';
import { type MessageAddress, parseMessageId, toSent, WireMessage } from '../wire/message.ts';
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

  /** The pictures of the cards that this process uploaded, by message: their addresses at Discord do not show where they come from. */
  const uploaded = new Map<string, string>();

  /** Whether a message has the wanted content. Without the permission to read it, it does not count as equal. */
  async function isShown({ path, messageId }: MessageAddress, wanted: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    const { embed } = wanted;
    if (embed?.pictures === 'keep' && uploaded.get(messageId) !== picturesOf(embed)) return false;
    const message = await ignoreFaults(api({ method: 'GET', path, answer: WireMessage, signal }), 'forbidden');
    return message !== undefined && isEqual(message, wanted);
  }

  async function change(target: MessageAddress, wanted: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    const { path, channelId, messageId } = target;
    const { content, embed } = wanted;
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
      if (await isShown(target, wanted, signal)) return true;
      await opening(server, channelId, () => pace.put(target, patch), signal);
      if (embed?.pictures === 'keep') uploaded.set(messageId, picturesOf(embed));
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

/** Whether an edit would change nothing. */
function isEqual(message: WireMessage, { content = '', embed }: Wanted): boolean {
  const [card] = embed ? WireEmbeds.parse(toWireEmbeds(embed)) : [];
  // A preview of a link in the text can look like a card.
  const others = message.embeds.filter(({ url }) => card === undefined && (url === undefined || !content.includes(url)));
  return others.length === 0 && hasSameContent(message, { content, embed: card && embed }) && isSameGrid(message.embeds[0], card);
}

function isSameGrid(one: EmbedDraft | undefined, other: EmbedDraft | undefined): boolean {
  const gridOf = (card: EmbedDraft | undefined): string => String((card?.fields ?? []).map(({ inline = false }) => inline));
  return other === undefined || gridOf(one) === gridOf(other);
}

function picturesOf({ image, thumbnail }: EmbedDraft): string {
  return JSON.stringify([image, thumbnail]);
}
