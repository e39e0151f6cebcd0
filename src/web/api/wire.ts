import type { DecisionView, DeliveryView } from '../views.ts';

/** A delivery with the fields that are promised to the users of the API, and no others. */
export function toDelivery(delivery: DeliveryView): DeliveryView {
  const { id, rule, by, episode, step, do: verb, account, state, attempts, createdAt, dueAt, sentAt, result, error, omitted } = delivery;
  return { id, rule, by, episode, step, do: verb, account, state, attempts, createdAt, dueAt, sentAt, result, error, omitted };
}

/** A decision with the fields that are promised to the users of the API, and no others. */
export function toDecision({ rule, at, outcome, item, episode, reason, details }: DecisionView): DecisionView {
  return { rule, at, outcome, item, episode, reason, details };
}
