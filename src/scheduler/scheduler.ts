import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { createBatch, createLimiter } from '#src/operation/limiter.ts';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createAgenda, type Due } from './agenda.ts';
import type { Commit, LastSlot, RuleStates } from './rule-states.ts';
import type { SlotTimes } from './slot-times.ts';
import { setImmediate as nextLoop } from 'node:timers/promises';

export interface SchedulerOptions {
  readonly rules: readonly Rule[];
  readonly states: RuleStates;
  /** Polls what the rules watch, and passes each poll to `onPoll` as soon as it is complete. Resolves after the last one. */
  readonly read: (due: readonly Due[], onPoll: (rule: string, poll: Poll) => Promise<void>, signal?: AbortSignal) => Promise<void>;
  readonly advance: (options: AdvanceOptions) => Advance;
  /** Whether a firing would send nothing, so that it need not be stored; absent if every firing is stored. */
  readonly isIdle?: ((firing: Firing) => Promise<boolean>) | undefined;
  /** Receives every commit; `times`: of a slot, but not of a deleted rule. */
  readonly onCommit: (commit: Commit, times?: SlotTimes) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The changes of a reload. */
interface RuleChanges {
  /** New and changed rules. */
  readonly put: readonly Rule[];
  /** The ids of deleted rules. */
  readonly drop: readonly string[];
}

/** A run of due slots. */
interface SlotRun {
  readonly beganMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs each rule at its slots. */
export interface Scheduler {
  /**
   * Runs everything that is due, and resolves after the commits. Running rules are left alone.
   *
   * If `signal` aborts, the slots of unfinished polls stay due.
   */
  tick(signal?: AbortSignal): Promise<void>;
  /**
   * Runs a rule now, whatever its schedule, after the slot that may be running. Resolves with the commit.
   *
   * Resolves with undefined if the rule is not on the agenda, or if nothing could be committed.
   */
  run(rule: string, signal?: AbortSignal): Promise<Commit | undefined>;
  /** The ids of rules whose last slot failed: the store refused the commit, or the code has a defect. */
  stuck(): readonly string[];
  /** The instant of the next run of a rule, in milliseconds since 1970; undefined if it never runs. */
  nextMs(rule: string): number | undefined;
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
  const { rules, states, read, advance, isIdle = () => Promise.resolve(false), onCommit, clock, log } = options;
  const agenda = createAgenda();
  const limiter = createLimiter(AT_ONCE);
  const pauses = createPauses();
  const stuck = new Set<string>();
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
      const { id, schedule, watched } = rule;
      const isFirstSeen = became === 'moved' || (became === 'new' && !isKnown);
      if (isFirstSeen && 'atMs' in schedule && schedule.atMs < startMs)
        log.warn(
          { rule: id, at: new Date(schedule.atMs).toISOString() },
          'the time of a rule passed before the rule was loaded; the rule does not run',
        );
      // A slot that is slept through from here on counts as missed.
      if (became === 'new' && !isKnown && !watched)
        await states.commit({ rule: id, slotMs: startMs - 1, firings: [], withdrawals: [], decisions: [] });
    }
    return taken.filter(({ became }) => became !== 'same').map(({ rule }) => rule.id);
  }

  async function commit(made: Commit, times?: Omit<SlotTimes, 'committedMs'>): Promise<boolean> {
    const written = await states.commit(made);
    if (written) onCommit(made, times && { ...times, committedMs: clock.nowMs() });
    else log.debug({ rule: made.rule, slotMs: made.slotMs }, 'this slot has already run');
    return written;
  }

  async function withoutIdle(firings: readonly Firing[]): Promise<readonly Firing[]> {
    const kept: Firing[] = [];
    for (const firing of firings) if (!(await isIdle(firing))) kept.push(firing);
    return kept;
  }

  async function run(due: Due, poll: Poll | undefined, beganMs: number): Promise<void> {
    const { rule, slotMs, woken } = due;
    const polledMs = clock.nowMs();
    const { id } = rule;
    if (agenda.retryFailedPoll(due, poll, clock.nowMs())) return;
    const state = await states.load(id);
    // Many rules wait here at once, and each of them takes its time.
    while (pauses.isDue()) await pauses.take();
    const gap = agenda.hasGap(id, { sinceMs: state.memory.lastPollMs, slotMs });
    const next = advance({ rule, state, poll, slotMs, gap, woken });
    // A slot without a change keeps the instant at which the rule asked to run.
    const wakeMs = next.wakeMs ?? (next.change ? undefined : agenda.wakeMs(id));
    // The operator also sees firings that send nothing.
    const firings = due.onCommitted ? next.firings : await withoutIdle(next.firings);
    const made: Commit = { rule: id, slotMs, afterMs: state.slotMs ?? 0, ...next, firings, wakeMs };
    if (await commit(made, { beganMs, polledMs, evaluatedMs: clock.nowMs() })) due.onCommitted?.(made);
    agenda.finish(id, { slotMs, nowMs: clock.nowMs(), wakeMs });
  }

  async function runOne(due: Due, poll: Poll | undefined, { beganMs, signal }: SlotRun): Promise<void> {
    const { id } = due.rule;
    try {
      if (!signal?.aborted) await run(due, poll, beganMs);
      stuck.delete(id);
    } catch (error) {
      if (agenda.has(id)) stuck.add(id);
      log.error({ rule: id, error }, 'a rule failed; Fanfare repeats its slot');
      agenda.backOff(id, clock.nowMs());
    } finally {
      agenda.end(id, clock.nowMs());
    }
  }

  /** Runs each rule as soon as its poll is complete. A slow poll delays no other rule. */
  async function runAll(due: readonly Due[], signal: AbortSignal | undefined): Promise<void> {
    const beganMs = clock.nowMs();
    const unread = new Map(due.map((one) => [one.rule.id, one]));
    const batch = createBatch(limiter);
    const start = async (id: string, poll?: Poll): Promise<void> => {
      const one = unread.get(id);
      if (one && unread.delete(id)) await batch.start(() => runOne(one, poll, { beganMs, signal }));
    };
    const [watching = [], others = []] = [true, false].map((isWatching) => due.filter(({ rule }) => !rule.watched !== isWatching));
    const reading = read(watching, start, signal).catch((error: unknown) => log.error({ error }, 'the polls of due rules failed'));
    for (const { rule } of others) await start(rule.id);
    await reading;
    await batch.ended();
    for (const id of unread.keys()) {
      if (!signal?.aborted) agenda.backOff(id, clock.nowMs());
      agenda.end(id, clock.nowMs());
    }
  }

  /** Resolves when the changes apply to all rules that are not running, with the ids of the changed rules. */
  async function applyNow({ put, drop }: RuleChanges): Promise<readonly string[]> {
    for (const id of drop) {
      agenda.drop(id);
      stuck.delete(id);
    }
    const isAdded = put.some(({ id }) => !agenda.has(id));
    const lastSlots = isAdded ? await states.lastSlots() : new Map<string, LastSlot>();
    return [...drop, ...(await take(put, { lastSlots, wasDown: false }))];
  }

  async function closeNow(rule: Rule, close: (options: AdvanceOptions) => Advance): Promise<boolean> {
    const { id } = rule;
    const attempt = async (): Promise<boolean> => {
      const state = await states.load(id);
      const lastMs = state.slotMs ?? 0;
      // If the clock was set back, the last slot can be later than now.
      const slotMs = Math.max(clock.nowMs(), lastMs + 1);
      return commit({ rule: id, slotMs, afterMs: lastMs, ...close({ rule, state, slotMs }) });
    };
    // Another process may commit a slot after the state is loaded.
    return (await attempt()) || attempt();
  }

  return {
    stuck: () => [...stuck].toSorted(),

    async tick(signal) {
      const nowMs = clock.nowMs();
      if (nowMs < tickedMs) log.warn({ byMs: tickedMs - nowMs }, 'the clock was set back; slots that have run are not repeated');
      tickedMs = nowMs;
      const due = agenda.due(nowMs);
      for (const { rule } of due) agenda.begin(rule.id);
      if (due.length > 0) await runAll(due, signal);
    },

    async run(rule, signal) {
      let due = agenda.dueNow(rule, clock.nowMs());
      while (!due && agenda.has(rule)) {
        await agenda.untilIdle(rule);
        due = agenda.dueNow(rule, clock.nowMs());
      }
      if (!due) return undefined;
      agenda.begin(rule);
      let made: Commit | undefined;
      await runAll([{ ...due, onCommitted: (one) => (made = one) }], signal);
      return made;
    },

    nextMs: (rule) => agenda.nextMs(rule),

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
        return await closeNow(rule, close);
      } finally {
        agenda.end(id, clock.nowMs());
      }
    },
  };
}

/** Rules that run at once share the statements that load their states, and a commit. */
const AT_ONCE = 32;
/** The longest time without a pause for other work. */
const MAX_BLOCK_MS = 10;

/** Pauses between pieces of work, so that other work of the process runs in between. */
interface Pauses {
  isDue(): boolean;
  take(): Promise<void>;
}

function createPauses(): Pauses {
  let pausedMs = performance.now();
  let pausing: Promise<void> | undefined;
  return {
    isDue: () => performance.now() - pausedMs >= MAX_BLOCK_MS,
    take() {
      pausing ??= nextLoop().then(() => {
        pausedMs = performance.now();
        pausing = undefined;
      });
      return pausing;
    },
  };
}
