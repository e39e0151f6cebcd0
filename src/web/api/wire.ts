import { toDeliveryView } from '#src/queries/deliveries.ts';
import type { DecisionView, DeliveryView, RuleView } from '#src/queries/records.ts';

/** A delivery in the API. */
export type WireDelivery = Omit<DeliveryView, 'edits' | 'reason'>;
/** A decision in the API. */
export type WireDecision = Omit<DecisionView, 'message' | 'reason'> & { readonly reason: string };
/** A rule in the API. */
export type WireRule = Omit<RuleView, 'lastDecision' | 'lastFailure'> & {
  readonly lastDecision?: WireDecision | undefined;
  readonly lastFailure?: WireDelivery | undefined;
};

/** A delivery with the documented fields of the API only. */
export function toDelivery(delivery: DeliveryView): WireDelivery {
  const { id, rule, by, episode, step, do: verb, item, text, account, state, attempts } = delivery;
  const { createdAt, dueAt, sentAt, result, error, omitted } = delivery;
  return { id, rule, by, episode, step, do: verb, item, text, account, state, attempts, createdAt, dueAt, sentAt, result, error, omitted };
}

/** A decision with the documented fields of the API only. */
export function toDecision({ rule, at, outcome, item, episode, message, details }: DecisionView): WireDecision {
  return { rule, at, outcome, item, episode, reason: message, details };
}

/** A rule with the documented fields of the API only. */
export function toRule({ lastDecision, lastFailure, ...rule }: RuleView): WireRule {
  return {
    ...rule,
    lastDecision: lastDecision && toDecision(lastDecision),
    lastFailure: lastFailure && toDelivery(toDeliveryView(lastFailure)),
  };
}
