import type { Episode } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { ListEdit } from '../edits/list-edit.ts';

/** The announcement of an entry that quiet hours or `limit` deferred. */
export type Waiting = Pick<Episode, 'deferred' | 'deferredBy' | 'deferredChanges' | 'suppressedBy'>;

/**
 * The step of an episode in one poll:
 * - `waited`: the item was seen, but not often or long enough yet;
 * - `leftBeforeOpening`: the item was gone before the episode opened;
 * - `opened`: the episode opens, with the reason in `suppressedBy` if it must not be announced, and with the
 *   announcement in `waited` that waits if a request for the item is suppressed;
 * - `reopened`: a closed episode continues `missedMs` after its item was last seen;
 * - `stayed`: the episode continues; `missedMs` is set if earlier polls lacked its item, and `seenMs` is when its item was seen before;
 * - `missed`: the item is gone, but not often or long enough yet;
 * - `unread`: the list lacks the item, but the list is incomplete;
 * - `closed`: the episode ends; `byEdit` is set if its item left the list only because of an edit.
 */
export type Transition =
  | { readonly kind: 'waited' | 'leftBeforeOpening' | 'missed' | 'unread'; readonly episode: Episode }
  | { readonly kind: 'closed'; readonly episode: Episode; readonly byEdit?: true | undefined }
  | { readonly kind: 'opened'; readonly episode: Episode; readonly previous: Item | undefined; readonly waited?: Waiting | undefined }
  | { readonly kind: 'reopened'; readonly episode: Episode; readonly previous: Item; readonly missedMs: number }
  | {
      readonly kind: 'stayed';
      readonly episode: Episode;
      readonly previous: Item;
      readonly seenMs: number;
      readonly missedMs: number | undefined;
    };

export type TransitionOf<K extends Transition['kind']> = Extract<Transition, { readonly kind: K }>;

/** The poll that all transitions of one slot share. */
export interface PollInstant {
  readonly watched: Watched;
  readonly slotMs: number;
  /** The first poll of a rule that starts silently: no item is new. */
  readonly isFirst: boolean;
  /** What an edit of the list changed since the last good poll. Absent: nothing. */
  readonly edit: ListEdit | undefined;
  /** How long nothing was read, if that was more than two slots. */
  readonly gapMs: number | undefined;
  /** The longest time between two polls that read an item, without a gap. */
  readonly gapAfterMs: number;
  /** The last poll before a rest that no notification ended: see `unreadSince`. */
  readonly unreadSinceMs?: number | undefined;
  readonly maxAgeMs: number;
  /** The slot of the last good poll. */
  readonly lastPollMs: number | undefined;
  /** The accounts of the last good poll. */
  readonly lastAccounts: readonly string[];
  /** Whether the poll asked for the item of an episode. Nothing happens to the other ones. */
  readonly isAsked: (episode: Episode) => boolean;
  /** Whether a poll shows that the item of an episode is gone. */
  readonly isRead: (episode: Episode) => boolean;
  /** The keys of items that a person asked to announce. */
  readonly requested?: ReadonlySet<string> | undefined;
  /** Whether an episode was announced, so that a request does not announce it again. */
  readonly isAnnounced: (episode: Episode) => boolean;
  /** Whether a platform notified Fanfare before the poll. */
  readonly isNotified: boolean;
  /** The shortest time between two polls that count for `confirm`. 0: the poll is in the schedule, and counts always. */
  readonly countEveryMs: number;
  /** The rule stores compact episodes: see `isCompact`. */
  readonly compact: boolean;
}

/** Whether the baseline poll found the item of an episode. */
export function isFromBaseline({ suppressedBy }: Pick<Episode, 'suppressedBy'>): boolean {
  return typeof suppressedBy === 'object' && suppressedBy.kind === 'alreadyInList';
}
