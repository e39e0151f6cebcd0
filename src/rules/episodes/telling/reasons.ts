import type { Episode } from '../../episode.ts';
import type { Poll } from '../../poll.ts';
import type { Watched } from '../../rule.ts';
import type { Turn } from '../turns/turn.ts';
import { durationText } from '../../wording/duration-text.ts';
import { count, nameOf, several, standing } from './wording.ts';

interface ReasonOptions {
  readonly watched: Watched;
  readonly slotMs: number;
}

/** Why an episode waits to open. */
export function whyWaiting({ key, item, hits, firstSeenMs }: Episode, { watched, slotMs }: ReasonOptions): string {
  const restMs = watched.settleMs - (slotMs - firstSeenMs);
  const settling = restMs > 0 ? [`settling for ${durationText(restMs)} more`] : [];
  const counting = hits < watched.confirm.new ? [`seen in ${hits} of ${count(watched.confirm.new, 'poll')}`] : [];
  return `${nameOf(item, key)} is ${standing(item)}: ${[...settling, ...counting].join(', ')}`;
}

/** Why an episode whose item is missing is not over yet. */
export function whyMissing({ key, item, misses }: Episode, { watched }: ReasonOptions): string {
  const counting = misses < watched.confirm.gone ? [`${misses} of ${count(watched.confirm.gone, 'poll')}`] : [];
  const grace = watched.graceMs > 0 ? [`grace for ${durationText(watched.graceMs)}`] : [];
  return `${nameOf(item, key)} is missing: ${[...counting, ...grace].join(', ')}`;
}

/** What is said of an item that opens: where it stands, and why that is or is not announced. */
export function whyOpened({ key, item }: Episode, silence?: string): string {
  const name = nameOf(item, key);
  return silence === undefined ? `${name} entered at ${standing(item)}` : `${name} is ${standing(item)}, not announced: ${silence}`;
}

/** What is said of an item that was there before and is again. */
export function whyBack({ key, item }: Episode, awayMs: number): string {
  return `${nameOf(item, key)} is back at ${standing(item)} after ${durationText(awayMs)}: the same episode, no second announcement`;
}

/** What is said of an item that did not stay. */
export function whyVanished({ key, item, firstSeenMs, lastSeenMs }: Episode): string {
  return `${nameOf(item, key)} was gone again before it opened; it was seen for ${durationText(lastSeenMs - firstSeenMs)}`;
}

/** What is said of an episode that is over. */
export function whyClosed({ key, item, firstSeenMs, lastSeenMs, spokenBy, silence }: Episode, { watched }: ReasonOptions): string {
  const end = watched.kind === 'live' ? 'has ended' : 'has left';
  const unsaid = spokenBy === undefined && silence !== undefined ? `; it was never announced: ${silence}` : '';
  return `${nameOf(item, key)} ${end}: seen for ${durationText(lastSeenMs - firstSeenMs)}, at last ${standing(item)}${unsaid}`;
}

/** What is said of an item that left, and why that is not announced. */
export function whyLeft({ key, item }: Episode, refusal?: string): string {
  const name = nameOf(item, key);
  return refusal === undefined ? `${name} left` : `that ${name} left is not announced: ${refusal}`;
}

/** What is said of those that were there at the first look. */
export function whyBaseline(episodes: readonly Episode[], { isNew }: { readonly isNew: boolean }): string {
  const names = several(episodes.map(({ key, item }) => nameOf(item, key)));
  const look = isNew ? 'the first look' : 'the first look since the rule watches something else';
  return `${look}: ${count(episodes.length, 'item')} there already, followed without a word: ${names}`;
}

/** What is said of a list in which nothing happened. */
export function whyQuiet(turns: readonly Turn[], { items, complete }: Exclude<Poll, { readonly failure: string }>): string {
  const followed = turns.filter(({ kind }) => kind === 'stayed').length;
  const missing = turns.filter(({ kind }) => kind === 'missed').length;
  const gone = missing > 0 ? `, ${missing} still missing` : '';
  const cut = complete ? '' : '; the list was cut short and says nothing of who is missing';
  return `nothing changed: ${count(items.length, 'item')} read, ${followed} of them followed${gone}${cut}`;
}
