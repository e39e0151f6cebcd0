import type { DecisionView, DeliveryView, RuleView } from '#src/queries/records.ts';

/** A delivery with the documented fields of the API only. */
export function toDelivery(delivery: DeliveryView) {
  const { id, rule, by, episode, step, do: verb, account, state, attempts, createdAt, dueAt, sentAt, result, error, omitted } = delivery;
  return { id, rule, by, episode, step, do: verb, account, state, attempts, createdAt, dueAt, sentAt, result, error, omitted };
}

/** A decision with the documented fields of the API only. */
export function toDecision({ rule, at, outcome, item, episode, message, details }: DecisionView) {
  return { rule, at, outcome, item, episode, reason: message, details };
}

/** A rule with the documented fields of the API only. */
export function toRule({ lastDecision, ...rule }: RuleView) {
  return { ...rule, lastDecision: lastDecision && toDecision(lastDecision) };
}
