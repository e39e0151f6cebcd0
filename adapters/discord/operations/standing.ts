import type { ChatPlatform, StandingMessages } from '#src/clients/chat/chat.ts';
import type { SentMessage } from '#src/clients/chat/records.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import { cardsOf } from '#src/clients/chat/sendable-cards.ts';
import { isFault } from '#src/http/errors.ts';
import { assertShown } from '../assert-shown.ts';
import { keepPictures } from '../attachments.ts';
import type { Channel } from '../channels.ts';
import { toAttachments } from '../client.ts';
import { codeOf, CODES } from '../errors.ts';
import { NoAnswer, type Server, toNonce, write } from '../server.ts';
import { hasLastingButtons, hasSameLayout, toWireComponents } from '../wire/components.ts';
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
type Wanted = Parameters<Put>[0] & { readonly key?: string | undefined };

interface Changing {
  readonly message: WireMessage | 'unreadable';
  readonly wanted: Wanted;
  readonly signal: AbortSignal | undefined;
}

/** Keeps one message per name. The start of each send is stored first, so a crash does not cause a second message. */
export function standing(server: Server, store: StandingMessages): { readonly operations: { readonly put: Put } } {
  const { api, account, guildId, channels, history, pace, fetchFile, clock } = server;

  /** The pictures of the cards that this process uploaded, by message: their addresses at Discord do not show where they come from. */
  const uploaded = new Map<string, string>();

  /** The message of a name; undefined: it is deleted. */
  async function read({ path }: MessageAddress, signal: AbortSignal | undefined): Promise<WireMessage | 'unreadable' | undefined> {
    try {
      return await api({ method: 'GET', path, answer: WireMessage, signal });
    } catch (error) {
      if (isFault(error, 'missing')) return undefined;
      if (isFault(error, 'forbidden')) return 'unreadable';
      throw error;
    }
  }

  /** Whether a message has the wanted content, and buttons that work for weeks. Without the permission to read it, it does not count as equal. */
  function isShown(message: WireMessage | 'unreadable', wanted: Wanted): boolean {
    if (message === 'unreadable' || (keeps(wanted) && uploaded.get(message.id) !== picturesOf(wanted))) return false;
    return isEqual(message, wanted) && hasLastingButtons(message, { ...wanted, nowMs: clock.nowMs() });
  }

  /** Gives a message the wanted content; false: it is deleted. */
  async function change(target: MessageAddress, { message, wanted, signal }: Changing): Promise<boolean> {
    const { path, channelId, messageId } = target;
    const { content, layout, buttons = [], key } = wanted;
    const patch = async (): Promise<unknown> => {
      const { cards, files } = await keepPictures(cardsOf(wanted), { fetchFile, signal });
      const body = {
        ...(layout ? { content: null, embeds: [] } : { content: content ?? '', embeds: toWireEmbeds(cards) }),
        ...toWireComponents({ buttons, layout }, key),
        attachments: toAttachments(files),
        allowed_mentions: { parse: [] },
      };
      return api({ method: 'PATCH', path, body, files, answer: NoAnswer, signal });
    };
    if (isShown(message, wanted)) return true;
    try {
      await opening(server, channelId, () => pace.put(target, patch), signal);
      if (keeps(wanted)) uploaded.set(messageId, picturesOf(wanted));
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

  async function send({ place: target, after }: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage> {
    if (target.forum) return (await beginPost(server, target, { ...wanted, title: wanted.name }, signal)).message;
    const nonce = toNonce(`standing ${account} ${wanted.name} ${target.id} ${after}`);
    return write(server, target.id, { ...wanted, nonce }, signal);
  }

  async function finish(begun: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage> {
    const found = await findBegun(begun, wanted, signal);
    if (found) return found;
    try {
      const sent = await send(begun, wanted, signal);
      // The message may be from an earlier attempt with older content.
      await change(parseMessageId(toSent(sent, guildId).id, 'message'), { message: sent, wanted, signal });
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

  /** Whether a message has to be sent again: it has to move to the bottom of its channel, or a layout becomes a text. */
  async function isReplaced(message: WireMessage | 'unreadable', wanted: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    if (message === 'unreadable' || isEqual(message, wanted)) return false;
    if (message.isLayout && !wanted.layout) return true;
    if (!wanted.last) return false;
    const [newest] = await history.page(message.channel_id, { signal });
    return newest !== undefined && newest.id !== message.id;
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
      const message = isHere ? await read(target, signal) : undefined;
      const isKept = message !== undefined && !(await isReplaced(message, wanted, signal));
      if (isKept && (await change(target, { message, wanted, signal }))) return record;
      if (!isHere || (message !== undefined && !isKept)) {
        await opening(server, target.channelId, () => api({ method: 'DELETE', path: target.path, answer: NoAnswer, signal }), signal).catch(
          (error: unknown) => {
            // The message of a channel that the bot no longer sees stays there.
            if (!isFault(error, 'missing') && (isHere || !isFault(error, 'forbidden'))) throw error;
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
      async put(put, { key, signal }) {
        await assertShown(put);
        const wanted = { ...put, key };
        const find = (): Promise<Channel> => channels.forMessage(wanted.channel, { signal });
        return refinding(channels, find, (where) => putIn(where, wanted, signal));
      },
    },
  };
}

/** Whether an edit would change nothing. */
function isEqual(message: WireMessage, { content = '', layout, buttons, ...wanted }: Wanted): boolean {
  const drafts = cardsOf(wanted);
  const cards = WireEmbeds.parse(toWireEmbeds(drafts));
  // A preview of a link in the text can look like a card.
  const others = message.embeds.filter(({ url }) => cards.length === 0 && (url === undefined || !content.includes(url)));
  const isSame = hasSameContent(message, { content, layout, buttons, embeds: cards.length > 0 ? drafts : [] });
  const isAlike = layout === undefined || hasSameLayout(message, { layout, buttons });
  return others.length === 0 && isSame && isAlike && cards.every((card, index) => isSameGrid(message.embeds[index], card));
}

function isSameGrid(one: EmbedDraft | undefined, other: EmbedDraft): boolean {
  const gridOf = (card: EmbedDraft | undefined): string => String((card?.fields ?? []).map(({ inline = false }) => inline));
  return gridOf(one) === gridOf(other);
}

function keeps(wanted: Wanted): boolean {
  return cardsOf(wanted).some(({ pictures }) => pictures === 'keep');
}

function picturesOf(wanted: Wanted): string {
  return JSON.stringify(cardsOf(wanted).map(({ image, thumbnail }) => [image, thumbnail]));
}
