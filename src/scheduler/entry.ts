import { canonical } from '#src/operation/json.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { LastSlot } from './rule-states.ts';
import { slotsOf, type Slots } from './slots.ts';

/** A slot that came while the rule was on the agenda is run up to this late: longer is no tick that was held up, the machine slept. */
const LATE_MS = 60_000;

/** A slot that is due whatever the schedule says: the first poll of a rule, or one that is asked again. */
interface Extra {
  readonly slotMs: number;
  readonly woken: boolean;
  /** How long it was waited before it; of a first poll, nothing. */
  readonly pauseMs: number;
}

/** Where one rule stands in time. */
export interface Entry {
  rule: Rule;
  slots: Slots;
  /** Since when it is on the agenda: what passed before, it has missed. */
  sinceMs: number;
  /** The last slot that was committed: all that follow are later. */
  lastMs: number;
  /** No slot of the schedule up to here is due any more. */
  doneMs: number;
  /** When to look next, at the earliest. */
  nextMs: number | undefined;
  extra: Extra | undefined;
  /** When the rule itself wants to be run. */
  wakeMs: number | undefined;
  /** How long it rests since it could not be run. */
  restMs: number;
}

/** A slot that a rule is to run. */
export interface DueSlot {
  readonly slotMs: number;
  /** Whether the schedule has no slot here: the rule itself asked to be run, or it is its first poll. */
  readonly woken: boolean;
}

/** Since when a rule is on the agenda. */
export interface Arrival {
  /** Absent: it was never run. */
  readonly last: LastSlot | undefined;
  readonly startMs: number;
  /** Whether it was away because the program was: what passed meanwhile it has missed. */
  readonly wasDown: boolean;
}

/** The entry of a rule that goes on after `last`, or that was never run. */
export function enter(rule: Rule, { last, startMs, wasDown }: Arrival): Entry {
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
    restMs: 0,
  };
  if (last?.wakeMs !== undefined && last.wakeMs > lastMs) entry.wakeMs = last.wakeMs;
  // A rule without a stored list polls as soon as it starts; one that watches nothing has nothing to miss yet.
  if (!last && rule.watched && entry.slots.next(entry.doneMs) !== undefined) pollAtOnce(entry, startMs);
  else planNext(entry);
  return entry;
}

/** Lets the rule of an entry go on in another version, from now on. */
export function changeRule(entry: Entry, rule: Rule, nowMs: number): void {
  const { rule: old, doneMs } = entry;
  const pendingMs = scheduledSlot(entry, nowMs);
  entry.rule = rule;
  if (canonical(rule.schedule) !== canonical(old.schedule)) {
    entry.slots = slotsOf(rule.schedule);
    // What is asked again was a slot of the old schedule.
    if (entry.extra && entry.extra.pauseMs > 0) entry.extra = undefined;
    // A wall time that passed before anybody wrote it down was not missed.
    if (!('everyMs' in rule.schedule) && scheduledSlot(entry, nowMs) !== pendingMs) entry.doneMs = Math.max(doneMs, nowMs - 1);
  }
  if (!rule.watched) entry.extra = undefined;
  else if (!old.watched) pollAtOnce(entry, nowMs);
  if (!entry.extra) planNext(entry);
}

/** The slot that a rule is to run now. */
export function dueSlot(entry: Entry, nowMs: number): DueSlot | undefined {
  if (entry.nextMs === undefined || entry.nextMs > nowMs) return undefined;
  if (entry.extra) return entry.extra;
  const scheduledMs = scheduledSlot(entry, nowMs);
  const wakeMs = wakeSlot(entry, nowMs);
  const found = [scheduledMs, wakeMs].filter((slotMs) => slotMs !== undefined);
  if (found.length === 0) {
    // The machine slept past it: too old to be run.
    entry.nextMs = earliest(entry.slots.next(nowMs), entry.wakeMs);
    return undefined;
  }
  // One look serves both; where nothing is looked at, each is run for itself.
  if (entry.rule.watched) return { slotMs: Math.max(...found), woken: scheduledMs === undefined };
  const slotMs = Math.min(...found);
  return { slotMs, woken: slotMs !== scheduledMs };
}

/** Notes that a slot was run, and when the rule wants to be run next whatever its schedule says. */
export function finishSlot(
  entry: Entry,
  { slotMs, nowMs, wakeMs }: { readonly slotMs: number; readonly nowMs: number; readonly wakeMs: number | undefined },
): void {
  entry.extra = undefined;
  entry.restMs = 0;
  entry.lastMs = Math.max(entry.lastMs, slotMs);
  // Slots that came while the list was read are merged with this one.
  entry.doneMs = Math.max(entry.doneMs, slotMs, entry.rule.watched ? nowMs : slotMs);
  entry.wakeMs = wakeMs !== undefined && wakeMs > slotMs ? wakeMs : undefined;
  planNext(entry);
}

/** Goes back with the clock, as far as nothing was committed yet. */
export function goBack(entry: Entry, nowMs: number): void {
  entry.doneMs = Math.max(entry.lastMs, Math.min(entry.doneMs, nowMs));
  entry.sinceMs = Math.min(entry.sinceMs, nowMs);
  if (entry.extra) entry.nextMs = Math.min(entry.nextMs ?? nowMs, nowMs + entry.extra.pauseMs);
  else planNext(entry);
}

/** Reads the list at the next tick, whatever the schedule says; that is no slot of it, for a rule that fires at each. */
function pollAtOnce(entry: Entry, nowMs: number): void {
  const slotMs = Math.max(nowMs, entry.lastMs + 1);
  entry.extra = { slotMs, woken: entry.slots.latest(slotMs - 1, slotMs) === undefined, pauseMs: 0 };
  entry.nextMs = nowMs;
}

function planNext(entry: Entry): void {
  entry.nextMs = earliest(entry.slots.next(entry.doneMs), entry.wakeMs);
}

/** The slot of the schedule that is due; of several that were missed, the first of those that are made up for. */
function scheduledSlot({ rule, slots, sinceMs, doneMs }: Entry, nowMs: number): number | undefined {
  const { missed, maxAgeMs, watched, max } = rule;
  const heldUpMs = Math.max(nowMs - LATE_MS, sinceMs);
  const oldestMs = missed === 'skip' ? heldUpMs : Math.min(nowMs - maxAgeMs, heldUpMs);
  const afterMs = Math.max(doneMs, oldestMs - 1);
  return missed === 'all' && !watched ? slots.lastOf(afterMs, nowMs, max)[0] : slots.latest(afterMs, nowMs);
}

/** When the rule asked to be run; where that was slept through for too long, now. */
function wakeSlot({ rule, wakeMs }: Entry, nowMs: number): number | undefined {
  if (wakeMs === undefined || wakeMs > nowMs) return undefined;
  return nowMs - wakeMs <= rule.maxAgeMs ? wakeMs : nowMs;
}

function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((atMs) => atMs !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
