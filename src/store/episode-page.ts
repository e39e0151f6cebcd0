import { sql, type Kysely } from 'kysely';
import { CursorError } from '#src/errors.ts';
import type { EpisodeLog, EpisodePhases } from '#src/rules/episode-log.ts';
import type { Episode } from '#src/rules/episode.ts';
import { fromText } from './columns.ts';
import { LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';

/** An episode that was open when its rule was deleted ended then. */
export const ENDED_MS = sql<number | null>`coalesce(closed_ms, (select retired_ms from rule_state where rule_state.rule = episode.rule))`;

/** A compact episode was last seen in the last good poll of its rule. */
export const LAST_POLL_MS = sql<number | null>`(select last_poll_ms from rule_state where rule_state.rule = episode.rule)`;

const NO_POLL_MS = sql<number | null>`cast(null as bigint)`;

/** The last episode of a page. */
interface Position {
  readonly startedMs: number;
  readonly id: string;
}

/** Reads a page of the episodes of a rule. Each table gives at most a page, in the order of its index. */
export async function episodePage(
  db: Kysely<Tables>,
  { rule, cursor, limit = LIMIT }: Parameters<EpisodeLog['page']>[0],
): ReturnType<EpisodeLog['page']> {
  const after = cursor === undefined ? undefined : positionOf(cursor);
  const newest = (table: 'episode' | 'past_episode') =>
    db
      .selectFrom(table)
      .where('rule', '=', rule)
      .$if(after !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple('started_ms', 'id'), '<', eb.tuple(after?.startedMs ?? 0, after?.id ?? ''))),
      )
      .orderBy('started_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
  const present = newest('episode').select(['id', 'started_ms', 'body', ENDED_MS.as('closed_ms'), LAST_POLL_MS.as('last_poll_ms')]);
  const past = newest('past_episode').select(['id', 'started_ms', 'body', 'closed_ms', NO_POLL_MS.as('last_poll_ms')]);
  const rows = await db
    .selectFrom(present.as('present'))
    .selectAll()
    .unionAll(db.selectFrom(past.as('past')).selectAll())
    .orderBy('started_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(toPhases), ...(last && { cursor: cursorOf({ startedMs: last.started_ms, id: last.id }) }) };
}

function cursorOf({ startedMs, id }: Position): string {
  return Buffer.from(JSON.stringify([startedMs, id])).toString('base64url');
}

function positionOf(cursor: string): Position {
  try {
    const [startedMs, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof startedMs === 'number' && typeof id === 'string') return { startedMs, id };
  } catch {
    // The error below names the remedy.
  }
  throw new CursorError('this cursor belongs to another list: start without a cursor');
}

interface EpisodeRow {
  readonly body: string;
  readonly closed_ms: number | null;
  readonly last_poll_ms: number | null;
}

function toPhases({ body, closed_ms, last_poll_ms }: EpisodeRow): EpisodePhases {
  const { announcedBy, compact, lastSeenMs: seenMs, phase, ...episode } = fromText<Episode>(body);
  const closedMs = closed_ms ?? undefined;
  return {
    id: episode.id,
    key: episode.key,
    item: episode.item,
    phase: closedMs === undefined ? phase : 'closed',
    firstSeenMs: episode.firstSeenMs,
    startedMs: episode.startedMs,
    openedMs: episode.openedMs,
    lastSeenMs: compact ? (last_poll_ms ?? seenMs) : seenMs,
    missingSinceMs: episode.missingSinceMs,
    closedMs,
    suppressedBy: episode.suppressedBy,
    announced: announcedBy !== undefined,
  };
}
