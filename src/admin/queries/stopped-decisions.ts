import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import { firingOf, type Decision } from '#src/rules/decision.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';

/** A decision, and why a person stopped messages of its firing. */
export interface StoppedDecision extends Decision {
  readonly stop?: Explained<DeliveryReason> | undefined;
}

/** Adds to decisions why a person stopped messages of their firings. */
export async function withStops(
  decisions: readonly Decision[],
  deliveryLog: Pick<DeliveryLog, 'stopsOf'>,
): Promise<readonly StoppedDecision[]> {
  const stops = await deliveryLog.stopsOf(decisions.flatMap((one) => firingOf(one) ?? []));
  return decisions.map((one) => {
    const stop = stops.get(firingOf(one) ?? '');
    return stop ? { ...one, stop } : one;
  });
}
