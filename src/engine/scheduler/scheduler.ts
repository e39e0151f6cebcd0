import { Alarm } from '#src/engine/alarm.ts';
import type { Log } from '#src/log.ts';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { ReceivedWebhook, Rule } from '#src/rules/rule.ts';
import { createAgenda } from './agenda.ts';
import type { HintedRule } from './hinted-names.ts';
import type { Commit, LastSlot, RuleStates } from './rule-states.ts';
import type { NotifiedRules, RestingSince } from './rest.ts';
import { createSlotRunner, type SlotRunnerOptions } from './slot-runner.ts';

export interface SchedulerOptions extends SlotRunnerOptions {
  readonly rules: readonly Rule[];
  readonly states: RuleStates;
  /** The notifications of platforms; absent: there are none. */
  readonly notified?: NotifiedRules | undefined;
}

/** The changes of a reload. */
interface RuleChanges {
  /** New and changed rules. */
  readonly put: readonly Rule[];
  /** The ids of deleted rules. */
  readonly drop: readonly string[];
  /** The ids of rules that this process cannot run. Other processes may run them. */
  readonly forget?: readonly string[] | undefined;
  /** Whether the changes were made while the program was down, so that `missed` applies to the slots in between. Absent: no. */
  readonly wasDown?: boolean | undefined;
}

export interface RunOptions {
  /** The use of the command that the rule answers. */
  readonly command?: CommandUse | undefined;
  /** The request to the webhook of the rule. */
  readonly webhook?: ReceivedWebhook | undefined;
  /** The keys of items that a person asked to announce. */
  readonly requested?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** When a tick has something to do. */
export interface DueTimes {
  /** Before this instant, in milliseconds since 1970, nothing is due; Infinity: nothing ever is. */
  soonestMs(): number;
  /** Rings when that instant becomes earlier. */
  readonly sooner: Alarm;
}

/** When a rule runs next. */
export interface RulePlan {
  /** The instant of the next run, in milliseconds since 1970; undefined if it never runs. */
  readonly nextMs: number | undefined;
  /** Its rest, so that its next slots may pass without a poll; absent: it needs them. */
  readonly resting?: RestingSince | undefined;
}

/** Runs each rule at its slots. */
export interface Scheduler {
  /** Absent: other processes may change it at any time, so the scheduler needs each tick. */
  readonly dueTimes?: DueTimes;
  /**
   * Runs everything that is due, and resolves after the commits. Running rules are left alone.
   *
   * If `signal` aborts, the slots of unfinished polls stay due.
   */
  readonly tick: (signal?: AbortSignal) => Promise<void>;
  /**
   * Runs a rule now, whatever its schedule, after the slot that may be running. Resolves with the commit.
   *
   * Resolves with undefined if the rule is not on the agenda, or if nothing could be committed.
   */
  run(rule: string, options?: RunOptions): Promise<Commit | undefined>;
  /** Polls the lists of rules at one of the next ticks, or some names of them, because they may have changed. Resolves when that is planned. */
  hurry(hinted: readonly HintedRule[]): Promise<void>;
  /** The ids of rules whose last slot failed: the store refused the commit, or the code has a defect. */
  stuck(): readonly string[];
  /** The number of rules whose slot is due or running. */
  openSlots(): number;
  /** The plans of rules, by id. */
  plansOf(rules: readonly string[]): Promise<ReadonlyMap<string, RulePlan>>;
  /** Applies a reload. Each rule changes between two of its slots. Resolves when all changes are in force. */
  apply(changes: RuleChanges): Promise<void>;
  /**
   * Ends a rule: after the running slot, the scheduler commits the result of `close` and drops the rule.
   *
   * Resolves with false, without a commit, if another process committed at the same time.
   */
  closeOut(rule: Rule, close: (options: AdvanceOptions) => Advance): Promise<boolean>;
}

/** Creates a scheduler that continues after the stored slots. */
export async function createScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { rules, states, notified, clock, log } = options;
  const sooner = new Alarm();
  const agenda = createAgenda({ onSooner: () => sooner.ring() });
  const runner = createSlotRunner(options);
  const { stuck } = runner;
  let applied: Promise<unknown> = Promise.resolve();
  let tickedMs = -Infinity;

  await take(rules, { lastSlots: await states.lastSlots(), wasDown: true });

  /** Puts rules on the agenda, and resolves with the ids of new and changed rules. */
  async function take(
    put: readonly Rule[],
    { lastSlots, wasDown }: { readonly lastSlots: ReadonlyMap<string, LastSlot>; readonly wasDown: boolean },
  ): Promise<readonly string[]> {
    const startMs = clock.nowMs();
    const taken = put.map((rule) => {
      const last = lastSlots.get(rule.id);
      return { rule, became: agenda.put(rule, { last, startMs, wasDown }), isKnown: last !== undefined };
    });
    for (const { rule, became, isKnown } of taken) {
      if (became === 'moved' || (became === 'new' && !isKnown)) warnIfPassed(rule, startMs, log);
      if (became === 'new' && !isKnown) await countFromNow(rule, startMs, states);
    }
    return taken.filter(({ became }) => became !== 'same').map(({ rule }) => rule.id);
  }

  /** Resolves when the changes apply to all rules that are not running, with the ids of the changed rules. */
  async function applyNow({ put, drop, forget = [], wasDown = false }: RuleChanges): Promise<readonly string[]> {
    for (const id of [...drop, ...forget]) {
      agenda.drop(id);
      stuck.delete(id);
    }
    const isAdded = put.some(({ id }) => !agenda.has(id));
    const lastSlots = isAdded ? await states.lastSlots() : new Map<string, LastSlot>();
    return [...drop, ...(await take(put, { lastSlots, wasDown }))];
  }

  return {
    dueTimes: { soonestMs: () => agenda.soonestMs(), sooner },

    stuck: () => [...stuck].toSorted(),

    async tick(signal) {
      const refreshed = notified?.refresh();
      if (refreshed) await refreshed;
      const nowMs = clock.nowMs();
      if (nowMs < tickedMs) log.warn({ byMs: tickedMs - nowMs }, 'the clock was set back; slots that have run are not repeated');
      tickedMs = nowMs;
      const rested: Rule[] = [];
      const due = agenda.due(nowMs, notified?.isNotified, rested);
      notified?.passedOver(
        rested,
        due.map(({ rule }) => rule),
      );
      for (const { rule } of due) agenda.begin(rule.id);
      if (due.length > 0) await runner.run(due, agenda, signal);
    },

    async run(rule, { signal, ...given } = {}) {
      let due = agenda.dueNow(rule, clock.nowMs());
      while (!due && agenda.has(rule)) {
        await agenda.untilIdle(rule);
        due = agenda.dueNow(rule, clock.nowMs());
      }
      if (!due) return undefined;
      agenda.begin(rule);
      let made: Commit | undefined;
      await runner.run([{ ...due, ...given, onCommitted: (one) => (made = one) }], agenda, signal);
      return made;
    },

    hurry(some) {
      for (const hinted of some) agenda.hurry(hinted, clock.nowMs());
      return Promise.resolve();
    },

    openSlots: () => agenda.open(clock.nowMs()),

    async plansOf(some) {
      return new Map(some.map((rule) => [rule, { nextMs: agenda.nextMs(rule), resting: agenda.resting(rule) }]));
    },

    async apply(changes) {
      const application = applied.then(() => applyNow(changes));
      // A failed reload does not block the next one.
      applied = application.catch(() => undefined);
      const changed = await application;
      await Promise.all(changed.map((id) => agenda.untilIdle(id)));
    },

    async closeOut(rule, close) {
      const { id } = rule;
      agenda.drop(id);
      stuck.delete(id);
      await agenda.untilIdle(id);
      agenda.begin(id);
      try {
        return await runner.close(rule, close);
      } finally {
        agenda.end(id, clock.nowMs());
      }
    },
  };
}

/** Warns about a rule whose only time passed before it was loaded. */
export function warnIfPassed({ id, schedule }: Rule, startMs: number, log: Log): void {
  if (!('atMs' in schedule) || schedule.atMs >= startMs) return;
  const at = new Date(schedule.atMs).toISOString();
  log.warn({ rule: id, at }, 'the time of a rule passed before the rule was loaded; the rule does not run');
}

/** Stores the start of a rule that watches nothing: slots that are slept through from here on count as missed. */
export async function countFromNow({ id, watched }: Rule, startMs: number, states: Pick<RuleStates, 'commit'>): Promise<void> {
  if (!watched) await states.commit({ rule: id, slotMs: startMs - 1, firings: [], withdrawals: [], decisions: [] });
}
