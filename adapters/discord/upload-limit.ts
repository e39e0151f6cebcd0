import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { FileLimit } from '#src/http/media/fetch-file.ts';
import type { DiscordApi } from './client.ts';

const MIB = 1024 * 1024;
/** The limit of a server without boosts, and of a message with several files, because all of them are in memory while they are sent. */
export const USUAL_BYTES = 10 * MIB;
/** The limits of servers with boosts, by their tier. */
const BYTES_OF_TIERS: ReadonlyMap<number, number> = new Map([
  [2, 50 * MIB],
  [3, 100 * MIB],
]);
/** How long a tier is known. Boosts begin and end rarely. */
const FRESH_MS = 10 * 60_000;

const BoostedGuild = z.object({ premium_tier: z.int().catch(0) });

/** The largest file that Discord accepts in a server. The tier of the server is read for a file that every other server refuses. */
export function uploadLimitOf({
  api,
  guildId,
  clock,
}: {
  readonly api: DiscordApi;
  readonly guildId: string;
  readonly clock: Clock;
}): FileLimit {
  let known: { readonly bytes: number; readonly readMs: number } | undefined;
  return async (sizeBytes, signal) => {
    if (sizeBytes <= USUAL_BYTES) return USUAL_BYTES;
    if (!known || clock.nowMs() >= known.readMs + FRESH_MS) {
      const readMs = clock.nowMs();
      const { premium_tier: tier } = await api({ method: 'GET', path: `/guilds/${guildId}`, answer: BoostedGuild, signal });
      known = { bytes: BYTES_OF_TIERS.get(tier) ?? USUAL_BYTES, readMs };
    }
    return known.bytes;
  };
}
