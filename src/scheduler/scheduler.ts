import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { createBatch } from '#src/operation/places.ts';
import type { Advance, AdvanceOptions } from '#src/rules/episodes/advance.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createAgenda, type Due } from './agenda.ts';
import type { Commit, LastSlot, RuleStates } from './rule-states.ts';
import { createTurnstile } from './turnstile.ts';

export interface SchedulerOptions {
  readonly rules: readonly Rule[];
  readonly states: RuleStates;
  /** Reads what the rules watch, and resolves when `onPoll` was told the poll of each, as soon as it was there. */
  readonly read: (due: readonly Due[], onPoll: (rule: string, poll: Poll) => Promise<void>, signal?: AbortSignal) => Promise<void>;
  readonly advance: (options: AdvanceOptions) => Advance;
  /** Whether a firing would send nothing, so that it need not be written down; absent: none is. */
  readonly isIdle?: ((firing: Firing) => Promise<boolean>) | undefined;
  /** Told of everything that was committed. */
  readonly onCommit: (commit: Commit) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a reload brought. */
interface RuleChanges {
  /** New rules, and those that changed; one in the version that runs is left alone. */
  readonly put: readonly Rule[];
  /** The ids of those that are no more. */
  readonly drop: readonly string[];
}

/** Runs each rule at its slots. */
export interface Scheduler {
  /**
   * Runs what is due at this moment; resolves when it is committed. Rules still at work are left alone.
   *
   * What is not read when `signal` aborts was not run.
   */
  tick(signal?: AbortSignal): Promise<void>;
  /**
   * Runs a rule at this moment, whatever its schedule says, behind the slot at which it may be at work: what was committed for it.
   *
   * Undefined: it is not on, or nothing was committed as it could not be run.
   */
  run(rule: string, signal?: AbortSignal): Promise<Commit | undefined>;
  /** The rules whose last slot could not be run, by id: what is decided cannot be written down, or there is a defect. */
  stuck(): readonly string[];
  /** When the rule runs next, in milliseconds since 1970; undefined: never. */
  nextMs(rule: string): number | undefined;
  /**
   * Goes on with other rules, each for itself between two of its slots; resolves when all of it is in force.
   *
   * A rule that is at work finishes its slot as it was. New ones are taken up as at the start.
   */
  apply(changes: RuleChanges): Promise<void>;
  /**
   * Ends a rule: after the slot at which it may be at work, what `close` makes of its state is committed, and it is dropped.
   *
   * False: something else was committed for it at the same time, and this was not.
   */
  closeOut(rule: Rule, close: (options: AdvanceOptions) => Advance): Promise<boolean>;
}

/** A scheduler that goes on where the stored slots of the rules end. */
export async function createScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { rules, states, read, advance, isIdle = () => Promise.resolve(false), onCommit, clock, log } = options;
  const agenda = createAgenda();
  const turnstile = createTurnstile();
  const stuck = new Set<string>();
  let applied: Promise<unknown> = Promise.resolve();
  let tickedMs = -Infinity;

  await take(rules, { lastSlots: await states.lastSlots(), wasDown: true });

  /** Puts rules on the agenda, and says which of them are not what they were. */
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
          'the time of a rule had passed when it was first seen: it does not run',
        );
      // From here on a slot that is slept through was missed.
      if (became === 'new' && !isKnown && !watched)
        await states.commit({ rule: id, slotMs: startMs - 1, firings: [], withdrawals: [], decisions: [] });
    }
    return taken.filter(({ became }) => became !== 'same').map(({ rule }) => rule.id);
  }

  async function commit(made: Commit): Promise<boolean> {
    const written = await states.commit(made);
    if (written) onCommit(made);
    else log.debug({ rule: made.rule, slotMs: made.slotMs }, 'this slot was run before');
    return written;
  }

  async function withoutIdle(firings: readonly Firing[]): Promise<readonly Firing[]> {
    const kept: Firing[] = [];
    for (const firing of firings) if (!(await isIdle(firing))) kept.push(firing);
    return kept;
  }

  async function run(due: Due, poll: Poll | undefined): Promise<void> {
    const { rule, slotMs, woken } = due;
    const { id } = rule;
    if (agenda.mayAskAgain(due, poll, clock.nowMs())) return;
    const state = await states.load(id);
    const gap = agenda.hasGap(id, { sinceMs: state.memory.lastPollMs, slotMs });
    const next = advance({ rule, state, poll, slotMs, gap, woken });
    // A slot that said nothing does not take back what the rule asked for.
    const wakeMs = next.wakeMs ?? (next.change ? undefined : agenda.wakeMs(id));
    // Of a run that a person asked for, the answer says also what had nothing to send.
    const firings = due.onMade ? next.firings : await withoutIdle(next.firings);
    const made: Commit = { rule: id, slotMs, ...next, firings, wakeMs };
    if (await commit(made)) due.onMade?.(made);
    agenda.finish(id, { slotMs, nowMs: clock.nowMs(), wakeMs });
  }

  async function runOne(due: Due, poll: Poll | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { id } = due.rule;
    try {
      if (!signal?.aborted) await run(due, poll);
      stuck.delete(id);
    } catch (error) {
      if (agenda.has(id)) stuck.add(id);
      log.error({ rule: id, error }, 'a rule could not be run; its slot comes again');
      agenda.rest(id, clock.nowMs());
    } finally {
      agenda.end(id, clock.nowMs());
    }
  }

  /** Runs each rule when it is read. Who waits for that, maybe for minutes, is known by name and holds nothing else. */
  async function runAll(due: readonly Due[], signal: AbortSignal | undefined): Promise<void> {
    const unread = new Map(due.map((one) => [one.rule.id, one]));
    const batch = createBatch(turnstile);
    const start = async (id: string, poll?: Poll): Promise<void> => {
      const one = unread.get(id);
      if (one && unread.delete(id)) await batch.start(() => runOne(one, poll, signal));
    };
    const [watching = [], others = []] = [true, false].map((isWatching) => due.filter(({ rule }) => !rule.watched !== isWatching));
    const reading = read(watching, start, signal).catch((error: unknown) => log.error({ error }, 'what is due could not be read'));
    for (const { rule } of others) await start(rule.id);
    await reading;
    await batch.ended();
    for (const id of unread.keys()) {
      if (!signal?.aborted) agenda.rest(id, clock.nowMs());
      agenda.end(id, clock.nowMs());
    }
  }

  /** Resolves when it is in force for all rules but those at work; says for which it is anything new. */
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
    const state = await states.load(id);
    const attempt = (lastMs: number): Promise<boolean> => {
      const slotMs = Math.max(clock.nowMs(), lastMs + 1);
      return commit({ rule: id, slotMs, ...close({ rule, state, slotMs }) });
    };
    // The last slot may be later than now where the clock was set back.
    return (await attempt(-1)) || attempt((await states.lastSlots()).get(id)?.slotMs ?? -1);
  }

  return {
    stuck: () => [...stuck].toSorted(),

    async tick(signal) {
      const nowMs = clock.nowMs();
      if (nowMs < tickedMs) log.warn({ byMs: tickedMs - nowMs }, 'the clock was set back: what was run before is not run again');
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
      await runAll([{ ...due, onMade: (one) => (made = one) }], signal);
      return made;
    },

    nextMs: (rule) => agenda.nextMs(rule),

    async apply(changes) {
      const turn = applied.then(() => applyNow(changes));
      // A reload that failed stops no later one.
      applied = turn.catch(() => undefined);
      const changed = await turn;
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
