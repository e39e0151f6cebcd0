import type { ChatPlatform } from '#src/chat/chat.ts';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import { PlatformError } from '#src/errors.ts';
import { toWireEmbeds } from './embeds.ts';
import { codeOf, CODES } from './faults.ts';
import { messagePlace, toSent, type MessagePlace, type WireMessage } from './messages.ts';
import { toNonce } from './nonce.ts';
import { saysTheSame } from './recovery.ts';
import { Nothing, write, type Server } from './server.ts';

/** Written down before a message is sent: the channel, and its newest message at that time. */
const BEGUN = /^sending (\d+)\/(\d+)$/;
const MOST_PAGES = 10;

interface Begun {
  readonly channelId: string;
  /** What was sent for it is newer. */
  readonly after: string;
}

type Put = NonNullable<ChatPlatform['operations']['put']>;
type Wanted = Parameters<Put>[0];

/** Keeps one message a name. What is begun is written down first, so that a crash before its end makes no second message. */
export function standing(server: Server, kept: StandingMessages): { readonly operations: { readonly put: Put } } {
  const { api, account, guildId, places, past } = server;

  async function change({ path }: MessagePlace, { content, embed }: Wanted, signal: AbortSignal | undefined): Promise<boolean> {
    const body = { content: content ?? '', embeds: embed ? toWireEmbeds(embed) : [], allowed_mentions: { parse: [] } };
    try {
      await api({ method: 'PATCH', path, body, answer: Nothing, signal });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async function begin(name: string, channelId: string, signal: AbortSignal | undefined): Promise<Begun> {
    const after = (await past.newestId(channelId, signal)) ?? '0';
    await kept.keep(account, name, `sending ${channelId}/${after}`);
    return { channelId, after };
  }

  /** The message that an attempt sent whose end was not written down, as far as the channel shows it. */
  async function findBegun({ channelId, after }: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage | undefined> {
    const botId = await past.botId(signal);
    let before: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const messages = await past.page(channelId, { before, signal });
      const newer = messages.filter(({ id }) => BigInt(id) > BigInt(after));
      const found = newer.findLast((message) => message.author.id === botId && saysTheSame(message, wanted));
      if (found || newer.length < messages.length || messages.length === 0) return found;
      before = messages.at(-1)?.id;
    }
    return undefined;
  }

  async function send(begun: Begun, wanted: Wanted, signal: AbortSignal | undefined): Promise<WireMessage> {
    const nonce = toNonce(`standing ${account} ${wanted.name} ${begun.channelId} ${begun.after}`);
    return write(server, begun.channelId, { content: wanted.content, embed: wanted.embed, nonce }, signal);
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
      return send(await begin(wanted.name, begun.channelId, signal), wanted, signal);
    }
  }

  return {
    operations: {
      async put(wanted, { signal }) {
        const { name } = wanted;
        const { id: channelId } = await places.forMessage(wanted.channel, { signal });
        const known = await kept.find(account, name);
        const [, begunIn, after] = BEGUN.exec(known ?? '') ?? [];

        if (known !== undefined && begunIn === undefined) {
          const place = messagePlace(known, 'message');
          const record = toSent({ id: place.messageId, channel_id: place.channelId }, guildId);
          if (place.channelId === channelId) {
            if (await change(place, wanted, signal)) return record;
          } else {
            await api({ method: 'DELETE', path: place.path, answer: Nothing, signal }).catch((error: unknown) => {
              if (!isGone(error)) throw error;
            });
          }
        }
        const goesOn = begunIn === channelId && after !== undefined;
        const sent = goesOn
          ? await finish({ channelId, after }, wanted, signal)
          : await send(await begin(name, channelId, signal), wanted, signal);
        const record = toSent(sent, guildId);
        await kept.keep(account, name, record.id);
        return record;
      },
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof PlatformError && error.fault === 'missing';
}
