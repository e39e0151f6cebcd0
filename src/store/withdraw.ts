import { sql, type Transaction } from 'kysely';
import { isWithdrawn, isWithdrawnAtEnd, isWithdrawnByPause } from '#src/delivery/ordering.ts';
import { RETIRED } from '#src/delivery/question.ts';
import { withDeliveryMessage, type DeliveryReason } from '#src/delivery/reason.ts';
import type { Withdrawal } from '#src/rules/firing.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { chunks, fromText, reasonColumns, toDate } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import type { Tables } from './tables.ts';

/** Withdraws the deliveries of a section that are not sent. */
export async function withdraw(
  trx: Transaction<Tables>,
  { rule, of, section, only, ...because }: Pick<Withdrawal, 'rule' | 'of' | 'section' | 'only'> & Explained<DeliveryReason>,
): Promise<void> {
  const deliveries = await openOf(trx, rule)
    .where((eb) => eb.and(of))
    .where('section', '=', section)
    .$if(only !== undefined, (query) => query.select(['plan', 'since_ms']))
    .execute();
  const isTaken = ({ state, after, plan, since_ms }: (typeof deliveries)[number]): boolean =>
    plan === undefined
      ? isWithdrawn({ state, after: after ?? undefined })
      : isWithdrawnAtEnd({ state, after: after ?? undefined, since: toDate(since_ms ?? null) }, fromText(plan));
  await settle(trx, deliveries.filter(isTaken), because);
}

/** Withdraws everything new of a paused rule that is not sent. */
export async function withdrawForPause(trx: Transaction<Tables>, rule: string, by: string): Promise<void> {
  const deliveries = await openOf(trx, rule).execute();
  const withdrawn = deliveries.filter((row) => isWithdrawnByPause({ ...row, after: row.after ?? undefined, creates: row.creates === 1 }));
  await settle(trx, withdrawn, withDeliveryMessage({ kind: 'pausedBy', by }));
}

/** Withdraws everything of a deleted rule that is not sent. */
export async function withdrawDeleted(trx: Transaction<Tables>, rule: string): Promise<void> {
  const deliveries = await openOf(trx, rule).execute();
  await settle(
    trx,
    deliveries.filter((row) => isWithdrawn({ ...row, after: row.after ?? undefined })),
    RETIRED,
  );
}

function openOf(trx: Transaction<Tables>, rule: string) {
  const columns = ['id', 'state', 'after', 'section', 'creates'] as const;
  return trx.selectFrom('delivery').select(columns).where('rule', '=', rule).where(isOpen('delivery'));
}

/** See `withdrawal`. One statement, because another process may begin or end an attempt meanwhile. */
async function settle(
  trx: Transaction<Tables>,
  rows: readonly { readonly id: string }[],
  because: Explained<DeliveryReason>,
): Promise<void> {
  const { reason, why } = reasonColumns(because);
  const ifPending = <T>(value: T, otherwise: string) => sql<T>`case when state = 'pending' then ${value} else ${sql.ref(otherwise)} end`;
  for (const some of chunks(rows)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('delivery')
      .set({
        state: sql`case when state = 'pending' then 'skipped' else state end`,
        reason: ifPending(reason, 'reason'),
        why: ifPending(why, 'why'),
        withdrawn: sql`case when state = 'pending' then null else ${JSON.stringify(because)} end`,
      })
      .where('id', 'in', ids)
      .where('state', 'in', ['pending', 'sending'])
      .execute();
  }
}
