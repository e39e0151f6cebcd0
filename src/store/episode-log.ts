import type { Kysely } from 'kysely';
import type { Episode } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import { fromText } from './columns.ts';
import { LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';

/** The life of an item, as far as it is known by now. */
interface LoggedEpisode {
  readonly id: string;
  /** The rule's id: of an instance of `each` with the names of its values. */
  readonly rule: string;
  readonly key: string;
  /** As last seen. */
  readonly item: Item;
  readonly startedMs: number;
  readonly openedMs: number;
  readonly closedMs?: number | undefined;
  /** To the last poll that had it. */
  readonly lengthMs: number;
  /** The greatest value of each numeric field. */
  readonly peak: Readonly<Record<string, number>>;
  readonly phase: Exclude<Episode['phase'], 'pending'>;
  /** Whether its `then` was sent. */
  readonly spoke: boolean;
}

interface EpisodeFilter {
  /** As its author wrote it, which means all its instances, or one of them. */
  readonly rule: string;
  /** Those that lasted until then, or longer. */
  readonly sinceMs?: number | undefined;
  readonly limit?: number | undefined;
}

/** The episodes that are remembered: those that last, and those that ended in the last 30 days. */
export interface EpisodeLog {
  /** Those that began last come first; what is not open yet is not among them. */
  list(filter: EpisodeFilter): Promise<readonly LoggedEpisode[]>;
}

/** The episodes in the database. */
export function createEpisodeLog(db: Kysely<Tables>): EpisodeLog {
  return {
    async list({ rule, sinceMs, limit = LIMIT }) {
      const rows = await db
        .selectFrom('episode')
        .select(['rule', 'body'])
        // '0' is the character behind '/'.
        .where((eb) => eb.or([eb('rule', '=', rule), eb.and([eb('rule', '>', `${rule}/`), eb('rule', '<', `${rule}0`)])]))
        .where('opened_ms', 'is not', null)
        .where((eb) => (sinceMs === undefined ? eb.lit(true) : eb.or([eb('closed_ms', 'is', null), eb('closed_ms', '>=', sinceMs)])))
        .orderBy('started_ms', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.flatMap((row) => toLogged(row.rule, fromText<Episode>(row.body)));
    },
  };
}

function toLogged(rule: string, episode: Episode): readonly LoggedEpisode[] {
  const { id, key, item, startedMs, openedMs, closedMs, lastSeenMs, peak, phase, spokenBy } = episode;
  if (phase === 'pending' || openedMs === undefined) return [];
  return [
    { id, rule, key, item, startedMs, openedMs, closedMs, lengthMs: lastSeenMs - startedMs, peak, phase, spoke: spokenBy !== undefined },
  ];
}
