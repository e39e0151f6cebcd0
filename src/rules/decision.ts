import type { JsonObject } from '#src/operation/json.ts';
import type { Because } from './reasons/because.ts';
import type { Reason } from './reasons/reason.ts';

/**
 * What a rule made of a poll or of an item:
 * - `fired`: steps were committed;
 * - `silent`: an episode opened without a word;
 * - `refused`: a gate said no;
 * - `held`: it is looked at again when the quiet hours end;
 * - `waiting`: not long or not often enough yet;
 * - `closed`: an episode ended;
 * - `quiet`: nothing changed;
 * - `failed`: the poll said nothing.
 */
export type Outcome = 'fired' | 'silent' | 'refused' | 'held' | 'waiting' | 'closed' | 'quiet' | 'failed';

/** A decision and its reason with the numbers, for whoever asks why. */
export interface Decision extends Because<Reason> {
  readonly rule: string;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: Outcome;
  /** The item's key, where it is about one. */
  readonly item?: string | undefined;
  readonly episode?: string | undefined;
  readonly details?: JsonObject | undefined;
}
