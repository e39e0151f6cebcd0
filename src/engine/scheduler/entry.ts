import { canonical } from '#src/clients/operation/json.ts';
import type { Rule, Schedule } from '#src/rules/rule.ts';
import type { LastSlot } from './rule-states.ts';
import { joinNames, type HintedNames } from './hinted-names.ts';
import { canRest, mayRest, type IsNotified, type RestingSince } from './rest.ts';
import { slotsOf, type Slots } from './slots.ts';

/** The longest delay of a slot while the program runs. A longer delay means that the machine slept. */
const LATE_MS = 60_000;
/** The pauses before a failed slot or poll is tried again: each is twice as long as the one before. */
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 10 * 60_000;
/** The longest pause of a rule without polls while the state cannot be stored. Each repeat costs one write. */
const LONGEST_OUTAGE_PAUSE_MS = 60_000;

/** A slot outside the schedule: the first poll of a rule, a poll after a hint, or a retry. */
interface Extra {
  readonly slotMs: number;
  readonly woken: boolean;
  /** The pause before the retry; 0 for other polls. */
  readonly pauseMs: number;
  /** The accounts of the hints that brought the poll forward. Absent: no hint brought it forward. */
  readonly hintedBy?: readonly string[] | undefined;
  /** The names that the hint is about. Absent: the poll reads the whole list. */
  readonly names?: HintedNames;
}

/** The position of one rule in time. */
export interface Entry {
  rule: Rule;
  slots: Slots;
  /** The instant at which the rule came to the agenda. Earlier slots count as missed. */
  sinceMs: number;
  /** The last committed slot. Every later commit has a later slot. */
  lastMs: number;
  /** All slots of the schedule up to here are done. */
  doneMs: number;
  /** The earliest instant at which the rule can be due. */
  nextMs: number | undefined;
  extra: Extra | undefined;
  /** The instant at which the rule asked to run. */
  wakeMs: number | undefined;
  /** The current pause after a failed run. */
  backoffMs: number;
  /** Absent: the rule needs its next slot. */
  resting?: RestingSince | undefined;
  /** The last slot without a poll, because the rule was at rest and no change was notified. Absent: none since the last poll. */
  restedMs?: number | undefined;
  /** The schedule until the edit of the schedule since the last poll. Absent: no edit changed it since. */
  replaced?: { readonly schedule: Schedule; readonly untilMs: number } | undefined;
}

/** The position of a rule in time as data. */
export type StoredEntry = Omit<Entry, 'rule' | 'slots'> & {
  /** The schedule that the position belongs to, for a process that does not know this version of the rule. */
  readonly schedule: Schedule;
};

export interface DueSlot {
  readonly slotMs: number;
  /** Whether the schedule has no slot here: the rule asked to run, or polls for the first time. */
  readonly woken: boolean;
  /** The accounts of the hints that brought the poll forward. Absent: no hint brought it forward. */
  readonly hintedBy?: readonly string[] | undefined;
  /** The names that the hint is about. Absent: the poll reads the whole list. */
  readonly names?: HintedNames;
}

/** What is known of a rule when it comes to the agenda. */
export interface EntryStart {
  /** Undefined if the rule never ran. */
  readonly last: LastSlot | undefined;
  readonly startMs: number;
  /** Whether the program was down before, so that `missed` applies to the slots in between. */
  readonly wasDown: boolean;
}

/** Creates the entry of a rule that continues after `last`, or that never ran. */
export function enter(rule: Rule, { last, startMs, wasDown }: EntryStart): Entry {
  const lastMs = last?.slotMs ?? startMs - 1;
  const forgets = rule.missed === 'skip' || !wasDown;
  const entry: Entry = {
    rule,
    slots: slotsOf(rule.schedule),
    sinceMs: startMs,
    lastMs,
    doneMs: forgets ? Math.max(lastMs, startMs - 1) : lastMs,
    nextMs: undefined,
    extra: undefined,
    wakeMs: undefined,
    backoffMs: 0,
  };
  if (last?.wakeMs !== undefined && last.wakeMs > lastMs) entry.wakeMs = last.wakeMs;
  // A rule without a stored list polls at start. A rule that watches nothing has missed nothing yet.
  if (!last && rule.watched && entry.slots.next(entry.doneMs) !== undefined) planFirstPoll(entry, startMs);
  else planNext(entry);
  return entry;
}

/** The data of an entry. */
export function storedEntry({ rule, slots: _slots, ...entry }: Entry): StoredEntry {
  return { ...entry, schedule: rule.schedule };
}

/** The entry of a rule with stored data. */
export function restoredEntry(rule: Rule, entry: StoredEntry): Entry {
  return { ...entry, rule, slots: slotsOf(rule.schedule) };
}

/** Counts the last committed slot of a rule that was not returned to the shared agenda since. */
export function countCommitted(entry: Entry, { slotMs, wakeMs }: LastSlot): void {
  if (slotMs <= entry.lastMs) return;
  entry.lastMs = slotMs;
  entry.doneMs = Math.max(entry.doneMs, slotMs);
  entry.wakeMs = wakeMs !== undefined && wakeMs > slotMs ? wakeMs : undefined;
  if (entry.extra && entry.extra.slotMs <= slotMs) entry.extra = undefined;
}

/** Replaces the rule of an entry by a new version, from `nowMs` on. */
export function changeRule(entry: Entry, rule: Rule, nowMs: number): void {
  const { rule: old, doneMs } = entry;
  const pendingMs = scheduledSlot(entry, nowMs);
  entry.rule = rule;
  entry.resting = undefined;
  if (canonical(rule.schedule) !== canonical(old.schedule)) {
    entry.slots = slotsOf(rule.schedule);
    entry.replaced = { schedule: entry.replaced?.schedule ?? old.schedule, untilMs: nowMs };
    // The retry belonged to the old schedule.
    if (entry.extra && entry.extra.pauseMs > 0 && !entry.extra.hintedBy) entry.extra = undefined;
    // A wall time before the new schedule was written was not missed.
    if (!('everyMs' in rule.schedule) && scheduledSlot(entry, nowMs) !== pendingMs) entry.doneMs = Math.max(doneMs, nowMs - 1);
  }
  if (!rule.watched) entry.extra = undefined;
  else if (!old.watched) planFirstPoll(entry, nowMs);
  if (!entry.extra) planNext(entry);
}

/** The slot that is due at `nowMs`. */
export function dueSlot(entry: Entry, nowMs: number, isNotified: IsNotified = () => false): DueSlot | undefined {
  if (entry.nextMs === undefined || entry.nextMs > nowMs) return undefined;
  const { extra } = entry;
  if (extra && !extra.hintedBy) return extra;
  const scheduledMs = scheduledSlot(entry, nowMs);
  const wakeMs = wakeSlot(entry, nowMs);
  // A slot that needs no poll leaves the names of a hint to their own poll.
  const rests = scheduledMs !== undefined && wakeMs === undefined && rest(entry, { scheduledMs, isNotified });
  const waiting = rests ? waitingSlot(entry, scheduledMs) : undefined;
  if (waiting) return waiting;
  // A poll of some names serves no other slot, but each poll of the whole list serves the hint.
  if (extra && extra.slotMs <= nowMs && (scheduledMs === undefined || rests) && wakeMs === undefined) return extra;
  if (rests) return undefined;
  const found = [scheduledMs, wakeMs].filter((slotMs) => slotMs !== undefined);
  if (found.length === 0) {
    // The machine slept past the slot, and it is too old to run.
    entry.nextMs = earliest(entry.slots.next(nowMs), entry.wakeMs, extra?.slotMs);
    return undefined;
  }
  // One poll serves both slots. A rule that watches nothing runs each of them.
  if (entry.rule.watched) return { slotMs: Math.max(...found), woken: scheduledMs === undefined, hintedBy: extra?.hintedBy };
  const slotMs = Math.min(...found);
  return { slotMs, woken: slotMs !== scheduledMs };
}

/** The slot of a rule at rest if some names wait for polls. It serves the hint that is planned. */
function waitingSlot({ resting, extra }: Entry, slotMs: number): DueSlot | undefined {
  if (!resting?.waiting) return undefined;
  const names = extra ? joinNames(extra.names, resting.waiting) : resting.waiting;
  return { slotMs, woken: false, hintedBy: extra?.hintedBy, names };
}

/** A slot that has run. */
export interface FinishedSlot {
  readonly slotMs: number;
  readonly nowMs: number;
  /** The instant at which the rule asked to run next. */
  readonly wakeMs: number | undefined;
  /** Whether the poll asked for some names only, so that it serves no slot of the schedule. */
  readonly isPartial?: boolean | undefined;
  /** Whether the poll failed. */
  readonly isFailed?: boolean | undefined;
  /** When the platform of a failed poll takes requests again, in milliseconds since 1970; absent: it did not say. */
  readonly retryAtMs?: number | undefined;
  /** Absent: the rule needs its next slot. */
  readonly resting?: Omit<RestingSince, 'sinceMs'> | undefined;
}

/** Passes a slot of the schedule over, if the rule needs no poll until the next one. */
function rest(entry: Entry, { scheduledMs, isNotified }: { readonly scheduledMs: number; readonly isNotified: IsNotified }): boolean {
  const { rule, resting, slots } = entry;
  if (!resting || !mayRest(rule, resting, slots.next(scheduledMs)) || !isNotified(rule, resting)) return false;
  entry.doneMs = scheduledMs;
  entry.restedMs = scheduledMs;
  planNext(entry);
  return true;
}

/** Records a finished slot and the instant at which the rule asked to run next. */
export function finishSlot(entry: Entry, done: FinishedSlot): void {
  const { slotMs, nowMs, wakeMs, isPartial = false, isFailed = false, resting } = done;
  entry.extra = isFailed ? repeatedHint(entry, done) : undefined;
  // A failed poll, or one of some names, does not make the rest before it a gap.
  if (!isFailed && !isPartial) {
    entry.restedMs = undefined;
    entry.replaced = undefined;
  }
  entry.resting = isPartial
    ? stillResting(entry.resting, resting)
    : resting && canRest(entry.rule)
      ? { ...resting, sinceMs: slotMs }
      : undefined;
  entry.backoffMs = 0;
  entry.lastMs = Math.max(entry.lastMs, slotMs);
  // The poll also serves the slots that came while it ran.
  if (!isPartial) entry.doneMs = Math.max(entry.doneMs, slotMs, entry.rule.watched ? nowMs : slotMs);
  entry.wakeMs = wakeMs !== undefined && wakeMs > slotMs ? wakeMs : undefined;
  planNext(entry);
}

/** The poll of a hint after it failed, because a platform notifies once only; undefined: no hint brought it. */
function repeatedHint({ rule: { schedule }, extra }: Entry, { nowMs, retryAtMs = 0 }: FinishedSlot): Extra | undefined {
  if (!extra?.hintedBy || !('everyMs' in schedule)) return undefined;
  const pauseMs = Math.min(retryPauseMs(extra.pauseMs), schedule.everyMs);
  return { ...extra, slotMs: Math.max(nowMs + pauseMs, retryAtMs), pauseMs };
}

/**
 * The pause after a failed run. If only the state cannot be stored, it is not longer than the interval of the rule: the outage costs no slot
 * more, and no further polls.
 */
export function backOffMs({ rule: { schedule, watched }, backoffMs }: Entry, isOutage: boolean): number {
  const outageMs = 'everyMs' in schedule ? schedule.everyMs : Infinity;
  const longestMs = isOutage ? Math.min(outageMs, watched ? Infinity : LONGEST_OUTAGE_PAUSE_MS) : Infinity;
  return Math.min(retryPauseMs(backoffMs), longestMs);
}

/** The pause after another failure; `beforeMs`: the pause after the last one, or 0. */
export function retryPauseMs(beforeMs: number): number {
  return beforeMs === 0 ? FIRST_RETRY_MS : Math.min(beforeMs * 2, LONGEST_RETRY_MS);
}

/** The rest of a rule after a poll of some names. The other names were last polled before it, so the next poll of the whole list stays as early. */
function stillResting(before: RestingSince | undefined, after: FinishedSlot['resting']): RestingSince | undefined {
  if (!before || !after) return undefined;
  return {
    ...before,
    isEmpty: before.isEmpty && after.isEmpty,
    untilMs: earliest(before.untilMs, after.untilMs),
    waiting: after.waiting,
  };
}

/** Moves an entry back with the clock, but not before its last commit. */
export function rewindEntry(entry: Entry, nowMs: number): void {
  entry.doneMs = Math.max(entry.lastMs, Math.min(entry.doneMs, nowMs));
  entry.sinceMs = Math.min(entry.sinceMs, nowMs);
  entry.resting = undefined;
  entry.restedMs = entry.restedMs === undefined ? undefined : Math.min(entry.restedMs, nowMs);
  if (entry.extra) entry.nextMs = Math.min(entry.nextMs ?? nowMs, nowMs + entry.extra.pauseMs);
  else planNext(entry);
}

/** Polls at the next tick. If the schedule has no slot there, the run counts as woken. */
function planFirstPoll(entry: Entry, nowMs: number): void {
  const slotMs = Math.max(nowMs, entry.lastMs + 1);
  entry.extra = { slotMs, woken: entry.slots.latest(slotMs - 1, slotMs) === undefined, pauseMs: 0 };
  entry.nextMs = nowMs;
}

/** Sets the earliest instant at which the rule can be due. */
export function planNext(entry: Entry): void {
  entry.nextMs = earliest(entry.slots.next(entry.doneMs), entry.wakeMs, entry.extra?.slotMs);
}

/** The due slot of the schedule. With `missed: all`, the first of the missed slots that still run. */
function scheduledSlot({ rule, slots, sinceMs, doneMs }: Entry, nowMs: number): number | undefined {
  const { missed, maxAgeMs, watched, max } = rule;
  const lateMs = Math.max(nowMs - LATE_MS, sinceMs);
  const oldestMs = missed === 'skip' ? lateMs : Math.min(nowMs - maxAgeMs, lateMs);
  const afterMs = Math.max(doneMs, oldestMs - 1);
  return missed === 'all' && !watched ? slots.lastOf(afterMs, nowMs, max)[0] : slots.latest(afterMs, nowMs);
}

/** The instant at which the rule asked to run, or now if that instant is older than `maxAge`. */
function wakeSlot({ rule, wakeMs }: Entry, nowMs: number): number | undefined {
  if (wakeMs === undefined || wakeMs > nowMs) return undefined;
  return nowMs - wakeMs <= rule.maxAgeMs ? wakeMs : nowMs;
}

function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((atMs) => atMs !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
