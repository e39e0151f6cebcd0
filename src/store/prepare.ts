import type { Kysely } from 'kysely';
import type { Json } from '#src/operation/json.ts';
import type { Prepared } from '#src/outbox/deliveries.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import type { Element } from '#src/rules/element.ts';
import { stopperOf, type Stopper } from '#src/rules/reasons/stopper.ts';
import type { DeliveryReason } from '#src/outbox/reason.ts';
import { isFailedFor, resultsOf, type StepResult } from '#src/rules/results.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { fromOptionalText, fromText } from './columns.ts';
import type { Tables } from './tables.ts';

/** What `Deliveries.prepare` promises. */
export async function prepare(db: Kysely<Tables>, delivery: Delivery): Promise<Prepared> {
  const { plan, it, scope, names } = await db
    .selectFrom('delivery')
    .innerJoin('firing', 'firing.id', 'delivery.firing')
    .select(['plan', 'it', 'scope', 'names'])
    .where('delivery.id', '=', delivery.id)
    .executeTakeFirstOrThrow();
  if (scope === null) throw new Error(`what firing ${delivery.firing} saw is not kept any more`);
  const stepNames = fromText<StepNames>(names);
  const needed = await db
    .selectFrom('need')
    .innerJoin('delivery', 'delivery.id', 'need.needed')
    .select(['delivery.id', 'step', 'account', 'element', 'state', 'plan', 'why', 'result', 'reads', 'stops'])
    .where('need.delivery', '=', delivery.id)
    .orderBy('turn')
    .orderBy('part')
    .execute();
  const failed = needed.find(({ stops, state }) => stops === 1 && state === 'failed');
  return {
    due: { delivery, step: fromText<Step>(plan), scope: fromText<Scope>(scope), names: stepNames, element: elementOf(delivery, it) },
    results: resultsOf(needed.filter(({ reads }) => reads === 1).map(toRead), stepNames),
    stoppedBy: failed && (await findStopper(db, failed)),
  };
}

/** A delivery as a step that reads its result sees it. */
export function toRead<
  R extends { readonly state: string; readonly plan: string; readonly why: string | null; readonly result: string | null },
>(row: R): Omit<R, 'result'> & Pick<StepResult, 'result' | 'isFailed'> {
  const why = fromOptionalText<DeliveryReason>(row.why)?.kind;
  return {
    ...row,
    result: fromOptionalText<Json>(row.result),
    isFailed: isFailedFor(fromText<Step>(row.plan), { state: row.state, why }),
  };
}

/** The step that stops others, as it failed. */
export async function findStopper(db: Kysely<Tables>, { id, step, account }: Pick<Delivery, 'id' | 'step' | 'account'>): Promise<Stopper> {
  const { plan } = await db.selectFrom('delivery').select('plan').where('id', '=', id).executeTakeFirstOrThrow();
  return stopperOf({ step: fromText<Step>(plan), index: Number(step), account });
}

function elementOf({ element: key }: Delivery, it: string | null): Element | undefined {
  return key === undefined || it === null ? undefined : { key, ...fromText<Omit<Element, 'key'>>(it) };
}
