import { PlatformError } from '#src/errors.ts';
import { coalesce } from '#src/http/coalesce.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { Governor } from '#src/http/governor.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import type { YoutubeApi } from '../client.ts';
import { PlaylistRows } from '../wire.ts';

/** The number of videos in a feed. */
const FEED_LENGTH = 15;
/** Lists take at most 4,500 units in 24 hours, and the rest of the quota remains for other requests. */
const PACE = { perSecond: 4_000 / 86_400, burst: 500 } as const;
const MS_PER_UNIT = 1000 / PACE.perSecond;
const DAY_MS = 24 * 3_600_000;
/** Rules that poll one after the other share a list. */
const CURRENT_MS = 2 * 60_000;
/** The longest use of an old list. */
const KNOWN_MS = 3_600_000;
/** Most channels have no streams, so no playlist of them. */
const ABSENT_MS = 3 * 3_600_000;
const MOST_LISTS = 10_000;

/** The last videos of a channel or of a playlist. */
interface VideoList {
  readonly ids: readonly string[];
  /** Neither a feed nor the API has the list. `ids` are those of the last answer with videos. */
  readonly isMissing: boolean;
  /** False: the list is old, or lacks rows, so newer videos can exist. */
  readonly isComplete: boolean;
}

/** The last 15 videos of channels and playlists. */
export interface VideoLists {
  /** By the id of a channel or of a playlist. Throws an `unavailable` PlatformError if the list is unknown. */
  read(id: string, signal: AbortSignal | undefined): Promise<VideoList>;
}

/** What is known of a list. */
interface KnownList {
  ids: readonly string[];
  isMissing: boolean;
  /** The API omitted rows. */
  lacksRows: boolean;
  /** When the feed or the API last answered. */
  readAtMs: number;
  /** When the API was last asked. */
  askedAtMs: number;
  /** Asks the API, if the units for lists allow it. */
  readonly ask: (signal?: AbortSignal) => Promise<void>;
}

/**
 * Reads lists from feeds, which cost nothing. YouTube has no feeds of closed channels and of empty playlists, and during outages, often for
 * days, none of others. So while a feed fails, the API is asked for 1 unit, at a pace for all such lists together.
 */
export function videoLists(api: YoutubeApi, rateBudgets: RateBudgets | undefined): VideoLists {
  const { clock } = api;
  const governor = new Governor({ platform: 'youtube', budgets: rateBudgets ?? rateBudgetsInMemory(clock), clock, patienceMs: 0 });
  const known = new Map<string, KnownList>();
  /** When the feed of a list that exists last failed, oldest first. */
  const failing = new Map<string, number>();

  function stateOf(id: string): KnownList {
    const found = known.get(id) ?? {
      ids: [],
      isMissing: false,
      lacksRows: false,
      readAtMs: -Infinity,
      askedAtMs: -Infinity,
      ask: coalesce((signal) => ask(id, signal)),
    };
    // The latest use is the last entry.
    known.delete(id);
    known.set(id, found);
    const [oldest] = known.keys();
    if (known.size > MOST_LISTS && oldest !== undefined) known.delete(oldest);
    return found;
  }

  /** The number of lists that share the units. */
  function failed(id: string): number {
    const nowMs = clock.nowMs();
    failing.delete(id);
    failing.set(id, nowMs);
    for (const [oldest, failedAtMs] of failing) {
      if (nowMs - failedAtMs < DAY_MS) break;
      failing.delete(oldest);
    }
    return failing.size;
  }

  async function ask(id: string, signal: AbortSignal): Promise<void> {
    const pass = await ignoreFaults(governor.enter({ budgets: ['lists'], points: 1, pace: PACE }, signal), 'rateLimited');
    if (!pass) return;
    governor.leave(pass);
    const state = stateOf(id);
    state.askedAtMs = clock.nowMs();
    const query = { part: 'contentDetails', playlistId: id.replace(/^UC/u, 'UU'), maxResults: FEED_LENGTH };
    const found = await ignoreFaults(api.list('/playlistItems', PlaylistRows, query, { signal }), 'missing');
    state.isMissing = found === undefined;
    if (!found) return;
    // Videos are read by id, so an incomplete answer ends no stream.
    if (found.rows.length > 0) state.ids = found.rows.map((row) => row.id);
    state.lacksRows = found.partialErrors.length > 0;
    state.readAtMs = clock.nowMs();
  }

  return {
    async read(id, signal) {
      const state = stateOf(id);
      try {
        const ids = await api.feed(id.startsWith('UC') ? { channel_id: id } : { playlist_id: id }, signal);
        failing.delete(id);
        Object.assign(state, { ids, isMissing: false, lacksRows: false, readAtMs: clock.nowMs() });
        return { ids, isMissing: false, isComplete: true };
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        const eachMs = state.isMissing ? ABSENT_MS : failed(id) * MS_PER_UNIT;
        if (clock.nowMs() - state.askedAtMs >= eachMs) await state.ask(signal);
        const { ids, isMissing, lacksRows, readAtMs } = state;
        if (isMissing) {
          failing.delete(id);
          return { ids, isMissing, isComplete: true };
        }
        const ageMs = clock.nowMs() - readAtMs;
        if (ageMs <= KNOWN_MS) return { ids, isMissing, isComplete: !lacksRows && ageMs <= CURRENT_MS };
        throw new PlatformError(`youtube: the feed of ${id} fails, and the API is asked for its videos later: try again later.`, {
          platform: 'youtube',
          fault: 'unavailable',
          cause: error,
        });
      }
    },
  };
}

/** The partial error of a page with incomplete lists. It names no values, because rules can use the rest of the page. */
export function incompleteLists(lists: readonly { readonly isComplete: boolean }[]): readonly PartialError[] {
  if (lists.every(({ isComplete }) => isComplete)) return [];
  const message = 'youtube: the feeds of some channels or playlists fail, so their new videos are found later.';
  return [{ fault: 'unavailable', message, values: [] }];
}
