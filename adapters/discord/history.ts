import { z } from 'zod';
import type { DiscordApi } from './api.ts';
import { WireMessage } from './messages.ts';

/** The most that Discord gives at once. */
export const PAGE_SIZE = 100;
/** Snowflakes count the milliseconds since 2015 in their upper 42 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

const Messages = z.array(WireMessage);
const Own = z.object({ id: z.string() });
const Channel = z.object({ last_message_id: z.string().nullish() });

/** What stands in channels already. */
export interface ChannelHistory {
  /** Messages before one, or the latest, newest first; none at the end. */
  page(
    channelId: string,
    options: { readonly before?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly WireMessage[]>;
  /** When the newest message of a channel was sent, as the channel itself says. */
  newestAt(channelId: string, signal?: AbortSignal): Promise<Date | undefined>;
  /** Whose messages are our own. */
  botId(signal?: AbortSignal): Promise<string>;
}

/** Reads channels by their id. */
export function history(api: DiscordApi): ChannelHistory {
  let ownId: string | undefined;

  return {
    page(channelId, { before, signal }) {
      const query = { limit: String(PAGE_SIZE), ...(before !== undefined && { before }) };
      return api({ method: 'GET', path: `/channels/${channelId}/messages`, query, answer: Messages, signal });
    },

    async newestAt(channelId, signal) {
      const { last_message_id } = await api({ method: 'GET', path: `/channels/${channelId}`, answer: Channel, signal });
      return last_message_id ? new Date(Number(BigInt(last_message_id) >> 22n) + DISCORD_EPOCH_MS) : undefined;
    },

    async botId(signal) {
      ownId ??= (await api({ method: 'GET', path: '/users/@me', answer: Own, signal })).id;
      return ownId;
    },
  };
}
