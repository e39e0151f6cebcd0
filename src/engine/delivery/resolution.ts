import type { Step } from '#src/rules/step.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { arrived } from './question.ts';
import { withDeliveryMessage } from './reason.ts';

/** How long after its last attempt a failed delivery can be sent again. Until then, everything that its texts need is stored. */
export const RESEND_WITHIN_MS = 7 * 24 * 60 * 60_000;

/** The operator's decision on an `unknown` delivery: it was sent, or it has to be sent again. */
export type Resolution = 'sent' | 'again';

/** The change of an `unknown` delivery after the operator's decision. */
export function resolveUnknown(
  delivery: Delivery,
  resolution: Resolution,
  { isQuestion, clock }: Pick<EngineContext, 'isQuestion' | 'clock'>,
): DeliveryChange {
  if (resolution === 'sent') {
    const { result } = delivery;
    return { ...arrived(delivery, { result }, { isQuestion, clock }), ...withDeliveryMessage({ kind: 'resolvedSent' }) };
  }
  return {
    state: 'pending',
    dueAt: new Date(clock.nowMs()),
    giveUpAt: undefined,
    // A person decides that it is not too late. An unknown delivery of a restored state was never begun.
    expiresAt: undefined,
    // A person has looked, so no search comes first.
    lostAt: undefined,
    searchSince: undefined,
    withdrawn: undefined,
    ...withDeliveryMessage({ kind: 'resolvedAgain' }),
  };
}

/** The change of a failed delivery that a person sends again. A later part of a thread keeps its text. */
export function resendFailed(
  delivery: Delivery,
  { step, by, nowMs }: { readonly step?: Step | undefined; readonly by: string; readonly nowMs: number },
): DeliveryChange {
  const { resends = [], error, message: why, after, params, retry, strict } = delivery;
  return {
    state: 'pending',
    attempts: 0,
    dueAt: new Date(nowMs),
    // A person decides that it is not too late.
    expiresAt: undefined,
    since: undefined,
    attemptedAt: undefined,
    lostAt: undefined,
    settledAt: undefined,
    giveUpAt: undefined,
    sentAt: undefined,
    params: after === undefined ? undefined : params,
    omitted: undefined,
    searchSince: undefined,
    result: undefined,
    error: undefined,
    withdrawn: undefined,
    ...(step ? { retry: step.retry, strict: step.strict } : { retry, strict }),
    resends: [...resends, { by, atMs: nowMs, failure: error?.message ?? why }],
    ...withDeliveryMessage({ kind: 'resent', by }),
  };
}
