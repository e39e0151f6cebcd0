import type { Kysely, Selectable } from 'kysely';
import type { AuditEntry, AuditLog } from '#src/admin/actions/audit-log.ts';
import type { Clock } from '#src/clock.ts';
import { fromOptionalText, toText } from './columns.ts';
import { LIMIT, seqOf, stated, toListing } from './listing.ts';
import { preparedDelete, type OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The log of actions in the database. */
export function createAuditLog(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): AuditLog {
  return {
    async start({ id, action, by: { name, via, id: actorId, origin }, target }) {
      const by = { actor: name, via, actor_id: actorId ?? null, origin: origin ?? null };
      await db
        .insertInto('audit')
        .values({ id, at_ms: clock.nowMs(), action, ...by, target, outcome: 'started' })
        .execute();
    },

    async end({ id, outcome, before, after }) {
      await db
        .updateTable('audit')
        .set({ outcome, before: toText(before), after: toText(after) })
        .where('id', '=', id)
        .execute();
    },

    async list({ cursor, limit = LIMIT, ...filter } = {}) {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .where((eb) => eb.and(stated(filter)))
        .where('seq', '<', seqOf(cursor))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      return toListing(rows, limit, toEntry);
    },
  };
}

function toEntry({
  id,
  at_ms,
  action,
  actor,
  via,
  actor_id,
  origin,
  target,
  outcome,
  before,
  after,
}: Selectable<Tables['audit']>): AuditEntry {
  return {
    id,
    at: new Date(at_ms),
    action,
    by: { name: actor, via, ...(actor_id !== null && { id: actor_id }), ...(origin !== null && { origin }) },
    target,
    outcome,
    ...(before !== null && { before: fromOptionalText(before) }),
    ...(after !== null && { after: fromOptionalText(after) }),
  };
}

/** Deletes old actions. Resolves with their number. */
export const dropActions = preparedDelete((db, { beforeMs, limit }: OldRows) => {
  return db.deleteFrom('audit').where('seq', 'in', db.selectFrom('audit').select('seq').where('at_ms', '<', beforeMs).limit(limit));
});
