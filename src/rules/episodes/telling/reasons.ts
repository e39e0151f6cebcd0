import type { Episode } from '../../episode.ts';
import type { Falsehood } from '../../reasons/falsehood.ts';
import type { Happened } from '../../reasons/happened.ts';
import type { KeptSilence, Missing, Reason } from '../../reasons/reason.ts';
import type { Hindrance } from '../../reasons/refusal.ts';
import type { Watched } from '../../rule.ts';
import type { Change } from '../changes/change.ts';
import type { Sifted } from '../turns/sift-items.ts';
import { namedOf, nameOf, standingOf } from './item-words.ts';

interface ReasonOptions {
  readonly watched: Watched;
  readonly slotMs: number;
}

interface Seen {
  readonly sifted: Pick<Sifted, 'out'>;
}

/** Why an episode waits to open. */
export function whyWaiting({ key, item, hits, firstSeenMs }: Episode, { watched, slotMs }: ReasonOptions): Reason {
  const restMs = watched.settleMs - (slotMs - firstSeenMs);
  const needed = watched.confirm.new;
  return {
    kind: 'waiting',
    name: nameOf(item, key),
    standing: standingOf(item),
    ...(restMs > 0 && { settleMs: restMs }),
    ...(hits < needed && { seen: { count: hits, of: needed } }),
  };
}

/** Why a new value is not said yet. */
export function whyBegun({ key, item }: Episode, happened: Happened, { watched: { settleMs } }: ReasonOptions): Reason {
  return { kind: 'settling', name: nameOf(item, key), happened, settleMs };
}

/** Why an episode whose item is missing is not over yet. */
export function whyMissing(episode: Episode, options: ReasonOptions & Seen): Reason {
  const { key, item } = episode;
  return { kind: 'missing', name: nameOf(item, key), missing: missingOf(episode, options), ...refusalOf(key, options) };
}

/** How often and how long an item is missing, of what it may be. */
export function missingOf(
  { misses, missingSinceMs }: Pick<Episode, 'misses' | 'missingSinceMs'>,
  { watched, slotMs }: ReasonOptions,
): Missing {
  const restMs = watched.graceMs - (slotMs - (missingSinceMs ?? slotMs));
  const needed = watched.confirm.gone;
  return { ...(misses < needed && { polls: { count: misses, of: needed } }), ...(restMs > 0 && { graceMs: restMs }) };
}

/** What is said of an item that opens without a word. */
export function whyOpened({ key, item }: Episode, silence: KeptSilence): Reason {
  return { kind: 'opened', name: nameOf(item, key), standing: standingOf(item), silence };
}

/** What is said of a change, and why that is not announced, or not yet. */
export function whyChange(
  { episode, change: { happened } }: { readonly episode: Episode; readonly change: Change },
  hindrance?: Hindrance,
): Reason {
  if (hindrance?.kind === 'refused' && happened.kind === 'entered') return whyOpened(episode, hindrance.by);
  return { kind: 'happened', name: nameOf(episode.item, episode.key), happened, ...(hindrance && { hindrance }) };
}

/** What is said of all that changed in a poll, and why that is not announced, or not yet. */
export function whyPoll(
  changes: readonly { readonly episode: Episode; readonly change: Pick<Change, 'kind'> }[],
  hindrance?: Hindrance,
): Reason {
  const kinds = [...Map.groupBy(changes, ({ change }) => change.kind)].map(([change, some]) => ({
    change,
    ...namedOf(some.map(({ episode }) => episode)),
  }));
  return { kind: 'poll', changes: kinds, ...(hindrance && { hindrance }) };
}

/** What is said of an item that was there before and is again. */
export function whyBack({ key, item }: Episode, awayMs: number): Reason {
  return { kind: 'back', name: nameOf(item, key), standing: standingOf(item), awayMs };
}

/** What is said of an item that did not stay. */
export function whyVanished({ key, item, firstSeenMs, lastSeenMs }: Episode, seen: Seen): Reason {
  return { kind: 'vanished', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs, ...refusalOf(key, seen) };
}

/** What is said of an episode that is over. */
export function whyClosed(
  { key, item, firstSeenMs, lastSeenMs, spokenBy, silence }: Episode,
  { watched, sifted }: Pick<ReasonOptions, 'watched'> & Seen,
): Reason {
  return {
    kind: 'closed',
    name: nameOf(item, key),
    // What the list has goes on, whether it counts or not.
    live: watched.kind === 'live' && !sifted.out.has(key),
    seenMs: lastSeenMs - firstSeenMs,
    standing: standingOf(item),
    ...refusalOf(key, { sifted }),
    ...(spokenBy === undefined && silence !== undefined && { silence }),
  };
}

/** Why `where` refuses an item that is not simply gone. */
function refusalOf(key: string, { sifted }: Seen): { readonly unfit?: Falsehood } {
  const unfit = sifted.out.get(key);
  return unfit ? { unfit } : {};
}
