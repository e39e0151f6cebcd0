import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { OutcomeExplanation } from './explanation.ts';
import { readOutcomes } from './settled-decisions.ts';

/** Of each outcome. */
const DECISIONS_SHOWN = 3;

/** The order of the outcomes: outcomes that explain a missing announcement come first. */
const OUTCOMES: readonly Outcome[] = ['fired', 'suppressed', 'deferred', 'failed', 'waiting', 'closed', 'unchanged'];

/** The newest decisions of a rule by outcome. */
export async function outcomesOf(
  rule: string,
  {
    decisions,
    deliveryLog,
  }: { readonly decisions: Pick<DecisionLog, 'list' | 'counts'>; readonly deliveryLog: Pick<DeliveryLog, 'outcomesOf'> },
): Promise<readonly OutcomeExplanation[]> {
  const counts = new Map((await decisions.counts([rule])).map(({ outcome, count }) => [outcome, count]));
  const found = await Promise.all(
    OUTCOMES.map(async (outcome) => {
      const { items } = await decisions.list({ rule, outcome, limit: DECISIONS_SHOWN });
      return { outcome, count: counts.get(outcome) ?? 0, latest: items };
    }),
  );
  const withOutcome = await readOutcomes(
    found.flatMap(({ latest }) => latest),
    deliveryLog,
  );
  return found.filter(({ latest }) => latest.length > 0).map((one) => ({ ...one, latest: one.latest.map(withOutcome) }));
}
