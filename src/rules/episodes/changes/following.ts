import type { Episode, Mark } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Happened } from '../../reasons/happened.ts';
import type { Change } from './change.ts';

/** An item of a poll, and what its changes are told by. */
export interface Following {
  readonly episode: Episode;
  /** The item as it was seen before. */
  readonly previous: Item | undefined;
  /** The first sight of the episode. */
  readonly isFirst: boolean;
  /** It opens in this poll: what it looks like now is what it entered with. */
  readonly opens: boolean;
  /** The first look found it there. */
  readonly isBaseline: boolean;
  /** How many places it went down since the last good poll. */
  readonly places: number;
  readonly slotMs: number;
  readonly settleMs: number;
}

/** What one watched change makes of an item. */
export interface Followed {
  readonly marks: readonly (readonly [string, Mark])[];
  /** What has held long enough. */
  readonly changes: readonly Change[];
  /** What began to wait for that. */
  readonly begun: readonly Happened[];
}
