import type { StateChange } from '../episode.ts';
import type { Said } from './telling/said.ts';

/** What one slot of one rule brings about. */
export interface Advance extends Said {
  /** Absent: nothing is to be remembered. */
  readonly change?: StateChange | undefined;
  /** When the rule wants to be run whatever its schedule says, as at the end of quiet hours; in milliseconds since 1970. */
  readonly wakeMs?: number | undefined;
}
