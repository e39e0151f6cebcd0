import type { Episode } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Suppression } from '#src/rules/reasons/reason.ts';
import { creationOf, gamesOf, peakOf, startOf } from '../items/item-fields.ts';
import { hasSameRecords, sharesRecord } from '../items/accounts.ts';
import type { ListedItem } from '../items/filter-items.ts';
import { expanded } from './compact.ts';
import { episodeData } from './episode-data.ts';
import type { PollInstant, Transition, Waiting } from './transition.ts';

/** The episodes that a listed item may continue. */
interface KnownEpisodes {
  /** The episode of its key that is not closed. */
  readonly active: Episode | undefined;
  /** The closed episode with the id of the item, which it may reopen. */
  readonly closed: Episode | undefined;
}

/** The transitions of a listed item. The end of a replaced broadcast comes first. */
export function listedTransitions(listed: ListedItem, known: KnownEpisodes, instant: PollInstant): readonly Transition[] {
  const isRequested = instant.requested?.has(listed.key) === true;
  if (known.active && instant.compact && !isRequested && isUnchanged(known.active, listed)) {
    const { item: previous, lastSeenMs: seenMs } = known.active;
    return [{ kind: 'stayed', episode: known.active, previous, seenMs, missedMs: undefined }];
  }
  const active = known.active && expanded(known.active, instant);
  const isOther = active !== undefined && instant.edit?.replaces(active, listed) === true;
  if (active && !isOther && !isNewBroadcast(active, listed, instant))
    return [isRequested ? announceNow(active, listed, instant) : continueEpisode(active, listed, instant)];
  const ended = active ? [isOther ? endByEdit(active, instant) : endEpisode(active, instant)] : [];
  if (known.closed) {
    const isNew = isRequested || endedUndecided(known.closed, instant);
    return [...ended, isNew ? announceNow(known.closed, listed, instant) : reopen(known.closed, listed, instant)];
  }
  const begun = begin(listed, instant);
  if (isRequested) return [...ended, open(begun, undefined, undefined)];
  // The next broadcast of a known channel is new even in a baseline poll.
  const isNext = active !== undefined;
  const isKnown = instant.edit ? !instant.edit.isNew(listed, { isNext }) : instant.isFirst && !isNext;
  return [...ended, isKnown ? open(begun, undefined, { kind: 'alreadyInList' }) : settle(begun, undefined, instant)];
}

/** Whether an episode ended while its announcement was deferred, so that its item is new when it returns. An edit makes no item new. */
function endedUndecided(closed: Episode, instant: PollInstant): boolean {
  const { suppressedBy } = closed;
  const kind = typeof suppressedBy === 'object' ? suppressedBy.kind : undefined;
  const wasDeferred = kind === 'endedInQuietHours' || kind === 'endedAtLimit';
  return wasDeferred && instant.edit === undefined && ageSuppression(closed, instant) === undefined;
}

/** Opens an episode that is not announced as if it began now: a person asked for its announcement, or it could not be announced before. */
function announceNow(known: Episode, listed: ListedItem, instant: PollInstant): Transition {
  if (instant.isAnnounced(known))
    return known.phase === 'closed' ? reopen(known, listed, instant) : continueEpisode(known, listed, instant);
  const episode = seen(known, listed, { instant, phase: 'open', polls: known.polls + 1 });
  return {
    kind: 'opened',
    episode: {
      ...episode,
      openedMs: known.openedMs ?? instant.slotMs,
      closedMs: undefined,
      suppressedBy: undefined,
      deferred: undefined,
      deferredChanges: undefined,
    },
    previous: known.item,
    waited: waitingOf(known),
  };
}

function waitingOf({ deferred, deferredBy, deferredChanges, suppressedBy }: Episode): Waiting | undefined {
  const waits = deferred === 'entered' || deferredChanges?.entered !== undefined;
  return waits ? { deferred, deferredBy, deferredChanges, suppressedBy } : undefined;
}

/** The transition of an episode whose item a complete list lacks. */
export function missingTransition(active: Episode, instant: PollInstant): Transition {
  if (active.removedByEdit ?? instant.edit?.excludes(active)) return endByEdit(active, instant);
  const { watched, slotMs } = instant;
  if (active.phase === 'pending') return endEpisode(active, instant);
  const missingSinceMs = active.missingSinceMs ?? slotMs;
  const isCounted = active.misses === 0 || counts(active, missingSinceMs, instant);
  const episode: Episode = isCounted
    ? { ...active, phase: 'closing', misses: active.misses + 1, missingSinceMs, countedMs: countedMs(instant) }
    : active;
  const isOver = episode.misses >= watched.confirm.gone && slotMs - missingSinceMs >= watched.graceMs;
  return isOver ? endEpisode(episode, instant) : { kind: 'missed', episode };
}

/** Ends an episode whose item left the list only because of an edit. */
export function endByEdit(active: Episode, instant: Pick<PollInstant, 'slotMs'>): Transition {
  const ended = endEpisode({ ...active, removedByEdit: undefined }, instant);
  return ended.kind === 'closed' ? { ...ended, byEdit: true } : ended;
}

/** Ends an episode at once. */
export function endEpisode(active: Episode, { slotMs }: Pick<PollInstant, 'slotMs'>): Transition {
  if (active.phase === 'pending') return { kind: 'leftBeforeOpening', episode: active };
  const baselines =
    active.baselines && Object.fromEntries(Object.entries(active.baselines).map(([name, { announced }]) => [name, { announced }]));
  return { kind: 'closed', episode: { ...active, phase: 'closed', closedMs: slotMs, closes: active.closes + 1, baselines } };
}

/** A compact episode is written again only if its item has another id. */
function isUnchanged({ compact, phase, itemId, item: before }: Episode, { itemId: id, item }: ListedItem): boolean {
  if (compact !== true || phase !== 'open' || itemId !== id) return false;
  // A compact episode of a feed stores only the name of its item.
  return item['accounts'] === undefined || before['id'] === undefined || hasSameRecords(before, item);
}

function isNewBroadcast(
  active: Episode,
  { itemId, item }: ListedItem,
  { watched, slotMs, gapMs, gapAfterMs, unreadSinceMs }: PollInstant,
): boolean {
  // Only a channel, or an edited post, has a key that differs from the id of its record.
  if (watched.kind !== 'live' && watched.kind !== 'ranking') return false;
  if (itemId === undefined || active.itemId === undefined || itemId === active.itemId) return false;
  // Another account still has the stream, or the post was edited.
  if (sharesRecord(active.item, item)) return false;
  // Without polls in between, the channel was offline until its new start at the longest.
  const startMs = startOf(item) ?? slotMs;
  if (active.missingSinceMs !== undefined) {
    const backMs = gapMs === undefined ? slotMs : startMs;
    return Math.max(0, backMs - active.missingSinceMs) >= watched.graceMs;
  }
  const seenMs = unreadSinceMs === undefined ? active.lastSeenMs : Math.min(active.lastSeenMs, unreadSinceMs);
  // Other items may have been read since then.
  const isGap = gapMs !== undefined || unreadSinceMs !== undefined || slotMs - seenMs > gapAfterMs;
  const awayMs = isGap ? startMs - seenMs : 0;
  return Math.max(0, awayMs) >= watched.graceMs;
}

function continueEpisode(active: Episode, listed: ListedItem, instant: PollInstant): Transition {
  const { item: previous, missingSinceMs, lastSeenMs: seenMs } = active;
  if (active.phase === 'pending') return settle(seenAgain(active, listed, instant), previous, instant);
  const episode = seen(active, listed, { instant, phase: 'open', polls: active.polls + 1 });
  return { kind: 'stayed', episode, previous, seenMs, missedMs: missingSinceMs === undefined ? undefined : instant.slotMs - seenMs };
}

/** A pending episode whose item is still there. */
function seenAgain(pending: Episode, listed: ListedItem, instant: PollInstant): Episode {
  if (!counts(pending, pending.firstSeenMs, instant)) return seen(pending, listed, { instant, phase: 'pending' });
  return { ...seen(pending, listed, { instant, phase: 'pending', hits: pending.hits + 1 }), countedMs: countedMs(instant) };
}

/** Whether a poll counts for `confirm`: several polls within a moment, after hints, count once. */
function counts({ countedMs: hintedMs = -Infinity }: Episode, sinceMs: number, instant: PollInstant): boolean {
  const { slotMs, lastPollMs = -Infinity, countEveryMs } = instant;
  return countEveryMs === 0 || slotMs - Math.max(sinceMs, lastPollMs, hintedMs) >= countEveryMs;
}

function countedMs({ slotMs, countEveryMs }: PollInstant): number | undefined {
  return countEveryMs === 0 ? undefined : slotMs;
}

function reopen(closed: Episode, listed: ListedItem, instant: PollInstant): Transition {
  const open = seen(closed, listed, { instant, phase: 'open', polls: closed.polls + 1 });
  const noticedBy = instant.isNotified ? 'notification' : undefined;
  const episode: Episode = { ...open, closedMs: undefined, evenIfUnchanged: true, noticedBy };
  return { kind: 'reopened', episode, previous: closed.item, missedMs: instant.slotMs - closed.lastSeenMs };
}

function begin({ key, itemId, item }: ListedItem, { watched, slotMs, maxAgeMs, isNotified }: PollInstant): Episode {
  const startedMs = (watched.kind === 'feed' ? creationOf(item) : startOf(item)) ?? slotMs;
  const isOld = watched.kind === 'feed' && slotMs - startedMs > maxAgeMs;
  const begun: Episode = {
    id: `${key}@${new Date(slotMs).toISOString()}`,
    key,
    itemId,
    phase: 'pending',
    item,
    firstSeenMs: slotMs,
    startedMs,
    lastSeenMs: slotMs,
    hits: 1,
    misses: 0,
    polls: 0,
    peak: peakOf({}, item),
    games: gamesOf(undefined, item),
    closes: 0,
    evenIfUnchanged: true,
    ...(isNotified && { noticedBy: 'notification' }),
    ...(isOld && { suppressedBy: { kind: 'olderThanMaxAge', ageMs: slotMs - startedMs, maxAgeMs } }),
  };
  return watched.tracks ? { ...begun, ...episodeData(begun, { watched, slotMs }) } : begun;
}

/** Opens a pending episode that was seen often and long enough. */
function settle(pending: Episode, previous: Item | undefined, instant: PollInstant): Transition {
  const { watched, slotMs } = instant;
  const episode: Episode = { ...pending, suppressedBy: pending.suppressedBy ?? ageSuppression(pending, instant) };
  const isSettled = episode.hits >= watched.confirm.new && slotMs - episode.firstSeenMs >= watched.settleMs;
  return isSettled ? open(episode, previous, episode.suppressedBy) : { kind: 'waited', episode };
}

function open(pending: Episode, previous: Item | undefined, suppression: Episode['suppressedBy']): Transition {
  return {
    kind: 'opened',
    episode: { ...pending, phase: 'open', openedMs: pending.lastSeenMs, polls: 1, suppressedBy: suppression },
    previous,
  };
}

/** Suppresses an item that started too long ago, in a gap without polls. Items of a feed are checked at first sight. */
function ageSuppression({ startedMs }: Episode, { slotMs, gapMs, maxAgeMs }: PollInstant): Suppression | undefined {
  const ageMs = slotMs - startedMs;
  if (gapMs === undefined || ageMs <= maxAgeMs) return undefined;
  return { kind: 'beganDuringGap', agoMs: ageMs, maxAgeMs, gapMs: gapMs };
}

/** What changes in an episode whose item a poll shows, beside the item. */
interface Sight extends Partial<Pick<Episode, 'hits' | 'polls'>>, Pick<Episode, 'phase'> {
  readonly instant: PollInstant;
}

/** The episode with the item of this poll. A single literal, because it is made for each item of each poll. */
function seen(
  episode: Episode,
  { itemId, item }: ListedItem,
  { instant: { watched, slotMs }, phase, hits = episode.hits, polls = episode.polls }: Sight,
): Episode {
  const peak = peakOf(episode.peak, item);
  const games = gamesOf(episode.games, item);
  const shown: Episode = {
    ...episode,
    itemId,
    item,
    lastSeenMs: slotMs,
    compact: undefined,
    removedByEdit: undefined,
    misses: 0,
    missingSinceMs: undefined,
    countedMs: phase === 'pending' ? episode.countedMs : undefined,
    peak,
    games,
    phase,
    hits,
    polls,
  };
  return watched.tracks ? { ...shown, ...episodeData(shown, { watched, slotMs }) } : shown;
}
