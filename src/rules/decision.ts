import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Explained, Reason } from '#src/rules/reasons/reason.ts';

/**
 * The outcomes of a poll or of an item:
 * - `fired`: steps were committed;
 * - `suppressed`: it is not announced, and will not be;
 * - `deferred`: the announcement waits until the quiet hours, the limit or a pause of the rule ends;
 * - `waiting`: the item was not seen, or not missed, long or often enough yet;
 * - `closed`: an episode ended;
 * - `unchanged`: nothing changed that the rule announces;
 * - `failed`: the poll failed.
 */
export const OUTCOMES = ['fired', 'suppressed', 'deferred', 'waiting', 'closed', 'unchanged', 'failed'] as const;

/** The outcome of a poll or of an item: see `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number];

/** A decision of a rule with its reason. */
export interface Decision extends Explained<Reason> {
  readonly rule: string;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: Outcome;
  /** The key of the item that the decision is about. */
  readonly item?: string | undefined;
  readonly episode?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** The id of the firing of a decision. */
export function firingOf({ details }: Decision): string | undefined {
  const firing = details?.['firing'];
  return typeof firing === 'string' ? firing : undefined;
}
