import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { slotsOf, type Slots } from './slots.ts';

const FIRST_PAUSE_MS = 5_000;

/** A rule and the slot that it is to run. */
export interface Due {
  readonly rule: Rule;
  readonly slotMs: number;
}

/** When it is now, and which slot it is about. */
interface Moment {
  readonly slotMs: number;
  readonly nowMs: number;
}

/** Knows which rule is due when. */
export interface Agenda {
  due(nowMs: number): readonly Due[];
  nextMs(rule: string): number | undefined;
  begin(rule: Rule): void;
  /** Whether a slot that could not be read is read again later instead of being given up. */
  mayAskAgain(rule: Rule, poll: Poll | undefined, moment: Moment): boolean;
  /** Whether more than two slots passed between two polls; undefined on a grid, where anybody can tell. */
  hasGap(rule: Rule, span: { readonly sinceMs: number | undefined; readonly slotMs: number }): boolean | undefined;
  finish(rule: Rule, moment: Moment): void;
  end(rule: Rule): void;
}

interface Entry {
  readonly rule: Rule;
  readonly slots: Slots;
  /** Nothing up to here is due any more. */
  doneMs: number;
  /** When to look next, at the earliest. */
  nextMs: number | undefined;
  /** A slot that is due whatever the schedule says: the first poll of a new rule, or one that is asked again. */
  extra: { readonly slotMs: number; readonly pauseMs: number } | undefined;
  busy: boolean;
}

/** An agenda of `rules` that goes on after `lastSlots`. */
export function createAgenda({
  rules,
  lastSlots,
  startMs,
}: {
  readonly rules: readonly Rule[];
  readonly lastSlots: ReadonlyMap<string, number>;
  readonly startMs: number;
}): Agenda {
  const entries = new Map(rules.map((rule) => [rule.id, enter(rule, { lastMs: lastSlots.get(rule.id), startMs })]));

  function entryOf({ id }: Rule): Entry {
    const entry = entries.get(id);
    if (!entry) throw new Error(`${id} is not on the agenda`);
    return entry;
  }

  return {
    due(nowMs) {
      const found: Due[] = [];
      for (const entry of entries.values()) {
        if (entry.busy || entry.nextMs === undefined || entry.nextMs > nowMs) continue;
        const slotMs = dueSlot(entry, nowMs);
        if (slotMs !== undefined) found.push({ rule: entry.rule, slotMs });
      }
      return found;
    },

    nextMs: (rule) => entries.get(rule)?.nextMs,

    begin(rule) {
      entryOf(rule).busy = true;
    },

    mayAskAgain(rule, poll, { slotMs, nowMs }) {
      const failed = poll !== undefined && 'failure' in poll;
      if (!failed || 'everyMs' in rule.schedule) return false;
      const entry = entryOf(rule);
      const pauseMs = entry.extra?.slotMs === slotMs ? entry.extra.pauseMs * 2 : FIRST_PAUSE_MS;
      if (nowMs + pauseMs > slotMs + rule.maxAgeMs) return false;
      entry.extra = { slotMs, pauseMs };
      entry.nextMs = nowMs + pauseMs;
      return true;
    },

    hasGap(rule, { sinceMs, slotMs }) {
      if ('everyMs' in rule.schedule || sinceMs === undefined) return undefined;
      const { slots } = entryOf(rule);
      const third = [1, 2, 3].reduce<number | undefined>((atMs) => (atMs === undefined ? undefined : slots.next(atMs)), sinceMs);
      return third !== undefined && third <= slotMs;
    },

    finish(rule, { slotMs, nowMs }) {
      const entry = entryOf(rule);
      entry.extra = undefined;
      // Slots that came while this one was at work are merged with it.
      entry.doneMs = Math.max(slotMs, nowMs);
      entry.nextMs = entry.slots.next(entry.doneMs);
    },

    end(rule) {
      entryOf(rule).busy = false;
    },
  };
}

function enter(rule: Rule, { lastMs, startMs }: { readonly lastMs: number | undefined; readonly startMs: number }): Entry {
  const slots = slotsOf(rule.schedule);
  const entry = { rule, slots, busy: false, extra: undefined };
  // A rule without a stored list polls as soon as it starts; one that watches nothing has nothing to miss yet.
  if (lastMs === undefined && rule.watched)
    return { ...entry, doneMs: startMs, nextMs: startMs, extra: { slotMs: startMs, pauseMs: FIRST_PAUSE_MS } };
  const doneMs = Math.max(lastMs ?? startMs, rule.missed === 'skip' ? startMs : startMs - rule.maxAgeMs);
  return { ...entry, doneMs, nextMs: slots.next(doneMs) };
}

function dueSlot(entry: Entry, nowMs: number): number | undefined {
  if (entry.extra) return entry.extra.slotMs;
  const slotMs = entry.slots.latest(entry.doneMs, nowMs);
  if (slotMs !== undefined && nowMs - slotMs <= entry.rule.maxAgeMs) return slotMs;
  // The machine slept past it: too old to be run.
  entry.doneMs = nowMs;
  entry.nextMs = entry.slots.next(nowMs);
  return undefined;
}
