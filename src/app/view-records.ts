import { isJsonObject } from '#src/operation/json.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { DecisionView, DeliveryView } from '#src/web/views.ts';

/** A decision as the page and the API show it. */
export function toDecisionView({ atMs, ...decision }: Decision): DecisionView {
  return { ...decision, at: new Date(atMs) };
}

/** A delivery as the page and the API show it. */
export function toDeliveryView(delivery: Delivery): DeliveryView {
  const { id, rule, episode, step, do: verb, account, state, attempts, createdAt, sentAt, result, error, reason } = delivery;
  const why = error?.message ?? reason;
  return {
    id,
    rule,
    episode,
    step,
    do: verb,
    account,
    state,
    attempts,
    createdAt,
    ...(sentAt && { sentAt }),
    ...(isJsonObject(result) && { result }),
    ...(why !== undefined && { error: why }),
  };
}
