import type { JsonObject } from '#src/operation/json.ts';
import type { Explained, Reason } from './reasons/reason.ts';

/**
 * The outcome of a poll or of an item:
 * - `fired`: steps were committed;
 * - `silent`: an episode opened without an announcement;
 * - `refused`: a gate blocked the announcement;
 * - `held`: the announcement is re-evaluated when the quiet hours end;
 * - `waiting`: the item was not seen, or not missed, long or often enough yet;
 * - `closed`: an episode ended;
 * - `quiet`: nothing changed; people read `no news`;
 * - `failed`: the poll failed.
 */
export type Outcome = 'fired' | 'silent' | 'refused' | 'held' | 'waiting' | 'closed' | 'quiet' | 'failed';

/** All outcomes. */
export const OUTCOMES = [
  'fired',
  'silent',
  'refused',
  'held',
  'waiting',
  'closed',
  'quiet',
  'failed',
] as const satisfies readonly Outcome[];

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
