import type { Rule } from '#src/rules/rule.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { shownDelivery } from './deliveries.ts';
import type { OutcomeExplanation } from './explanation.ts';
import type { ShownDelivery } from './records.ts';
import { outcomesOf } from './rule-outcomes.ts';

const DELIVERIES_SHOWN = 10;

/** A rule that ran and is no longer loaded: its file was deleted, its id was changed, or its file has errors since the start. */
export interface GoneRule {
  readonly id: string;
  /** When Fanfare found that it was deleted or renamed; absent if that is not known. */
  readonly goneAt?: Date | undefined;
  readonly lastRunAt: Date;
}

/** Everything that is stored of a gone rule. */
export interface GoneExplanation extends GoneRule {
  /** The newest deliveries in any state, newest first. */
  readonly deliveries: readonly ShownDelivery[];
  readonly outcomes: readonly OutcomeExplanation[];
}

/** The rules with a stored history that are not in `rules`. The rule that ran last comes first. */
export async function goneRules(
  rules: readonly Pick<Rule, 'id'>[],
  { ruleStates }: { readonly ruleStates: Pick<RuleStates, 'lastSlots'> },
): Promise<readonly GoneRule[]> {
  return goneAmong(await ruleStates.lastSlots(), rules);
}

/** The rules of these last slots that are not in `rules`. The rule that ran last comes first. */
export function goneAmong(
  lastSlots: Awaited<ReturnType<RuleStates['lastSlots']>>,
  rules: readonly Pick<Rule, 'id'>[],
): readonly GoneRule[] {
  const loaded = new Set(rules.map(({ id }) => id));
  const stored = [...lastSlots].filter(([id]) => !loaded.has(id));
  return stored
    .toSorted(([, a], [, b]) => b.slotMs - a.slotMs)
    .map(([id, { slotMs, retiredMs }]) => ({
      id,
      goneAt: retiredMs === undefined ? undefined : new Date(retiredMs),
      lastRunAt: new Date(slotMs),
    }));
}

/** The gone rule with this id, or all gone instances of a rule with this name. */
export function goneRulesNamed(name: string, gone: readonly GoneRule[]): readonly GoneRule[] {
  return gone.filter(({ id }) => id === name || id.startsWith(`${name}/`));
}

/** Collects the history of a gone rule. */
export async function explainGoneRule(
  gone: GoneRule,
  { decisions, deliveryLog }: { readonly decisions: DecisionLog; readonly deliveryLog: Pick<DeliveryLog, 'list' | 'outcomesOf'> },
): Promise<GoneExplanation> {
  const { items } = await deliveryLog.list({ rule: gone.id, limit: DELIVERIES_SHOWN });
  const deliveries = items.map((delivery) => shownDelivery(delivery, []));
  return { ...gone, deliveries, outcomes: await outcomesOf(gone.id, { decisions, deliveryLog }) };
}
