import type { ChatPlatform } from '#src/chat/chat.ts';
import type { SentMessage } from '#src/chat/records.ts';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import { PlatformError } from '#src/errors.ts';
import { toWireEmbeds } from './embeds.ts';
import { codeOf, CODES } from './faults.ts';
import { messagePlace, toSent, type MessagePlace, type WireMessage } from './messages.ts';
import { toNonce } from './nonce.ts';
import { toAttachments } from './multipart.ts';
import { keepPictures } from './pictures.ts';
import type { Place } from './places.ts';
import { beginPost, ownPosts } from './posts.ts';
import { saysTheSame } from './recovery.ts';
import { refinding } from './refinding.ts';
import { opening } from './reopening.ts';
import { Nothing, write, type Server } from './server.ts';

/** Written down before a message is sent: the channel, and its newest message at that time. */
const BEGUN = /^sending (\d+)\/(\d+)$/;
const MOST_PAGES = 10;

interface Begun {
  readonly place: Pick<Place, 'id' | 'name' | 'forum'>;
  /** What was sent for it is newer. */
  readonly after: string;
}

type Put = NonNullable<ChatPlatform['operations']['put']>;
type Wanted = Parameters<Put>[0];

/** Keeps one message a name. What is begun is written down first, so that a crash before its end makes no second message. */
export function standing(server: Server, kept: StandingMessages): { readonly operations: { readonly put: Put } } {
  const { api, account, guildId, places, past, pace, fetchFile } = server;

  async function change(place: MessagePlace, { content, embed }: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    const { path, channelId } = place;
    const patch = async (): Promise<unknown> => {
      const card = embed && (await keepPictures(embed, { fetchFile, signal }));
      const files = card?.files ?? [];
      const body = {
        content: content ?? '',
        embeds: card ? toWireEmbeds(card.embed) : [],
        attachments: toAttachments(files),
        allowed_mentions: { parse: [] },
      };
      return api({ method: 'PATCH', path, body, files, answer: Nothing, signal });
    };
    try {
      await opening(server, channelId, () => pace.put(place, patch), signal);
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async function begin(name: string, place: Begun['place'], signal: AbortSignal | undefined): Promise<Begun> {
    const after = (await past.newestId(place.id, signal)) ?? '0';
    await kept.keep(account, name, `sending ${place.id}/${after}`);
    return { place, after };
  }

  /** The message that an attempt sent whose end was not written down, as far as the channel shows it. */
  async function findBegun({ place, after }: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage | undefined> {
    if (place.forum) return findPost(place.id, { after, name: wanted.name, signal });
    const botId = await past.botId(signal);
    let before: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const messages = await past.page(place.id, { before, signal });
      const newer = messages.filter(({ id }) => BigInt(id) > BigInt(after));
      const found = newer.findLast((message) => message.author.id === botId && saysTheSame(message, wanted));
      if (found || newer.length < messages.length || messages.length === 0) return found;
      before = messages.at(-1)?.id;
    }
    return undefined;
  }

  /** In a forum the post has the name of the message for its title. */
  async function findPost(
    forumId: string,
    { after, name, signal }: { readonly after: string; readonly name: string; readonly signal: AbortSignal | undefined },
  ): Promise<WireMessage | undefined> {
    const posts = await ownPosts(server, forumId, { sinceMs: 0, signal });
    return posts.findLast(({ thread }) => BigInt(thread.id) > BigInt(after) && thread.name === name)?.message;
  }

  async function send(
    { place, after }: Begun,
    { name, content, embed, tags }: Wanted,
    signal: AbortSignal | undefined,
  ): Promise<WireMessage> {
    if (place.forum) return (await beginPost(server, place, { title: name, tags, content, embed }, signal)).message;
    const nonce = toNonce(`standing ${account} ${name} ${place.id} ${after}`);
    return write(server, place.id, { content, embed, nonce }, signal);
  }

  async function finish(begun: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage> {
    const found = await findBegun(begun, wanted, signal);
    if (found) return found;
    try {
      const sent = await send(begun, wanted, signal);
      // It may be what an earlier attempt sent, and say what was true then.
      await change(messagePlace(toSent(sent, guildId).id, 'message'), wanted, signal);
      return sent;
    } catch (error) {
      // That one was sent and somebody deleted it.
      if (codeOf(error) !== CODES.unknownMessage) throw error;
      return send(await begin(wanted.name, begun.place, signal), wanted, signal);
    }
  }

  async function isIn(forum: Place, { channelId }: MessagePlace, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return (await places.forMessage(channelId, { signal })).parent_id === forum.id;
    } catch (error) {
      // Then so is the message, as the change of it will show.
      if (isGone(error)) return true;
      throw error;
    }
  }

  async function putIn(where: Place, wanted: Wanted, signal: AbortSignal | undefined): Promise<SentMessage> {
    const { name } = wanted;
    const known = await kept.find(account, name);
    const [, begunIn, after] = BEGUN.exec(known ?? '') ?? [];

    if (known !== undefined && begunIn === undefined) {
      const place = messagePlace(known, 'message');
      const record = toSent({ id: place.messageId, channel_id: place.channelId }, guildId);
      // A post of a forum stands in a thread of its own.
      const isHere = where.forum ? await isIn(where, place, signal) : place.channelId === where.id;
      if (isHere) {
        if (await change(place, wanted, signal)) return record;
      } else {
        await opening(server, place.channelId, () => api({ method: 'DELETE', path: place.path, answer: Nothing, signal }), signal).catch(
          (error: unknown) => {
            if (!isGone(error)) throw error;
          },
        );
      }
    }
    const goesOn = begunIn === where.id && after !== undefined;
    const sent = goesOn
      ? await finish({ place: where, after }, wanted, signal)
      : await send(await begin(name, where, signal), wanted, signal);
    const record = toSent(sent, guildId);
    await kept.keep(account, name, record.id);
    return record;
  }

  return {
    operations: {
      put(wanted, { signal }) {
        const find = (): Promise<Place> => places.forMessage(wanted.channel, { signal });
        return refinding(places, find, (where) => putIn(where, wanted, signal));
      },
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.fault === 'missing';
}
