import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A clock that goes forward by so much is more often wrong than right. */
const DOUBTED_STEP_MS = 180 * 86_400_000;
/** How long the clock is doubted after such a step. */
const DOUBTED_MS = 60 * 60_000;

/**
 * Creates the check whether the clock went far forward within the last hour, also since the last slot of another process. It may be wrong until the
 * time is synchronized, and rows that are deleted by it do not come back.
 */
export function createClockDoubt(db: Kysely<Tables>): (nowMs: number) => Promise<boolean> {
  let lastMs: number | undefined;
  let steppedMs = Infinity;
  return async (nowMs) => {
    lastMs ??= (await lastSlotMs(db)) ?? nowMs;
    if (nowMs - lastMs > DOUBTED_STEP_MS) steppedMs = nowMs;
    lastMs = nowMs;
    return nowMs >= steppedMs && nowMs - steppedMs < DOUBTED_MS;
  };
}

async function lastSlotMs(db: Kysely<Tables>): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('rule_state')
    .select(({ fn }) => fn.max('slot_ms').as('last_ms'))
    .executeTakeFirst();
  return row?.last_ms;
}
