import { isJsonObject } from '#src/operation/json.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import { POST_RULE } from '#src/outbox/posts.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import type { DecisionView, DeliveryView, PauseView } from '#src/web/views.ts';

/** A decision as the page and the API show it. */
export function toDecisionView({ atMs, ...decision }: Decision): DecisionView {
  return { ...decision, at: new Date(atMs) };
}

/** Since when a rule says nothing, and who wants it so: a person before the fuse. */
export function toPauseView({ person, blownMs = 0 }: Pause): PauseView {
  return person ? { at: new Date(person.atMs), by: person.by } : { at: new Date(blownMs) };
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
    // Whose post it is stands where the number of a rule's firing does.
    ...(rule === POST_RULE && { by: delivery.occasion }),
    ...(state === 'pending' && delivery.since === undefined && delivery.dueAt > createdAt && { dueAt: delivery.dueAt }),
    ...(sentAt && { sentAt }),
    ...(isJsonObject(result) && { result }),
    ...(why !== undefined && { error: why }),
    ...(delivery.omitted && { omitted: delivery.omitted }),
  };
}
