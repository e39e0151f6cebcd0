import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import { firingOf, type Decision } from '#src/rules/decision.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';

/** A decision, and why a person stopped messages of its firing. */
export interface StoppedDecision extends Decision {
  readonly stop?: Explained<DeliveryReason> | undefined;
}

/** Reads why people stopped messages of the firings of these decisions. Returns a function that adds it to one of them. */
export async function readStops(
  all: readonly Decision[],
  deliveryLog: Pick<DeliveryLog, 'stopsOf'>,
): Promise<(decision: Decision) => StoppedDecision> {
  const firings = all.flatMap((one) => firingOf(one) ?? []);
  if (firings.length === 0) return (decision) => decision;
  const stops = await deliveryLog.stopsOf(firings);
  return (decision) => {
    const stop = stops.get(firingOf(decision) ?? '');
    return stop ? { ...decision, stop } : decision;
  };
}
