import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';

/**
 * What one poll made of one episode:
 * - `waited`: it was seen, but not often or long enough yet;
 * - `vanished`: it was gone before it opened;
 * - `opened`: it opens, aloud unless it has a `silence`;
 * - `reopened`: it was over and goes on, `missedMs` after it was last seen;
 * - `stayed`: it goes on; `missedMs` is there where polls had lacked it;
 * - `missed`: it is gone, but not often or long enough yet;
 * - `unread`: the list does not show it, and says nothing of that;
 * - `closed`: it is over.
 */
export type Turn =
  | { readonly kind: 'waited' | 'vanished' | 'missed' | 'unread' | 'closed'; readonly episode: Episode }
  | { readonly kind: 'opened'; readonly episode: Episode; readonly previous: Item | undefined }
  | { readonly kind: 'reopened'; readonly episode: Episode; readonly previous: Item; readonly missedMs: number }
  | { readonly kind: 'stayed'; readonly episode: Episode; readonly previous: Item; readonly missedMs: number | undefined };

export type TurnOf<K extends Turn['kind']> = Extract<Turn, { readonly kind: K }>;

/** What the turns of one poll have in common. */
export interface Moment {
  readonly slotMs: number;
  /** The first look at a list: what is there already is not new. */
  readonly baseline: boolean;
  /** How long nothing was read, where that was more than two slots. */
  readonly gapMs: number | undefined;
  readonly maxAgeMs: number;
  /** The slot of the last good poll. */
  readonly lastPollMs: number | undefined;
}
