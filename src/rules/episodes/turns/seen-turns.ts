import type { Episode } from '../../episode.ts';
import type { Item } from '../../poll.ts';
import type { Silence } from '../../reasons/refusal.ts';
import type { Watched } from '../../rule.ts';
import type { Present } from './sift-items.ts';
import { seenAt } from './seen-at.ts';
import type { Moment, Turn } from './turn.ts';
import { finished } from './unseen-turn.ts';

/** How long a closed episode is remembered, so that its item can reopen it. */
export const REMEMBERED_MS = 30 * 86_400_000;

/** How long a key of a feed is remembered, so that it is not new again. */
export const SEEN_MS = 90 * 86_400_000;

/** Whether the first look found it. */
export function wasThereAlready({ silence }: Pick<Episode, 'silence'>): boolean {
  return typeof silence === 'object' && silence.kind === 'thereAlready';
}

/** The episodes that an item may go on with. */
export interface Known {
  /** The one of its key that is not over. */
  readonly living: Episode | undefined;
  /** The one that its own id had, where that may be reopened. */
  readonly over: Episode | undefined;
}

interface TurnOptions {
  readonly watched: Watched;
  /** Only who is there is kept up to date. */
  readonly compact: boolean;
  readonly moment: Moment;
}

/** What becomes of an item that a poll shows: its turn, and before it the end of the broadcast that it replaces. */
export function seenTurns(present: Present, { living: known, over }: Known, { watched, compact, moment }: TurnOptions): readonly Turn[] {
  if (known && compact && stands(known, present)) return [{ kind: 'stayed', episode: known, previous: known.item, missedMs: undefined }];
  const living = known && seenAt(known, moment);
  if (living && !isNewBroadcast(living, present, { watched, moment })) return [goOn(living, present, { watched, moment })];
  const ended = living ? [finished(living, moment)] : [];
  if (over) return [...ended, reopen(over, present, moment)];
  const begun = begin(present, { watched, moment });
  // A channel's next broadcast is new, however the rule came to look.
  const isBaseline = moment.baseline && !living;
  return [...ended, isBaseline ? open(begun, undefined, { kind: 'thereAlready' }) : settle(begun, undefined, { watched, moment })];
}

/** Nothing is new but what a compact episode does not keep. */
function stands({ listed, phase, itemId }: Episode, present: Present): boolean {
  return listed === true && phase === 'open' && itemId === present.itemId;
}

function isNewBroadcast(
  living: Episode,
  { itemId, item }: Present,
  { watched, moment: { slotMs, gapMs } }: { readonly watched: Watched; readonly moment: Moment },
): boolean {
  // Only a channel is known by something else than its broadcast.
  if (watched.kind !== 'live' && watched.kind !== 'ranking') return false;
  if (itemId === undefined || living.itemId === undefined || itemId === living.itemId) return false;
  if (living.missingSinceMs !== undefined) return slotMs - living.missingSinceMs >= watched.graceMs;
  // Nobody looked: it was away until its new start at the longest.
  const awayMs = gapMs === undefined ? 0 : (startOf(item) ?? slotMs) - living.lastSeenMs;
  return Math.max(0, awayMs) >= watched.graceMs;
}

function goOn(living: Episode, present: Present, { watched, moment }: { readonly watched: Watched; readonly moment: Moment }): Turn {
  const { item: previous, missingSinceMs } = living;
  if (living.phase === 'pending') {
    return settle({ ...sighted(living, present, moment), hits: living.hits + 1 }, previous, { watched, moment });
  }
  const episode: Episode = { ...sighted(living, present, moment), phase: 'open', polls: living.polls + 1 };
  return { kind: 'stayed', episode, previous, missedMs: missingSinceMs === undefined ? undefined : moment.slotMs - living.lastSeenMs };
}

function reopen(over: Episode, present: Present, moment: Moment): Turn {
  const episode: Episode = {
    ...sighted(over, present, moment),
    phase: 'open',
    polls: over.polls + 1,
    closedMs: undefined,
    afresh: true,
  };
  return { kind: 'reopened', episode, previous: over.item, missedMs: moment.slotMs - over.lastSeenMs };
}

function begin({ key, itemId, item }: Present, { watched, moment }: { readonly watched: Watched; readonly moment: Moment }): Episode {
  const { slotMs, maxAgeMs } = moment;
  const startedMs = (watched.kind === 'feed' ? dateOf(item) : startOf(item)) ?? slotMs;
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

function settle(
  pending: Episode,
  previous: Item | undefined,
  { watched, moment }: { readonly watched: Watched; readonly moment: Moment },
): Turn {
  const { slotMs } = moment;
  const episode: Episode = { ...pending, silence: pending.silence ?? tooOld(pending, moment) };
  const settled = episode.hits >= watched.confirm.new && slotMs - episode.firstSeenMs >= watched.settleMs;
  return settled ? open(episode, previous, episode.silence) : { kind: 'waited', episode };
}

function open(pending: Episode, previous: Item | undefined, silence: Episode['silence']): Turn {
  return { kind: 'opened', episode: { ...pending, phase: 'open', openedMs: pending.lastSeenMs, polls: 1, silence }, previous };
}

/** Why it is too late to say that it began; of a feed that was asked at the first sight. */
function tooOld({ startedMs }: Episode, { slotMs, gapMs, maxAgeMs }: Moment): Silence | undefined {
  const ageMs = slotMs - startedMs;
  if (gapMs === undefined || ageMs <= maxAgeMs) return undefined;
  return { kind: 'begunUnread', agoMs: ageMs, maxAgeMs, unreadMs: gapMs };
}

/** The episode with what the poll shows of its item. */
function sighted(episode: Episode, { itemId, item }: Present, { slotMs }: Moment): Episode {
  const peak = peakOf(episode.peak, item);
  return { ...episode, itemId, item, lastSeenMs: slotMs, listed: undefined, misses: 0, missingSinceMs: undefined, peak };
}

/** When what a feed shows was made, by its own account. */
function dateOf({ createdAt, publishedAt, startedAt }: Item): number | undefined {
  return instant(createdAt) ?? instant(publishedAt) ?? instant(startedAt);
}

function startOf({ startedAt }: Item): number | undefined {
  return instant(startedAt);
}

function instant(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function peakOf(peak: Episode['peak'], { rank: _rank, ...fields }: Item): Episode['peak'] {
  const greatest = { ...peak };
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'number') greatest[field] = Math.max(value, peak[field] ?? value);
  }
  return greatest;
}
