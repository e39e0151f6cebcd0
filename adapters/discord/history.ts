import { z } from 'zod';
import { arrayOf, readRows, type ReadRows } from '#src/http/lenient.ts';
import type { DiscordApi } from './client.ts';
import { WireMessage } from './wire/message.ts';

/** The largest page of Discord. */
export const PAGE_SIZE = 100;
/** Snowflakes count the milliseconds since 2015 in their upper 42 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

const Messages = arrayOf(WireMessage);
const ReadableMessages = readRows(WireMessage);
const Bot = z.object({ id: z.string() });
const Channel = z.object({ last_message_id: z.string().nullish() });

/** The creation time in an id. */
export function createdAtMs(id: string): number {
  return Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;
}

interface HistoryOptions {
  readonly before?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the messages of channels. */
export interface ChannelHistory {
  /** A page of messages before a message, or of the latest messages, newest first. It is empty at the end. */
  page(channelId: string, options: HistoryOptions): Promise<readonly WireMessage[]>;
  /** The same page. It skips unreadable messages. */
  readablePage(channelId: string, options: HistoryOptions): Promise<ReadRows<WireMessage>>;
  /** The id of the newest message in the data of the channel. The message may be deleted. */
  newestId(channelId: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The time of the newest message in the data of the channel. */
  newestAt(channelId: string, signal?: AbortSignal): Promise<Date | undefined>;
  /** The user id of the bot. */
  botId(signal?: AbortSignal): Promise<string>;
}

/** Reads channels by their id. */
export function history(api: DiscordApi): ChannelHistory {
  let userId: string | undefined;

  async function newestId(channelId: string, signal?: AbortSignal): Promise<string | undefined> {
    const { last_message_id } = await api({ method: 'GET', path: `/channels/${channelId}`, answer: Channel, signal });
    return last_message_id ?? undefined;
  }

  function readPage<T>(channelId: string, answer: z.ZodType<T>, { before, signal }: HistoryOptions): Promise<T> {
    const query = { limit: String(PAGE_SIZE), ...(before !== undefined && { before }) };
    return api({ method: 'GET', path: `/channels/${channelId}/messages`, query, answer, signal });
  }

  return {
    page: (channelId, options) => readPage(channelId, Messages, options),
    readablePage: (channelId, options) => readPage(channelId, ReadableMessages, options),

    newestId,

    async newestAt(channelId, signal) {
      const id = await newestId(channelId, signal);
      return id === undefined ? undefined : new Date(createdAtMs(id));
    },

    async botId(signal) {
      userId ??= (await api({ method: 'GET', path: '/users/@me', answer: Bot, signal })).id;
      return userId;
    },
  };
}
