import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Suppression } from '../../reasons/reason.ts';
import { creationOf, peakOf, startOf } from '../items/item-fields.ts';
import { hasSameRecords, sharesRecord } from '../items/accounts.ts';
import type { ListedItem } from '../items/filter-items.ts';
import { expanded } from './compact.ts';
import type { PollInstant, Transition } from './transition.ts';

/** The episodes that a listed item may continue. */
interface KnownEpisodes {
  /** The episode of its key that is not closed. */
  readonly active: Episode | undefined;
  /** The closed episode with the id of the item, which it may reopen. */
  readonly closed: Episode | undefined;
}

/** The transitions of a listed item. The end of a replaced broadcast comes first. */
export function listedTransitions(listed: ListedItem, known: KnownEpisodes, instant: PollInstant): readonly Transition[] {
  if (known.active && instant.compact && isUnchanged(known.active, listed)) {
    return [{ kind: 'stayed', episode: known.active, previous: known.active.item, missedMs: undefined }];
  }
  const active = known.active && expanded(known.active, instant);
  if (active && !isNewBroadcast(active, listed, instant)) return [continueEpisode(active, listed, instant)];
  const ended = active ? [endEpisode(active, instant)] : [];
  if (known.closed) return [...ended, reopen(known.closed, listed, instant)];
  const begun = begin(listed, instant);
  // The next broadcast of a known channel is new even in a baseline poll.
  const isKnown = !active && (instant.isFirst || instant.edit?.isNew(listed) === false);
  return [...ended, isKnown ? open(begun, undefined, { kind: 'thereAlready' }) : settle(begun, undefined, instant)];
}

/** The transition of an episode whose item a complete list lacks. */
export function missingTransition(active: Episode, instant: PollInstant): Transition {
  if (active.outOfList ?? instant.edit?.excludes(active)) return endByEdit(active, instant);
  const { watched, slotMs } = instant;
  if (active.phase === 'pending') return endEpisode(active, instant);
  const missingSinceMs = active.missingSinceMs ?? slotMs;
  const episode: Episode = { ...active, phase: 'closing', misses: active.misses + 1, missingSinceMs };
  const isOver = episode.misses >= watched.confirm.gone && slotMs - missingSinceMs >= watched.graceMs;
  return isOver ? endEpisode(episode, instant) : { kind: 'missed', episode };
}

/** Ends an episode whose item left the list only because of an edit. */
export function endByEdit(active: Episode, instant: Pick<PollInstant, 'slotMs'>): Transition {
  const ended = endEpisode({ ...active, outOfList: undefined }, instant);
  return ended.kind === 'closed' ? { ...ended, byEdit: true } : ended;
}

/** Ends an episode at once. */
export function endEpisode(active: Episode, { slotMs }: Pick<PollInstant, 'slotMs'>): Transition {
  if (active.phase === 'pending') return { kind: 'vanished', episode: active };
  const marks = active.marks && Object.fromEntries(Object.entries(active.marks).map(([name, { said }]) => [name, { said }]));
  return { kind: 'closed', episode: { ...active, phase: 'closed', closedMs: slotMs, closes: active.closes + 1, marks } };
}

/** A compact episode is written again only if its item has another id. */
function isUnchanged({ listed, phase, itemId, item: before }: Episode, { itemId: id, item }: ListedItem): boolean {
  if (listed !== true || phase !== 'open' || itemId !== id) return false;
  // A compact episode of a feed does not store its item.
  return item['accounts'] === undefined || before['id'] === undefined || hasSameRecords(before, item);
}

function isNewBroadcast(active: Episode, { itemId, item }: ListedItem, { watched, slotMs, gapMs }: PollInstant): boolean {
  // Only a channel has a key that differs from the id of its broadcast.
  if (watched.kind !== 'live' && watched.kind !== 'ranking') return false;
  if (itemId === undefined || active.itemId === undefined || itemId === active.itemId) return false;
  // Another account still has the stream.
  if (sharesRecord(active.item, item)) return false;
  if (active.missingSinceMs !== undefined) return slotMs - active.missingSinceMs >= watched.graceMs;
  // Without polls in between, the channel was offline until its new start at the longest.
  const awayMs = gapMs === undefined ? 0 : (startOf(item) ?? slotMs) - active.lastSeenMs;
  return Math.max(0, awayMs) >= watched.graceMs;
}

function continueEpisode(active: Episode, listed: ListedItem, instant: PollInstant): Transition {
  const { item: previous, missingSinceMs } = active;
  if (active.phase === 'pending')
    return settle(seen(active, listed, { instant, phase: 'pending', hits: active.hits + 1 }), previous, instant);
  const episode = seen(active, listed, { instant, phase: 'open', polls: active.polls + 1 });
  return { kind: 'stayed', episode, previous, missedMs: missingSinceMs === undefined ? undefined : instant.slotMs - active.lastSeenMs };
}

function reopen(closed: Episode, listed: ListedItem, instant: PollInstant): Transition {
  const open = seen(closed, listed, { instant, phase: 'open', polls: closed.polls + 1 });
  const episode: Episode = { ...open, closedMs: undefined, afresh: true };
  return { kind: 'reopened', episode, previous: closed.item, missedMs: instant.slotMs - closed.lastSeenMs };
}

function begin({ key, itemId, item }: ListedItem, { watched, slotMs, maxAgeMs }: PollInstant): Episode {
  const startedMs = (watched.kind === 'feed' ? creationOf(item) : startOf(item)) ?? slotMs;
  const isOld = watched.kind === 'feed' && slotMs - startedMs > maxAgeMs;
  return {
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
    closes: 0,
    afresh: true,
    ...(isOld && { silence: { kind: 'old', ageMs: slotMs - startedMs, maxAgeMs } }),
  };
}

/** Opens a pending episode that was seen often and long enough. */
function settle(pending: Episode, previous: Item | undefined, instant: PollInstant): Transition {
  const { watched, slotMs } = instant;
  const episode: Episode = { ...pending, silence: pending.silence ?? ageSuppression(pending, instant) };
  const isSettled = episode.hits >= watched.confirm.new && slotMs - episode.firstSeenMs >= watched.settleMs;
  return isSettled ? open(episode, previous, episode.silence) : { kind: 'waited', episode };
}

function open(pending: Episode, previous: Item | undefined, suppression: Episode['silence']): Transition {
  return { kind: 'opened', episode: { ...pending, phase: 'open', openedMs: pending.lastSeenMs, polls: 1, silence: suppression }, previous };
}

/** Suppresses an item that started too long ago, in a gap without polls. Items of a feed are checked at first sight. */
function ageSuppression({ startedMs }: Episode, { slotMs, gapMs, maxAgeMs }: PollInstant): Suppression | undefined {
  const ageMs = slotMs - startedMs;
  if (gapMs === undefined || ageMs <= maxAgeMs) return undefined;
  return { kind: 'begunUnread', agoMs: ageMs, maxAgeMs, unreadMs: gapMs };
}

/** What changes in an episode whose item a poll shows, beside the item. */
interface Sight extends Partial<Pick<Episode, 'hits' | 'polls'>>, Pick<Episode, 'phase'> {
  readonly instant: PollInstant;
}

/** The episode with the item of this poll. A single literal, because it is made for each item of each poll. */
function seen(
  episode: Episode,
  { itemId, item }: ListedItem,
  { instant: { slotMs }, phase, hits = episode.hits, polls = episode.polls }: Sight,
): Episode {
  const peak = peakOf(episode.peak, item);
  return {
    ...episode,
    itemId,
    item,
    lastSeenMs: slotMs,
    listed: undefined,
    outOfList: undefined,
    misses: 0,
    missingSinceMs: undefined,
    peak,
    phase,
    hits,
    polls,
  };
}
