import type { Kysely } from 'kysely';
import type { QuestionCounts, Quota, UsedUp } from '#src/clients/assistant/conversation-state.ts';
import { lockTable } from './dialect.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** Those in the database: of what was asked before any quota looks there, nothing is kept. */
export function createQuestionCounts(db: Kysely<Tables>): QuestionCounts {
  return {
    count: ({ id, person, server, nowMs }, quotas) =>
      inTransaction(db, async (trx) => {
        await lockTable(trx, 'counted_question');
        const known = await trx.selectFrom('counted_question').select('id').where('id', '=', id).executeTakeFirst();
        if (known) return undefined;
        const beforeMs = nowMs - Math.max(quotas.person.withinMs, quotas.server.withinMs);
        await trx.deleteFrom('counted_question').where('asked_ms', '<=', beforeMs).execute();

        const full =
          (await fullness(trx, { column: 'person', value: person, quota: quotas.person, nowMs })) ??
          (server === undefined ? undefined : await fullness(trx, { column: 'server', value: server, quota: quotas.server, nowMs }));
        if (full) return full;
        await trx
          .insertInto('counted_question')
          .values({ id, person, server: server ?? null, asked_ms: nowMs })
          .execute();
        return undefined;
      }),

    async giveBack(id) {
      await db.deleteFrom('counted_question').where('id', '=', id).execute();
    },
  };
}

interface Fullness {
  readonly column: UsedUp['whose'];
  readonly value: string;
  readonly quota: Quota;
  readonly nowMs: number;
}

/** There is room again once the oldest of the last `most` questions is out of sight. */
async function fullness(db: Kysely<Tables>, { column, value, quota, nowMs }: Fullness): Promise<UsedUp | undefined> {
  const { most, withinMs } = quota;
  if (most <= 0) return { whose: column, freeAtMs: undefined };
  const oldest = await db
    .selectFrom('counted_question')
    .select('asked_ms')
    .where(column, '=', value)
    .where('asked_ms', '>', nowMs - withinMs)
    .orderBy('asked_ms', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest && { whose: column, freeAtMs: oldest.asked_ms + withinMs };
}
