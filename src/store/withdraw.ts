import { sql, type Kysely, type Transaction } from 'kysely';
import { GONE_FOR_MS, isConcerned, isWithdrawn, isWithdrawnByPause, mayReturn } from '#src/engine/delivery/ordering.ts';
import { answerDueMs } from '#src/engine/delivery/question.ts';
import { withDeliveryMessage, type DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Withdrawal } from '#src/rules/firing.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { chunks, fromOptionalText, fromText, reasonColumns } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import { isPostgres, lockRule } from './dialect.ts';
import { settledColumn } from './settled-column.ts';
import { toDelivery } from './delivery-row.ts';
import type { Tables } from './tables.ts';

/** Withdraws the deliveries of a section that are not sent. */
export async function withdraw(
  trx: Transaction<Tables>,
  {
    rule,
    of,
    section,
    only,
    except,
    ...explained
  }: Pick<Withdrawal, 'rule' | 'of' | 'section' | 'only' | 'except'> & Explained<DeliveryReason>,
): Promise<void> {
  const deliveries = await openOf(trx, rule)
    .select('step')
    .where((eb) => eb.and(of))
    .where('section', '=', section)
    .$if(only === 'endsWithEpisode', (query) => query.select(['plan', 'attempts']))
    .execute();
  const isTaken = ({ after, plan, attempts = 0, creates, ...row }: (typeof deliveries)[number]): boolean => {
    const delivery = { ...row, after: after ?? undefined, attempts, creates: creates === 1 };
    return isConcerned({ only, except }, delivery, plan === undefined ? undefined : fromText(plan));
  };
  await settle(trx, deliveries.filter(isTaken), explained);
}

/** Withdraws everything new of a paused rule that is not sent, or what was created before the end of the pause. */
export async function withdrawForPause(
  trx: Transaction<Tables>,
  rule: string,
  { by, createdBeforeMs }: { readonly by: string; readonly createdBeforeMs?: number | undefined },
): Promise<void> {
  const open = openOf(trx, rule);
  const deliveries = await (createdBeforeMs === undefined ? open : open.where('created_ms', '<', createdBeforeMs)).execute();
  const withdrawn = deliveries.filter((row) => isWithdrawnByPause({ ...row, after: row.after ?? undefined, creates: row.creates === 1 }));
  await settle(trx, withdrawn, withDeliveryMessage({ kind: 'rulePaused', by }));
}

/**
 * Withdraws everything of a rule that was deleted or turned off and that is not sent: what is due within a minute after the minute, the rest
 * when it is due. Until then, the rule may return.
 */
export async function withdrawStopped(
  trx: Transaction<Tables>,
  rule: string,
  { kind, nowMs }: { readonly kind: 'ruleDeleted' | 'ruleDisabled'; readonly nowMs: number },
): Promise<void> {
  const untilMs = nowMs + GONE_FOR_MS;
  // A question of a rule that is off stays open.
  const states = kind === 'ruleDeleted' ? (['pending', 'sending', 'asked'] as const) : (['pending', 'sending'] as const);
  const deliveries = await openOf(trx, rule).select('withdrawn').where('state', 'in', states).execute();
  // An attempt that was withdrawn for another reason is not repeated when the rule returns.
  const isForGood = ({ state, withdrawn }: (typeof deliveries)[number]): boolean =>
    state === 'sending' && withdrawn !== null && !isOfStopped({ withdrawn });
  const stopped = deliveries.filter((row) => !isForGood(row));
  const withdrawn = stopped.filter((row) => row.state === 'asked' || isWithdrawn({ ...row, after: row.after ?? undefined }));
  for (const some of chunks(withdrawn)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('delivery')
      .set({
        withdrawn: JSON.stringify(withDeliveryMessage({ kind })),
        // An unanswered question is closed early.
        due_ms: sql`case when state = 'pending' and due_ms < ${untilMs} or state = 'asked' and due_ms > ${untilMs} then ${untilMs} else due_ms end`,
      })
      .where('id', 'in', ids)
      .where('state', 'in', states)
      .execute();
  }
}

/** The rules with deliveries that `withdrawStopped` withdrew. */
export async function findWithdrawnRules(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const rows = await withdrawnRows(db).select(['rule', 'withdrawn']).execute();
  return new Set(rows.filter(isOfStopped).map(({ rule }) => rule));
}

/** Continues the deliveries of a rule that returned. */
export async function keepReturned(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<void> {
  await lockRule(trx, rule);
  const state = await trx.selectFrom('rule_state').select('retired_ms').where('rule', '=', rule).executeTakeFirst();
  const heldUntilMs = (state?.retired_ms ?? nowMs) + GONE_FOR_MS;
  const rows = await withdrawnRows(trx).selectAll().where('rule', '=', rule).execute();
  for (const row of rows.filter(isOfStopped)) {
    const wasHeld = row.state === 'pending' && row.due_ms <= heldUntilMs;
    const due_ms = row.state === 'asked' ? answerDueMs(toDelivery(row), nowMs) : wasHeld ? Math.max(row.begins_ms, nowMs) : row.due_ms;
    await trx.updateTable('delivery').set({ withdrawn: null, due_ms }).where('id', '=', row.id).where('state', '=', row.state).execute();
  }
}

function withdrawnRows(db: Kysely<Tables>) {
  return db.selectFrom('delivery').where(isOpen('delivery')).where('withdrawn', 'is not', null);
}

function isOfStopped({ withdrawn }: { readonly withdrawn: string | null }): boolean {
  return mayReturn(fromOptionalText<Explained<DeliveryReason>>(withdrawn));
}

function openOf(trx: Transaction<Tables>, rule: string) {
  const columns = ['id', 'state', 'after', 'section', 'creates'] as const;
  return trx.selectFrom('delivery').select(columns).where('rule', '=', rule).where(isOpen('delivery'));
}

/** Skips these deliveries if they are still pending. Those that are being sent continue, and may be repeated. */
export async function skipPending(
  trx: Transaction<Tables>,
  rows: readonly { readonly id: string }[],
  explained: Explained<DeliveryReason>,
): Promise<void> {
  for (const some of chunks(rows)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('delivery')
      .set({ state: 'skipped', ...reasonColumns(explained), withdrawn: null, ...settledColumn(trx, { state: 'skipped' }) })
      .where('id', 'in', ids)
      .where('state', '=', 'pending')
      .execute();
  }
}

/** See `withdrawal`. One statement, because another process may begin or end an attempt in the meantime. */
export async function settle(
  trx: Transaction<Tables>,
  rows: readonly { readonly id: string }[],
  explained: Explained<DeliveryReason>,
): Promise<void> {
  const { message, reason } = reasonColumns(explained);
  const ifPending = <T>(value: T, otherwise: string) => sql<T>`case when state = 'pending' then ${value} else ${sql.ref(otherwise)} end`;
  for (const some of chunks(rows)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('delivery')
      .set({
        state: sql`case when state = 'pending' then 'skipped' else state end`,
        message: ifPending(message, 'message'),
        reason: ifPending(reason, 'reason'),
        withdrawn: sql`case when state = 'pending' then null else ${JSON.stringify(explained)} end`,
        ...(!isPostgres(trx) && { settled: sql`case when state = 'pending' then 1 else settled end` }),
      })
      .where('id', 'in', ids)
      .where('state', 'in', ['pending', 'sending'])
      .execute();
  }
}
