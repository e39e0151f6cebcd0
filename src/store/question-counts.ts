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
        const beforeMs = nowMs - Math.max(quotas.person.withinMs, quotas.server.withinMs, quotas.all?.withinMs ?? 0);
        await trx.deleteFrom('counted_question').where('asked_ms', '<=', beforeMs).execute();

        const full =
          (await fullness(trx, { whose: 'person', value: person, quota: quotas.person, nowMs })) ??
          (server === undefined ? undefined : await fullness(trx, { whose: 'server', value: server, quota: quotas.server, nowMs })) ??
          (quotas.all && (await fullness(trx, { whose: 'all', value: undefined, quota: quotas.all, nowMs })));
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
  readonly whose: UsedUp['whose'];
  /** The person or the server. */
  readonly value: string | undefined;
  readonly quota: Quota;
  readonly nowMs: number;
}

/** There is room again once the oldest of the last `most` questions is out of sight. */
async function fullness(db: Kysely<Tables>, { whose, value, quota, nowMs }: Fullness): Promise<UsedUp | undefined> {
  const { most, withinMs } = quota;
  if (most <= 0) return { whose, freeAtMs: undefined };
  const oldest = await db
    .selectFrom('counted_question')
    .select('asked_ms')
    .$if(whose !== 'all', (query) => query.where(whose === 'person' ? 'person' : 'server', '=', value ?? ''))
    .where('asked_ms', '>', nowMs - withinMs)
    .orderBy('asked_ms', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest && { whose, freeAtMs: oldest.asked_ms + withinMs };
}
