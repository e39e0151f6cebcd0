import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { EpisodeLog, LoggedEpisode } from '#src/rules/episode-log.ts';
import type { Episode } from '#src/rules/episode.ts';
import { fromText } from './columns.ts';
import { ENDED_MS, episodePage, LAST_POLL_MS } from './episode-page.ts';
import { isOneOf } from './json-list.ts';
import { LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';

/** The episodes in the database. */
export function createEpisodeLog(db: Kysely<Tables>): EpisodeLog {
  return {
    async list({ rule, sinceMs, limit = LIMIT }) {
      const isSince = (endedMs: Expression<number | null>): Expression<SqlBool> =>
        sinceMs === undefined ? sql`true` : sql`(${endedMs} is null or ${endedMs} >= ${sinceMs})`;
      const past = db
        .selectFrom('past_episode')
        .select(['rule', 'id', 'body', 'started_ms', 'closed_ms', sql<number | null>`cast(null as bigint)`.as('last_poll_ms')])
        .where(isRuleOrInstance(rule))
        .where((eb) => isSince(eb.ref('closed_ms')));
      const rows = await db
        .selectFrom('episode')
        .select(['rule', 'id', 'body', 'started_ms', ENDED_MS.as('closed_ms'), LAST_POLL_MS.as('last_poll_ms')])
        .where(isRuleOrInstance(rule))
        .where('opened_ms', 'is not', null)
        .where(isSince(ENDED_MS))
        .unionAll(past)
        .orderBy('started_ms', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.flatMap(toLogged);
    },

    page: (query) => episodePage(db, query),

    async open(episodes) {
      const wanted = new Set(episodes.map(({ rule, id }) => JSON.stringify([rule, id])));
      const rows = await db
        .selectFrom('episode')
        .select(['rule', 'id', 'body', ENDED_MS.as('closed_ms'), LAST_POLL_MS.as('last_poll_ms')])
        .where(isOneOf('rule', [...new Set(episodes.map(({ rule }) => rule))]))
        .where(isOneOf('id', [...new Set(episodes.map(({ id }) => id))]))
        .where('opened_ms', 'is not', null)
        .where(ENDED_MS, 'is', null)
        .execute();
      return rows.filter(({ rule, id }) => wanted.has(JSON.stringify([rule, id]))).flatMap(toLogged);
    },

    async items(episodes) {
      const [rules, ids] = [new Set(episodes.map(({ rule }) => rule)), new Set(episodes.map(({ id }) => id))];
      const from = (table: 'episode' | 'past_episode') =>
        db
          .selectFrom(table)
          .select(['rule', 'id', 'body'])
          .where(isOneOf('rule', [...rules]))
          .where(isOneOf('id', [...ids]));
      const rows = await from('episode').unionAll(from('past_episode')).execute();
      return rows.map(({ rule, id, body }) => {
        const { key, item } = fromText<Episode>(body);
        return { rule, id, key, item };
      });
    },
  };
}

/** Whether a row belongs to the rule or one of its instances. */
export function isRuleOrInstance(rule: string): Expression<SqlBool> {
  // '0' is the character after '/'.
  return sql`(rule = ${rule} or (rule > ${`${rule}/`} and rule < ${`${rule}0`}))`;
}

interface EpisodeRow {
  readonly rule: string;
  readonly body: string;
  readonly closed_ms: number | null;
  readonly last_poll_ms: number | null;
}

function toLogged({ rule, body, closed_ms, last_poll_ms }: EpisodeRow): readonly LoggedEpisode[] {
  const { id, key, item, startedMs, openedMs, lastSeenMs: seenMs, peak, announcedBy, compact, phase: stored } = fromText<Episode>(body);
  if (stored === 'pending' || openedMs === undefined) return [];
  const lastSeenMs = compact ? (last_poll_ms ?? seenMs) : seenMs;
  const closedMs = closed_ms ?? undefined;
  const phase = closedMs === undefined ? stored : 'closed';
  return [
    {
      id,
      rule,
      key,
      item,
      startedMs,
      openedMs,
      closedMs,
      lengthMs: lastSeenMs - startedMs,
      peak,
      phase,
      announced: announcedBy !== undefined,
    },
  ];
}
