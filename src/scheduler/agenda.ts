import { canonical } from '#src/operation/json.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Commit } from './rule-states.ts';
import { changeRule, dueSlot, enter, finishSlot, goBack, type Arrival, type DueSlot, type Entry } from './entry.ts';
import { hasGap } from './slots.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** A rule and the slot that it is to run. */
export interface Due extends DueSlot {
  readonly rule: Rule;
  /** Somebody asked for the slot, and is told what was committed for it; it is not asked for again where nothing could be read. */
  readonly onMade?: ((made: Commit) => void) | undefined;
}

/** What became of a rule that was put on the agenda: `moved` is another version with another schedule. */
type Put = 'new' | 'changed' | 'moved' | 'same';

/** Knows which rule is due when. A rule that is at work is left alone until it ends. */
export interface Agenda {
  due(nowMs: number): readonly Due[];
  /** A slot of a rule at this moment, whatever its schedule says; undefined: it is at work, or not on the agenda. */
  dueNow(rule: string, nowMs: number): (DueSlot & Pick<Due, 'rule'>) | undefined;
  /** Whether a rule is on it, and stays. */
  has(rule: string): boolean;
  nextMs(rule: string): number | undefined;
  /** When the rule itself wants to be run. */
  wakeMs(rule: string): number | undefined;
  /** Puts a rule on it, or another version of one that is there; a rule in the version that runs is left alone. */
  put(rule: Rule, arrival: Arrival): Put;
  drop(rule: string): void;
  begin(rule: string): void;
  /** Whether a slot that could not be read is read again later instead of being given up. */
  mayAskAgain(due: Due, poll: Poll | undefined, nowMs: number): boolean;
  /** Whether more than two slots passed between two polls; undefined on a grid, where anybody can tell. */
  hasGap(rule: string, span: { readonly sinceMs: number | undefined; readonly slotMs: number }): boolean | undefined;
  finish(rule: string, done: { readonly slotMs: number; readonly nowMs: number; readonly wakeMs: number | undefined }): void;
  /** Lets the slot of a rule that could not be run come again, after a pause that grows. */
  rest(rule: string, nowMs: number): void;
  end(rule: string, nowMs: number): void;
  /** Resolves when the rule is not at work. */
  untilIdle(rule: string): Promise<void>;
}

/** An agenda without rules. */
export function createAgenda(): Agenda {
  const entries = new Map<string, Entry>();
  const busy = new Set<string>();
  /** What becomes of rules that are at work, when they end: another version, or nothing more. */
  const changes = new Map<string, Rule | undefined>();
  const awaited = new Map<string, (() => void)[]>();
  let seenMs = -Infinity;
  /** Before this instant nothing is due; unknown since something changed. */
  let soonestMs: number | undefined;

  function entryOf(rule: string): Entry {
    const entry = entries.get(rule);
    if (!entry) throw new Error(`${rule} is not on the agenda`);
    return entry;
  }

  function isUnchanged(rule: Rule): boolean {
    const now = changes.has(rule.id) ? changes.get(rule.id) : entries.get(rule.id)?.rule;
    return now?.version === rule.version;
  }

  return {
    due(nowMs) {
      if (nowMs < seenMs) {
        for (const entry of entries.values()) goBack(entry, nowMs);
        soonestMs = undefined;
      }
      seenMs = nowMs;
      if (soonestMs !== undefined && nowMs < soonestMs) return [];
      soonestMs = Infinity;
      const found: Due[] = [];
      for (const [id, entry] of entries) {
        if (entry.nextMs === undefined || busy.has(id)) continue;
        const slot = entry.nextMs > nowMs ? undefined : dueSlot(entry, nowMs);
        if (slot) found.push({ rule: entry.rule, slotMs: slot.slotMs, woken: slot.woken });
        soonestMs = Math.min(soonestMs, entry.nextMs);
      }
      return found;
    },

    dueNow(id, nowMs) {
      const entry = entries.get(id);
      return entry && !busy.has(id) ? { rule: entry.rule, slotMs: Math.max(nowMs, entry.lastMs + 1), woken: false } : undefined;
    },

    has: (rule) => (changes.has(rule) ? changes.get(rule) !== undefined : entries.has(rule)),
    nextMs: (rule) => entries.get(rule)?.nextMs,
    wakeMs: (rule) => entries.get(rule)?.wakeMs,

    put(rule, arrival) {
      const { id } = rule;
      if (isUnchanged(rule)) return 'same';
      soonestMs = undefined;
      const entry = entries.get(id);
      if (!entry) {
        entries.set(id, enter(rule, arrival));
        return 'new';
      }
      const put = canonical(rule.schedule) === canonical(entry.rule.schedule) ? 'changed' : 'moved';
      if (!busy.has(id)) changeRule(entry, rule, arrival.startMs);
      else changes.set(id, rule);
      return put;
    },

    drop(rule) {
      if (busy.has(rule) && entries.has(rule)) changes.set(rule, undefined);
      else entries.delete(rule);
    },

    begin(rule) {
      busy.add(rule);
    },

    mayAskAgain({ rule, slotMs, woken, onMade }, poll, nowMs) {
      const failed = poll !== undefined && 'failure' in poll;
      if (!failed || onMade || 'everyMs' in rule.schedule) return false;
      const entry = entryOf(rule.id);
      const pausedMs = entry.extra?.slotMs === slotMs ? entry.extra.pauseMs : 0;
      const pauseMs = pausedMs === 0 ? FIRST_PAUSE_MS : Math.min(pausedMs * 2, LONGEST_PAUSE_MS);
      const againMs = nowMs + pauseMs;
      const nextMs = entry.slots.next(Math.max(slotMs, nowMs));
      // The next slot reads it anyway.
      if (againMs > slotMs + rule.maxAgeMs || (nextMs !== undefined && nextMs <= againMs)) return false;
      entry.extra = { slotMs, woken, pauseMs };
      entry.nextMs = againMs;
      return true;
    },

    hasGap(rule, { sinceMs, slotMs }) {
      const { rule: known, slots } = entryOf(rule);
      return hasGap(known.schedule, slots, { sinceMs, slotMs });
    },

    finish: (rule, done) => finishSlot(entryOf(rule), done),

    rest(rule, nowMs) {
      const entry = entryOf(rule);
      entry.restMs = entry.restMs === 0 ? FIRST_PAUSE_MS : Math.min(entry.restMs * 2, LONGEST_PAUSE_MS);
      entry.nextMs = nowMs + entry.restMs;
    },

    end(rule, nowMs) {
      busy.delete(rule);
      soonestMs = undefined;
      if (changes.has(rule)) {
        const next = changes.get(rule);
        changes.delete(rule);
        if (next) changeRule(entryOf(rule), next, nowMs);
        else entries.delete(rule);
      }
      for (const tell of awaited.get(rule) ?? []) tell();
      awaited.delete(rule);
    },

    async untilIdle(rule) {
      while (busy.has(rule)) await new Promise<void>((resolve) => awaited.set(rule, [...(awaited.get(rule) ?? []), resolve]));
    },
  };
}
