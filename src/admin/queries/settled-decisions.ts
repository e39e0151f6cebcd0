import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { FiringOutcome } from '#src/engine/delivery/firing-outcome.ts';
import { firingOf, type Decision } from '#src/rules/decision.ts';

/** A decision with the outcome of its firing. */
export interface SettledDecision extends Decision, Partial<Pick<FiringOutcome, 'stop' | 'unsent'>> {}

/** Reads the outcomes of the firings of these decisions. Returns a function that adds its outcome to one of them. */
export async function readOutcomes(
  all: readonly Decision[],
  deliveryLog: Pick<DeliveryLog, 'outcomesOf'>,
): Promise<(decision: Decision) => SettledDecision> {
  const firings = all.flatMap((one) => firingOf(one) ?? []);
  if (firings.length === 0) return (decision) => decision;
  const outcomes = await deliveryLog.outcomesOf(firings);
  return (decision) => settled(decision, outcomes.get(firingOf(decision) ?? ''));
}

/** Adds the outcome of its firing to a decision. */
export function settled(decision: Decision, { stop, unsent }: Partial<FiringOutcome> = {}): SettledDecision {
  return { ...decision, ...(stop && { stop }), ...(unsent && { unsent }) };
}
