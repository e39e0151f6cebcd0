import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
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

/** What lasted when its rule was deleted ended then. */
const ENDED_MS = sql<number | null>`coalesce(closed_ms, (select retired_ms from rule_state where rule_state.rule = episode.rule))`;

/** The episodes in the database. */
export function createEpisodeLog(db: Kysely<Tables>): EpisodeLog {
  return {
    async list({ rule, sinceMs, limit = LIMIT }) {
      const isSince = (endedMs: Expression<number | null>): Expression<SqlBool> =>
        sinceMs === undefined ? sql`true` : sql`(${endedMs} is null or ${endedMs} >= ${sinceMs})`;
      const past = db
        .selectFrom('past_episode')
        .select(['rule', 'id', 'body', 'started_ms', 'closed_ms'])
        .where(isOf(rule))
        .where((eb) => isSince(eb.ref('closed_ms')));
      const rows = await db
        .selectFrom('episode')
        .select(['rule', 'id', 'body', 'started_ms', ENDED_MS.as('closed_ms')])
        .where(isOf(rule))
        .where('opened_ms', 'is not', null)
        .where(isSince(ENDED_MS))
        .unionAll(past)
        .orderBy('started_ms', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.flatMap(({ rule: its, body, closed_ms }) => toLogged(its, fromText<Episode>(body), closed_ms ?? undefined));
    },
  };
}

/** Whether it is of a rule or of one of its instances. */
function isOf(rule: string): Expression<SqlBool> {
  // '0' is the character behind '/'.
  return sql`(rule = ${rule} or (rule > ${`${rule}/`} and rule < ${`${rule}0`}))`;
}

function toLogged(rule: string, episode: Episode, closedMs: number | undefined): readonly LoggedEpisode[] {
  const { id, key, item, startedMs, openedMs, lastSeenMs, peak, spokenBy } = episode;
  if (episode.phase === 'pending' || openedMs === undefined) return [];
  const phase = closedMs === undefined ? episode.phase : 'closed';
  return [
    { id, rule, key, item, startedMs, openedMs, closedMs, lengthMs: lastSeenMs - startedMs, peak, phase, spoke: spokenBy !== undefined },
  ];
}
