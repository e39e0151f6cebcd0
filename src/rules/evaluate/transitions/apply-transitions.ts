import type { Episode, RuleState } from '#src/rules/episode.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { ListedItem } from '../items/filter-items.ts';
import { sharesRecord } from '../items/accounts.ts';
import { byLastRank } from '../items/item-fields.ts';
import { expanded } from './compact.ts';
import { endByEdit, listedTransitions, missingTransition } from './item-transitions.ts';
import type { PollInstant, Transition } from './transition.ts';

/** How long a closed episode can be reopened by its item. */
export const REMEMBERED_MS = 30 * 86_400_000;

/** How long the key of a feed item is remembered, so that the item is not new again. */
const FEED_KEY_MS = 90 * 86_400_000;

/** The transitions of all episodes in one poll. */
export interface Transitions {
  /** Closed episodes first, then listed items by rank, then missing items. */
  readonly transitions: readonly Transition[];
  /** The episodes that were not closed before the poll, by key. */
  readonly before: ReadonlyMap<string, Episode>;
  /** Closed episodes with an announcement that was deferred in quiet hours. */
  readonly deferred: readonly Episode[];
  /** Ids of episodes that nothing can reopen. */
  readonly forgotten: readonly string[];
}

/** Applies one poll to all episodes of a rule. */
export function applyTransitions(
  episodes: RuleState['episodes'],
  {
    listed,
    instant,
    merged,
  }: {
    readonly listed: readonly ListedItem[];
    readonly instant: PollInstant;
    /** The ids of open episodes that an edit of `key` unites with others. */
    readonly merged: ReadonlySet<string>;
  },
): Transitions {
  const byKey = new Map(listed.map((item) => [item.key, item]));
  const { active, closed, deferred, forgotten } = sortEpisodes(episodes, byKey, { ...instant, merged });

  const all: Transition[] = [];
  for (const item of listed) {
    all.push(...listedTransitions(item, { active: active.get(item.key), closed: closed.get(item.key) }, instant));
  }
  const missing = [...active.values()].filter((episode) => !byKey.has(episode.key));
  for (const episode of missing.toSorted(byLastRank)) {
    if (!instant.isAsked(episode)) continue;
    if (instant.isRead(episode)) all.push(missingTransition(expanded(episode, instant), instant));
    else if (episode.compact || isExcluded(episode, instant)) all.push(notRead(episode, instant));
  }
  for (const id of merged) {
    const episode = episodes.get(id);
    if (episode) all.push(endByEdit(expanded(episode, instant), instant));
  }
  const ends = all.filter(({ kind }) => kind === 'closed').toSorted((a, b) => byLastRank(a.episode, b.episode));
  const transitions = ends.length === 0 ? all : [...ends, ...all.filter(({ kind }) => kind !== 'closed')];
  return { transitions, before: active, deferred, forgotten };
}

/** The last instant before a closed or old episode is forgotten. Infinity: no episode is. */
export function forgottenAfterMs(episodes: RuleState['episodes'], { kind }: Pick<Watched, 'kind'>): number {
  let firstMs = Infinity;
  for (const episode of episodes.values()) {
    if (episode.phase === 'closed') firstMs = Math.min(firstMs, closedMs(episode) + REMEMBERED_MS);
    // The list has the items of compact episodes.
    else if (kind === 'feed' && !episode.compact) firstMs = Math.min(firstMs, episode.lastSeenMs + FEED_KEY_MS);
  }
  return firstMs;
}

/** The transition of an episode whose item an incomplete list lacks. */
function notRead(episode: Episode, instant: PollInstant): Transition {
  const isOut = isExcluded(episode, instant) ? ({ removedByEdit: true } as const) : {};
  return { kind: 'unread', episode: { ...expanded(episode, instant), ...isOut } };
}

/** A feed never shows that an item is gone. */
function isExcluded(episode: Episode, { edit, watched }: PollInstant): boolean {
  return edit !== undefined && watched.kind !== 'feed' && edit.excludes(episode);
}

interface SortedEpisodes {
  /** By key. */
  readonly active: ReadonlyMap<string, Episode>;
  /** The closed episodes that an item of the list reopens, by key. */
  readonly closed: ReadonlyMap<string, Episode>;
  readonly deferred: readonly Episode[];
  readonly forgotten: readonly string[];
}

function sortEpisodes(
  episodes: RuleState['episodes'],
  byKey: ReadonlyMap<string, ListedItem>,
  { watched, slotMs, lastPollMs, merged }: PollInstant & { readonly merged: ReadonlySet<string> },
): SortedEpisodes {
  const active = new Map<string, Episode>();
  const closed = new Map<string, Episode>();
  const deferred: Episode[] = [];
  const forgotten: string[] = [];
  for (const episode of episodes.values()) {
    const { key, id } = episode;
    if (episode.phase !== 'closed') {
      const isOld = watched.kind === 'feed' && slotMs - expanded(episode, { lastPollMs }).lastSeenMs > FEED_KEY_MS;
      if (merged.has(id)) continue;
      if (isOld && !byKey.has(key)) forgotten.push(id);
      else active.set(key, episode);
      continue;
    }
    const isDeferred = episode.deferredChanges !== undefined || episode.deferred !== undefined;
    if (isDeferred) deferred.push(episode);
    const canReopen = watched.kind === 'live' && slotMs - closedMs(episode) <= REMEMBERED_MS;
    if (!canReopen && !isDeferred) forgotten.push(id);
    else if (canReopen && isSameStream(episode, byKey.get(key))) closed.set(key, later(episode, closed.get(key)));
  }
  // A store returns episodes in any order.
  return { active, closed, deferred: deferred.toSorted(byLastRank), forgotten: forgotten.toSorted() };
}

function isSameStream({ itemId, item }: Episode, listed: ListedItem | undefined): boolean {
  return listed !== undefined && itemId !== undefined && (listed.itemId === itemId || sharesRecord(item, listed.item));
}

function later(a: Episode, b: Episode | undefined): Episode {
  return b && closedMs(b) > closedMs(a) ? b : a;
}

function closedMs({ closedMs: ms, lastSeenMs }: Episode): number {
  return ms ?? lastSeenMs;
}
