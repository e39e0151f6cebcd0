import type { Baseline, Episode } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { ChangeDetail } from '#src/rules/reasons/reason.ts';
import type { Rule, Watched, WatchedChange } from '#src/rules/rule.ts';
import { accountOf } from '../items/accounts.ts';
import { byCreation, standingOf } from '../items/item-fields.ts';
import { isFromBaseline, type PollInstant, type Transition } from '../transitions/transition.ts';
import type { Change, EpisodeChanges, Tracked, TrackedItem } from './change.ts';
import { trackFields } from './field-changes.ts';
import { trackMilestones } from './milestone-changes.ts';
import { trackRank } from './rank-changes.ts';
import { trackThresholds } from './threshold-changes.ts';

interface DetectOptions {
  readonly instant: PollInstant;
  /** How many ranks each item went down since the last good poll. */
  readonly moves: ReadonlyMap<string, number>;
  readonly lastRank: number;
}

/** The changes of an episode in its transition. */
export function detectChanges(transition: Transition, options: DetectOptions): EpisodeChanges {
  const { watched } = options.instant;
  const { episode, changes, begun } = trackValues(transition, options);
  switch (transition.kind) {
    case 'opened': {
      const entered = episode.suppressedBy === undefined ? [entry(episode, transition.previous, watched)] : [];
      return { transition, episode, changes: [...entered, ...changes], begun };
    }
    case 'stayed': {
      const entered = episode.deferred === 'entered' ? [{ ...entry(episode, transition.previous, watched), wasDeferred: true }] : [];
      return { transition, episode, changes: [...entered, ...changes], begun };
    }
    case 'reopened':
      return { transition, episode: { ...episode, deferred: undefined }, changes, begun };
    case 'closed': {
      // A deferred entry of an item that has left is not announced.
      const ended: Episode =
        episode.deferred === undefined
          ? episode
          : {
              ...episode,
              deferred: undefined,
              deferredBy: undefined,
              suppressedBy: { kind: episode.deferredBy === 'limit' ? 'endedAtLimit' : 'endedInQuietHours' },
            };
      return { transition, episode: ended, changes: transition.byEdit ? [] : [departure(episode, watched)], begun };
    }
    default:
      return { transition, episode, changes, begun };
  }
}

/** The departure of an episode that closed in quiet hours. */
export function deferredDeparture(episode: Episode, watched: Watched): EpisodeChanges {
  return { episode, changes: [{ ...departure(episode, watched), wasDeferred: true }], begun: [] };
}

/** The changes of a list that has its newest items first, those of the oldest item first. */
export function oldestFirst(all: readonly EpisodeChanges[]): readonly EpisodeChanges[] {
  const changed = all.filter(({ changes }) => changes.length > 0);
  if (changed.length < 2) return all;
  return [...byCreation(changed, ({ episode }) => episode.item), ...all.filter(({ changes }) => changes.length === 0)];
}

/** The changes in the order in which `limit` allows them: deferred ones first, the oldest first. Otherwise, new items of a higher rank would take their room. */
export function inLimitOrder(all: readonly EpisodeChanges[], { limit }: Pick<Rule, 'limit'>): readonly EpisodeChanges[] {
  if (limit?.then !== 'hold') return all;
  const isDeferred = ({ changes }: EpisodeChanges): boolean => changes.some(({ wasDeferred }) => wasDeferred);
  const deferred = all.filter(isDeferred).map((one) => ({ one, sinceMs: deferredSinceMs(one.episode) }));
  if (deferred.length === 0) return all;
  return [...deferred.toSorted((a, b) => a.sinceMs - b.sinceMs).map(({ one }) => one), ...all.filter((one) => !isDeferred(one))];
}

function deferredSinceMs({ deferred, openedMs = 0, closedMs, baselines = {} }: Episode): number {
  if (deferred !== undefined) return closedMs ?? openedMs;
  return Math.min(...Object.values(baselines).flatMap((one) => (one.deferred && one.sinceMs !== undefined ? [one.sinceMs] : [])));
}

/** Compares the values of an item with their baselines. */
function trackValues(transition: Transition, { instant, moves, lastRank }: DetectOptions): Omit<EpisodeChanges, 'transition'> {
  const { watched, slotMs, lastAccounts } = instant;
  const { episode, kind } = transition;
  const isPending = kind === 'waited';
  const previous = 'previous' in transition ? transition.previous : undefined;
  if (!('previous' in transition) && !isPending) return { episode, changes: [], begun: [] };
  const tracked: TrackedItem = {
    slotMs,
    episode,
    previous,
    isFirst: episode.firstSeenMs === slotMs,
    opens: kind === 'opened' || episode.deferred === 'entered',
    // The list did not have the item of a reopened episode before.
    ranksDown: kind === 'stayed' ? (moves.get(episode.key) ?? 0) : 0,
    lastRank,
    // A record that its platform refused at first is not new: `one` has no new items.
    isFromBaseline: isFromBaseline(episode) || (watched.kind === 'one' && watched.first === 'silent'),
    isFromOtherAccount: previous !== undefined && accountOf(previous, lastAccounts) !== accountOf(episode.item, watched.accounts),
    settleMs: watched.settleMs,
  };
  const baselines: (readonly [string, Baseline])[] = [];
  const changes: Change[] = [];
  const begun: ChangeDetail[] = [];
  for (const change of watched.changes) {
    // Numbers are tracked from the first sight, other values from the opening.
    if (isPending && change.kind !== 'rose' && change.kind !== 'fell') continue;
    const found = track(change, tracked);
    if (!found) continue;
    baselines.push(...found.baselines);
    if (isPending) continue;
    changes.push(...found.changes);
    begun.push(...found.begun);
  }
  return { episode: withBaselines(episode, baselines), changes, begun };
}

function track(change: WatchedChange, tracked: TrackedItem): Tracked | undefined {
  switch (change.kind) {
    case 'entered':
    case 'left':
      return undefined;
    case 'changed':
      return trackFields(change.fields, tracked);
    case 'moved':
      return trackRank(change.direction, tracked);
    case 'rose':
    case 'fell':
      return 'every' in change ? trackMilestones(change, tracked) : trackThresholds(change, tracked);
  }
}

/** Returns the same episode if no baseline changed, so that it is not written again. */
function withBaselines(episode: Episode, baselines: Tracked['baselines']): Episode {
  const before = episode.baselines ?? {};
  const isSame = baselines.every(([name, baseline]) => before[name] === baseline) && Object.keys(before).length === baselines.length;
  if (isSame) return episode;
  return { ...episode, baselines: Object.fromEntries(baselines) };
}

function entry({ item }: Episode, previous: Item | undefined, watched: Watched): Change {
  const detail = { kind: 'entered', standing: standingOf(item, watched), ...(watched.kind === 'live' && { live: true }) } as const;
  return presenceChange(detail, previous, watched);
}

function departure({ item }: Episode, watched: Watched): Change {
  return presenceChange({ kind: 'left' }, item, watched);
}

function presenceChange(
  detail: Extract<ChangeDetail, { readonly kind: 'entered' | 'left' }>,
  previous: Item | undefined,
  { changes }: Watched,
): Change {
  const { kind } = detail;
  return { kind, isWatched: changes.some((change) => change.kind === kind), previous, detail, baselines: [], wasDeferred: false };
}
