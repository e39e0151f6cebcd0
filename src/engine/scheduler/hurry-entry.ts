import type { Watched } from '#src/rules/rule.ts';
import { planNext, type Entry } from './entry.ts';
import { coversNames, joinAccounts, joinNames, type Hinted } from './hinted-names.ts';

/** While hints arrive without a pause, some names of a rule are polled once in this time. */
const NAMES_PAUSE_MS = 1_000;
/** While hints arrive without a pause, the whole list of a rule is polled after this part of `every`, within these limits. */
const PAUSE_PART = 1 / 60;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_QUICK_PAUSE_MS = 10_000;
const LIST_PAUSE_PART = 1 / 6;
const LONGEST_LIST_PAUSE_MS = 30_000;

/**
 * Polls a list before its next slot, because it may have changed, or the items of some names. Returns false if that changes nothing: the next
 * slot is as early, or the rule does not poll every so often.
 */
export function hurryEntry(entry: Entry, { nowMs, names, accounts }: Hinted & { readonly nowMs: number }): boolean {
  const { rule, nextMs, extra, backoffMs } = entry;
  const { watched, schedule } = rule;
  // The next slot may be the poll of the hint.
  if (!names) entry.resting = undefined;
  if (!watched || !('everyMs' in schedule) || backoffMs > 0) return false;
  // A new hint does not wait for the pause after a failed poll.
  if (extra && (!extra.hintedBy || (extra.pauseMs === 0 && coversNames(extra.names, names)))) return false;
  const asked = extra ? joinNames(extra.names, names) : names;
  const pauseMs = asked ? NAMES_PAUSE_MS : wholePauseMs(watched, schedule.everyMs);
  // A slot that was passed over keeps the same distance as a poll.
  const lastMs = Math.max(entry.lastMs, entry.restedMs ?? 0);
  const soonMs = Math.max(nowMs, lastMs + pauseMs);
  // A poll of the whole list needs a longer pause than the poll of some names that it replaces.
  const slotMs = extra && (asked || !extra.names) ? Math.min(extra.slotMs, soonMs) : soonMs;
  // A rule at rest passes its next slot over.
  const isServed = !extra && nextMs !== undefined && nextMs <= slotMs && !(asked && entry.resting);
  if (isServed) {
    entry.resting = undefined;
    return false;
  }
  entry.extra = { slotMs, woken: true, pauseMs: extra?.pauseMs ?? 0, hintedBy: joinAccounts(extra?.hintedBy, accounts), names: asked };
  planNext(entry);
  return true;
}

/** Polls the whole list of a rule at once, instead of the names of a hint. */
export function pollWholeList(entry: Entry, { slotMs, nowMs }: { readonly slotMs: number; readonly nowMs: number }): void {
  entry.extra = { slotMs, woken: true, pauseMs: 0, hintedBy: entry.extra?.hintedBy ?? [] };
  entry.nextMs = nowMs;
}

/**
 * The shortest time between a poll and one of the whole list that a hint brings. The poll of a long list takes many requests, however few of its
 * names changed.
 */
function wholePauseMs({ withOf, people }: Watched, everyMs: number): number {
  const readsList = withOf !== undefined || people !== undefined;
  const part = readsList ? LIST_PAUSE_PART : PAUSE_PART;
  const longestMs = readsList ? LONGEST_LIST_PAUSE_MS : LONGEST_QUICK_PAUSE_MS;
  return Math.min(Math.max(SHORTEST_PAUSE_MS, Math.ceil(everyMs * part)), longestMs);
}
