import type { Kysely } from 'kysely';
import type { TotalsLog } from '#src/clients/history/totals-by-period.ts';
import type { Clock } from '#src/clock.ts';
import type { Episode } from '#src/rules/episode.ts';
import { fromText } from './columns.ts';
import { isRuleOrInstance } from './episode-log.ts';
import type { OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The totals in the database. */
export interface StoredTotals extends TotalsLog {
  /** Replaces old episodes by what the totals need of them. */
  move(old: OldRows): Promise<number>;
}

/** The episodes in the database, for totals. */
export function createTotalsLog(db: Kysely<Tables>, clock: Clock): StoredTotals {
  return {
    move: (old) => moveToTotals(db, old),

    async list({ rule, sinceMs }) {
      const past = db
        .selectFrom('past_episode')
        .select(['rule', 'id', 'body'])
        .where(isRuleOrInstance(rule))
        .where('closed_ms', '>=', sinceMs);
      const open = db.selectFrom('episode').select(['rule', 'id', 'body']).where(isRuleOrInstance(rule)).where('opened_ms', 'is not', null);
      const recent = await open.unionAll(past).execute();
      const totals = await db
        .selectFrom('episode_total')
        .selectAll()
        .where(isRuleOrInstance(rule))
        .where('ended_ms', '>=', sinceMs)
        .execute();
      const announced = recent.flatMap(({ rule: its, body }) => {
        const episode = fromText<Episode>(body);
        return episode.announcedBy === undefined
          ? []
          : [toTotalRow(its, episode.compact ? { ...episode, lastSeenMs: clock.nowMs() } : episode)];
      });
      // After a crash, an episode is in both tables for a minute.
      const all = new Map([...totals, ...announced].map((row) => [`${row.rule}\n${row.id}`, row]));
      return [...all.values()].map(({ started_ms, ended_ms, peak, average }) => ({
        startedMs: started_ms,
        endedMs: ended_ms,
        peak: fromText<Readonly<Record<string, number>>>(peak),
        average: fromText<Readonly<Record<string, number>>>(average),
      }));
    },
  };
}

/** The row of an episode in the table of totals. */
function toTotalRow(rule: string, { id, startedMs, lastSeenMs, peak, totals = {} }: Episode) {
  const average = Object.fromEntries(Object.entries(totals).map(([name, { sum, count }]) => [name, sum / count]));
  return { rule, id, started_ms: startedMs, ended_ms: lastSeenMs, peak: JSON.stringify(peak), average: JSON.stringify(average) };
}

/** Replaces old episodes by what the totals need of them. After a crash in between, the next call does the rest. Resolves with the number of episodes. */
export async function moveToTotals(db: Kysely<Tables>, { beforeMs, limit }: OldRows): Promise<number> {
  const old = await db.selectFrom('past_episode').select(['rule', 'id', 'body']).where('closed_ms', '<', beforeMs).limit(limit).execute();
  if (old.length === 0) return 0;
  await db
    .insertInto('episode_total')
    .values(old.map(({ rule, body }) => toTotalRow(rule, fromText<Episode>(body))))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const { rule, id } of old) await db.deleteFrom('past_episode').where('rule', '=', rule).where('id', '=', id).execute();
  return old.length;
}

/** Deletes old totals. Resolves with their number. */
export async function dropTotals(db: Kysely<Tables>, { beforeMs, limit }: OldRows): Promise<number> {
  const old = await db.selectFrom('episode_total').select(['rule', 'id']).where('ended_ms', '<', beforeMs).limit(limit).execute();
  for (const { rule, id } of old) await db.deleteFrom('episode_total').where('rule', '=', rule).where('id', '=', id).execute();
  return old.length;
}
