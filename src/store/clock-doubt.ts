import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A clock that goes forward by so much is more often wrong than right. */
const DOUBTED_STEP_MS = 180 * 86_400_000;
/** How long the clock is doubted after such a step. */
const DOUBTED_MS = 60 * 60_000;

/**
 * Creates the check whether the clock went far forward within the last hour, also in an earlier process. It may be wrong until the time is synchronized,
 * and rows that are deleted by it do not come back.
 */
export function createClockDoubt(db: Kysely<Tables>): (nowMs: number) => Promise<boolean> {
  let lastMs: number | undefined;
  let steppedMs = Infinity;
  return async (nowMs) => {
    lastMs ??= (await lastKnownMs(db, nowMs - DOUBTED_MS)) ?? nowMs;
    if (nowMs - lastMs > DOUBTED_STEP_MS) steppedMs = nowMs;
    lastMs = nowMs;
    return nowMs >= steppedMs && nowMs - steppedMs < DOUBTED_MS;
  };
}

/** The last known slot before an instant. An earlier process with a wrong clock may have stored later ones. */
async function lastKnownMs(db: Kysely<Tables>, beforeMs: number): Promise<number | undefined> {
  const slot = await db
    .selectFrom('rule_state')
    .select(({ fn }) => fn.max('slot_ms').as('at_ms'))
    .where('slot_ms', '<=', beforeMs)
    .executeTakeFirst();
  const decision = await db
    .selectFrom('decision')
    .select('at_ms')
    .where('at_ms', '<=', beforeMs)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const known = [slot, decision].flatMap((row) => row?.at_ms ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}
