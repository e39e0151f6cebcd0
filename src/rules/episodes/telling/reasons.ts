import type { Episode } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
import { durationText } from '../../wording/duration-text.ts';
import { enumerate } from '../../wording/enumerate.ts';
import type { Change } from '../changes/change.ts';
import { count, nameOf, several, standing } from './wording.ts';

interface ReasonOptions {
  readonly watched: Watched;
  readonly slotMs: number;
}

/** Why nothing is done about a change now. */
interface Hindrance {
  readonly kind: 'refused' | 'held';
  readonly reason: string;
}

/** Why an episode waits to open. */
export function whyWaiting({ key, item, hits, firstSeenMs }: Episode, { watched, slotMs }: ReasonOptions): string {
  const restMs = watched.settleMs - (slotMs - firstSeenMs);
  const settling = restMs > 0 ? [`settling for ${durationText(restMs)} more`] : [];
  const counting = hits < watched.confirm.new ? [`seen in ${hits} of ${count(watched.confirm.new, 'poll')}`] : [];
  return `${nameOf(item, key)} is ${standing(item)}: ${[...settling, ...counting].join(', ')}`;
}

/** Why a new value is not said yet. */
export function whyBegun({ key, item }: Episode, words: string, { watched }: ReasonOptions): string {
  return `${nameOf(item, key)} ${words}, settling for ${durationText(watched.settleMs)} more`;
}

/** Why an episode whose item is missing is not over yet. */
export function whyMissing({ key, item, ...episode }: Episode, options: ReasonOptions): string {
  return `${nameOf(item, key)} is missing: ${missingText(episode, options)}`;
}

/** How often and how long an item is missing, of what it may be. */
export function missingText(
  { misses, missingSinceMs }: Pick<Episode, 'misses' | 'missingSinceMs'>,
  { watched, slotMs }: ReasonOptions,
): string {
  const restMs = watched.graceMs - (slotMs - (missingSinceMs ?? slotMs));
  const counting = misses < watched.confirm.gone ? [`${misses} of ${count(watched.confirm.gone, 'poll')}`] : [];
  const grace = restMs > 0 ? [`grace for ${durationText(restMs)}`] : [];
  return [...counting, ...grace].join(', ');
}

/** What is said of an item that opens without a word. */
export function whyOpened({ key, item }: Episode, silence: string): string {
  return `${nameOf(item, key)} is ${standing(item)}, not announced: ${silence}`;
}

/** What is said of a change, and why that is not announced, or not yet. */
export function whyChange({ episode, change }: { readonly episode: Episode; readonly change: Change }, hindrance?: Hindrance): string {
  const { key, item } = episode;
  const name = nameOf(item, key);
  const sentence = change.kind === 'entered' ? `${name} entered at ${standing(item)}` : `${name} ${change.words}`;
  if (!hindrance) return sentence;
  if (hindrance.kind === 'held') return `${sentence}; held: ${hindrance.reason}`;
  return change.kind === 'entered' ? whyOpened(episode, hindrance.reason) : `that ${sentence} is not announced: ${hindrance.reason}`;
}

/** What is said of all that changed in a poll, and why that is not announced, or not yet. */
export function whyPoll(
  changes: readonly { readonly episode: Episode; readonly change: Pick<Change, 'kind'> }[],
  hindrance?: Hindrance,
): string {
  const kinds = [...Map.groupBy(changes, ({ change }) => change.kind)].map(([kind, some]) => {
    const names = several(some.map(({ episode: { item, key } }) => nameOf(item, key)));
    return `${some.length} ${kind} (${names})`;
  });
  const sentence = enumerate(kinds, 'and');
  if (!hindrance) return sentence;
  return hindrance.kind === 'held' ? `${sentence}; held: ${hindrance.reason}` : `${sentence}, not announced: ${hindrance.reason}`;
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
