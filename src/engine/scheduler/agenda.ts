import { canonical } from '#src/clients/operation/json.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { NamesByAccount, Poll } from '#src/rules/poll.ts';
import type { ReceivedWebhook, Rule } from '#src/rules/rule.ts';
import type { Commit } from './rule-states.ts';
import {
  changeRule,
  dueSlot,
  enter,
  finishSlot,
  restoredEntry,
  backOffMs,
  retryPauseMs,
  rewindEntry,
  storedEntry,
  type DueSlot,
  type Entry,
  type EntryStart,
  type FinishedSlot,
  type StoredEntry,
} from './entry.ts';
import { joinHints, type Hinted, type HintedRule } from './hinted-names.ts';
import { hurryEntry, pollWholeList } from './hurry-entry.ts';
import { restOf, type IsNotified, type RestingSince } from './rest.ts';
import { hasGap, isGap, slotBefore } from './slots.ts';

/** A rule and the slot that it runs. */
export interface Due extends DueSlot {
  readonly rule: Rule;
  /** The names that the poll asks for, if not for all: those of `names` that the rule has. */
  readonly asked?: NamesByAccount | undefined;
  /** The use of the command that the rule answers. */
  readonly command?: CommandUse | undefined;
  /** The request to the webhook of the rule. */
  readonly webhook?: ReceivedWebhook | undefined;
  /** The keys of items that a person asked to announce. */
  readonly requested?: ReadonlySet<string> | undefined;
  /** The revision of the lists that the rule reads, when its slot began; absent: it reads none. */
  readonly revision?: string | undefined;
  /** Receives the commit of a slot that an operator requested. Such a slot is not retried if its poll fails. */
  readonly onCommitted?: ((made: Commit) => void) | undefined;
  /** Called if another version of the rule was published, so that the slot was not committed. */
  readonly onReplaced?: (() => void) | undefined;
}

/** The effect of `put`: `moved` is a new version of a rule with another schedule. */
type Put = 'new' | 'changed' | 'moved' | 'same';

/** Plans when each rule is due. The agenda does not change a running rule until its slot ends. */
export interface Agenda {
  /**
   * The due rules, which the caller begins at once. `isNotified`: absent: no platform notifies. `rested` gets the rules whose slot needs no
   * poll.
   */
  due(nowMs: number, isNotified?: IsNotified, rested?: Rule[]): readonly Due[];
  /** The number of rules that are due or running. */
  open(nowMs: number): number;
  /** A slot of a rule at `nowMs`, whatever its schedule; undefined if the rule is running or not on the agenda. */
  dueNow(rule: string, nowMs: number): (DueSlot & Pick<Due, 'rule'>) | undefined;
  /** Whether the rule is on the agenda and stays there. */
  has(rule: string): boolean;
  nextMs(rule: string): number | undefined;
  /** Before this instant, no rule that is not running is due; Infinity: no rule ever is. */
  soonestMs(): number;
  /** The instant at which the rule asked to run, in milliseconds since 1970. */
  wakeMs(rule: string): number | undefined;
  /** Adds a rule or a new version of it. A rule whose version is already on the agenda stays unchanged. */
  put(rule: Rule, start: EntryStart): Put;
  /** Adds a rule with a stored entry. */
  restore(rule: Rule, entry: StoredEntry): void;
  /** The data of the entry of a rule. */
  entry(rule: string): StoredEntry;
  drop(rule: string): void;
  begin(rule: string): void;
  /** Plans another poll for a slot whose poll failed; false if the next slot comes first or the slot is too old. */
  retryFailedPoll(due: Due, poll: Poll | undefined, nowMs: number): boolean;
  /** Whether more than two slots passed between two polls; undefined for `every` without a rest, whose grid shows gaps. */
  hasGap(rule: string, span: { readonly sinceMs: number | undefined; readonly slotMs: number }): boolean | undefined;
  /** Polls the list of a rule soon, because it may have changed; after the run, if the rule is running. */
  hurry(hinted: HintedRule, nowMs: number): void;
  /** Polls the whole list of a running rule after its run, because a poll of some names cannot be evaluated. */
  pollWholeList(rule: string, slot: { readonly slotMs: number; readonly nowMs: number }): void;
  finish(rule: string, done: FinishedSlot): void;
  /** The rest of a rule: only a notification or its end brings the next poll. Undefined: the rule needs its next slot. */
  resting(rule: string): RestingSince | undefined;
  /** The last slot before `slotMs` without a poll since the last poll: see `Entry.restedMs`. */
  restedMs(rule: string, slotMs: number): number | undefined;
  /** Repeats the slot of a rule that failed, after a growing pause. `isOutage`: the state could not be stored. */
  backOff(rule: string, failure: { readonly nowMs: number; readonly isOutage: boolean }): void;
  /** Ends the pauses of all rules that failed, because their cause is over. */
  endBackOffs(nowMs: number): void;
  end(rule: string, nowMs: number): void;
  /** Resolves when the rule is not running. */
  untilIdle(rule: string): Promise<void>;
}

/** Creates an agenda without rules. `onSooner` runs if a rule is due before the instant of `soonestMs`. */
export function createAgenda({ onSooner = () => undefined }: { readonly onSooner?: () => void } = {}): Agenda {
  const entries = new Map<string, Entry>();
  const busy = new Set<string>();
  /** Changes that apply when a running rule ends: its new version, or undefined for a dropped rule. */
  const changes = new Map<string, Rule | undefined>();
  /** The hints about running rules that came since their polls began. */
  const hurried = new Map<string, Hinted>();
  const waiters = new Map<string, (() => void)[]>();
  let seenMs = -Infinity;
  let soonestMs = Infinity;

  function entryOf(rule: string): Entry {
    const entry = entries.get(rule);
    if (!entry) throw new Error(`${rule} is not on the agenda`);
    return entry;
  }

  function planned({ nextMs = Infinity }: Entry): void {
    if (nextMs >= soonestMs) return;
    soonestMs = nextMs;
    onSooner();
  }

  function isUnchanged(rule: Rule): boolean {
    const now = changes.has(rule.id) ? changes.get(rule.id) : entries.get(rule.id)?.rule;
    return now?.version === rule.version;
  }

  return {
    due(nowMs, isNotified, rested = []) {
      const isSetBack = nowMs < seenMs;
      if (isSetBack) for (const entry of entries.values()) rewindEntry(entry, nowMs);
      seenMs = nowMs;
      if (nowMs < soonestMs && !isSetBack) return [];
      soonestMs = Infinity;
      const found: Due[] = [];
      for (const [id, entry] of entries) {
        if (entry.nextMs === undefined || busy.has(id)) continue;
        const { restedMs } = entry;
        const slot = entry.nextMs > nowMs ? undefined : dueSlot(entry, nowMs, isNotified);
        if (entry.restedMs !== restedMs) rested.push(entry.rule);
        if (slot) found.push({ rule: entry.rule, slotMs: slot.slotMs, woken: slot.woken, hintedBy: slot.hintedBy, names: slot.names });
        else soonestMs = Math.min(soonestMs, entry.nextMs ?? Infinity);
      }
      return found;
    },

    open: (nowMs) => [...entries].filter(([id, { nextMs }]) => busy.has(id) || (nextMs !== undefined && nextMs <= nowMs)).length,

    dueNow(id, nowMs) {
      const entry = entries.get(id);
      return entry && !busy.has(id) ? { rule: entry.rule, slotMs: Math.max(nowMs, entry.lastMs + 1), woken: false } : undefined;
    },

    has: (rule) => (changes.has(rule) ? changes.get(rule) !== undefined : entries.has(rule)),
    nextMs: (rule) => entries.get(rule)?.nextMs,
    soonestMs: () => soonestMs,
    wakeMs: (rule) => entries.get(rule)?.wakeMs,

    put(rule, start) {
      const { id } = rule;
      if (isUnchanged(rule)) return 'same';
      const entry = entries.get(id);
      if (!entry) {
        const entered = enter(rule, start);
        entries.set(id, entered);
        planned(entered);
        return 'new';
      }
      const put = canonical(rule.schedule) === canonical(entry.rule.schedule) ? 'changed' : 'moved';
      if (busy.has(id)) changes.set(id, rule);
      else {
        changeRule(entry, rule, start.startMs);
        planned(entry);
      }
      return put;
    },

    restore: (rule, entry) => void entries.set(rule.id, restoredEntry(rule, entry)),
    entry: (rule) => storedEntry(entryOf(rule)),

    drop(rule) {
      if (busy.has(rule) && entries.has(rule)) changes.set(rule, undefined);
      else entries.delete(rule);
    },

    begin(rule) {
      busy.add(rule);
    },

    retryFailedPoll({ rule, slotMs, woken, onCommitted }, poll, nowMs) {
      const failed = poll !== undefined && 'failure' in poll;
      // A rule that watches nothing has one announcement in each slot, so the next slot does not make up for this one.
      if (!failed || onCommitted || ('everyMs' in rule.schedule && rule.watched)) return false;
      const entry = entryOf(rule.id);
      const pauseMs = retryPauseMs(entry.extra?.slotMs === slotMs ? entry.extra.pauseMs : 0);
      const againMs = nowMs + pauseMs;
      const nextMs = entry.slots.next(Math.max(slotMs, nowMs));
      // The next slot polls anyway.
      if (againMs > slotMs + rule.maxAgeMs || (nextMs !== undefined && nextMs <= againMs)) return false;
      entry.extra = { slotMs, woken, pauseMs };
      entry.nextMs = againMs;
      return true;
    },

    hasGap(rule, { sinceMs, slotMs }) {
      const { rule: known, slots, restedMs, replaced } = entryOf(rule);
      const readMs = Math.max(restedMs ?? 0, sinceMs ?? 0);
      // The slots of a new schedule before its edit were not missed.
      if (replaced && sinceMs !== undefined && readMs < replaced.untilMs)
        return (
          isGap(replaced.schedule, { sinceMs: readMs, slotMs: replaced.untilMs }) ||
          isGap(known.schedule, { sinceMs: replaced.untilMs, slotMs })
        );
      // A slot that was passed over counts as a poll without a change.
      if (restedMs !== undefined && 'everyMs' in known.schedule)
        return slotMs - Math.max(restedMs, sinceMs ?? 0) > 2 * known.schedule.everyMs;
      return hasGap(known.schedule, slots, { sinceMs, slotMs });
    },

    hurry({ rule, ...hint }, nowMs) {
      const entry = entries.get(rule);
      if (busy.has(rule)) hurried.set(rule, joinHints(hurried.get(rule), hint));
      else if (entry && hurryEntry(entry, { ...hint, nowMs })) planned(entry);
    },

    pollWholeList: (rule, slot) => pollWholeList(entryOf(rule), slot),

    finish: (rule, done) => finishSlot(entryOf(rule), done),
    resting: (rule) => restOf(entries.get(rule)?.resting),
    restedMs(rule, slotMs) {
      const { rule: known, restedMs } = entryOf(rule);
      if (restedMs === undefined || restedMs < slotMs || !('everyMs' in known.schedule)) return restedMs;
      // The slot was passed over only for the names that its poll does not ask for.
      return slotBefore(known.schedule.everyMs, slotMs);
    },

    backOff(rule, { nowMs, isOutage }) {
      const entry = entryOf(rule);
      entry.backoffMs = backOffMs(entry, isOutage);
      entry.nextMs = nowMs + entry.backoffMs;
      entry.resting = undefined;
    },

    endBackOffs(nowMs) {
      for (const entry of entries.values()) {
        if (entry.backoffMs === 0 || entry.nextMs === undefined) continue;
        entry.nextMs = Math.min(entry.nextMs, nowMs);
        planned(entry);
      }
    },

    end(rule, nowMs) {
      busy.delete(rule);
      if (changes.has(rule)) {
        const next = changes.get(rule);
        changes.delete(rule);
        if (next) changeRule(entryOf(rule), next, nowMs);
        else entries.delete(rule);
      }
      const entry = entries.get(rule);
      const hint = hurried.get(rule);
      if (hurried.delete(rule) && entry) hurryEntry(entry, { ...hint, nowMs });
      if (entry) planned(entry);
      for (const wake of waiters.get(rule) ?? []) wake();
      waiters.delete(rule);
    },

    async untilIdle(rule) {
      while (busy.has(rule)) await new Promise<void>((resolve) => waiters.set(rule, [...(waiters.get(rule) ?? []), resolve]));
    },
  };
}
