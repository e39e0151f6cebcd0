import type { Item } from '../../poll.ts';
import type { Happened } from '../../reasons/happened.ts';
import type { ChangeKind } from '../../rule.ts';

/** Something that happened to an item, and has not been said yet. */
export interface Change {
  readonly kind: ChangeKind;
  /** Whether the rule speaks of it; all others see it in `changes`. */
  readonly isWatched: boolean;
  /** The item as it was: what changed in it has its old value. */
  readonly previous: Item | undefined;
  /** Of `moved`: the ranks. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** What is said of it. */
  readonly happened: Happened;
  /** The marks that it settles. */
  readonly marks: readonly string[];
  /** It was held before, and nothing has changed in it since. */
  readonly wasHeld: boolean;
}
