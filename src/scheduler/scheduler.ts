import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Advance, AdvanceOptions } from '#src/rules/episodes/advance.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createAgenda, type Due } from './agenda.ts';
import type { Commit, LastSlot, RuleStates } from './rule-states.ts';
import { createTurnstile } from './turnstile.ts';

export interface SchedulerOptions {
  readonly rules: readonly Rule[];
  readonly states: RuleStates;
  /** Reads what the rules watch: one promise a rule, none of which rejects. */
  readonly read: (due: readonly Due[], signal?: AbortSignal) => ReadonlyMap<string, Promise<Poll>>;
  readonly advance: (options: AdvanceOptions) => Advance;
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
  const { rules, states, read, advance, onCommit, clock, log } = options;
  const agenda = createAgenda();
  /** What rules are at work on, by id. */
  const working = new Map<string, Promise<void>>();
  const turnstile = createTurnstile();
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

  async function run(due: Due, poll: Poll | undefined): Promise<void> {
    const { rule, slotMs, woken } = due;
    const { id } = rule;
    if (agenda.mayAskAgain(due, poll, clock.nowMs())) return;
    const state = await states.load(id);
    const gap = agenda.hasGap(id, { sinceMs: state.memory.lastPollMs, slotMs });
    const next = advance({ rule, state, poll, slotMs, gap, woken });
    // A slot that said nothing does not take back what the rule asked for.
    const wakeMs = next.wakeMs ?? (next.change ? undefined : agenda.wakeMs(id));
    await commit({ rule: id, slotMs, ...next, wakeMs });
    agenda.finish(id, { slotMs, nowMs: clock.nowMs(), wakeMs });
  }

  async function runOne(due: Due, answer: Promise<Poll> | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { id } = due.rule;
    try {
      const poll = await answer;
      if (!signal?.aborted) await turnstile(() => run(due, poll));
    } catch (error) {
      log.error({ rule: id, error }, 'a rule could not be run; its slot comes again');
      agenda.rest(id, clock.nowMs());
    } finally {
      agenda.end(id, clock.nowMs());
    }
  }

  /** Has a rule at work, so that nothing else of it is begun before it ends. */
  async function occupy(id: string, work: () => Promise<void>): Promise<void> {
    agenda.begin(id);
    const done = work().finally(() => working.delete(id));
    working.set(id, done);
    await done;
  }

  function start(due: Due, answer: Promise<Poll> | undefined, signal: AbortSignal | undefined): Promise<void> {
    return occupy(due.rule.id, () => runOne(due, answer, signal));
  }

  /** Nothing but each rule holds what was read for it: the others may still wait for minutes. */
  function begin(due: readonly Due[], signal: AbortSignal | undefined): readonly Promise<void>[] {
    const answers = read(due, signal);
    return due.map((one) => start(one, answers.get(one.rule.id), signal));
  }

  async function untilIdle(id: string): Promise<void> {
    for (let work = working.get(id); work; work = working.get(id)) await work.catch(() => undefined);
  }

  /** Resolves when it is in force for all rules but those at work; says for which it is anything new. */
  async function applyNow({ put, drop }: RuleChanges): Promise<readonly string[]> {
    for (const id of drop) agenda.drop(id);
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
    async tick(signal) {
      const nowMs = clock.nowMs();
      if (nowMs < tickedMs) log.warn({ byMs: tickedMs - nowMs }, 'the clock was set back: what was run before is not run again');
      tickedMs = nowMs;
      const due = agenda.due(nowMs);
      if (due.length > 0) await Promise.all(begin(due, signal));
    },

    nextMs: (rule) => agenda.nextMs(rule),

    async apply(changes) {
      const turn = applied.then(() => applyNow(changes));
      // A reload that failed stops no later one.
      applied = turn.catch(() => undefined);
      const changed = await turn;
      await Promise.all(changed.map(untilIdle));
    },

    async closeOut(rule, close) {
      const { id } = rule;
      agenda.drop(id);
      await untilIdle(id);
      let written = false;
      await occupy(id, async () => {
        try {
          written = await closeNow(rule, close);
        } finally {
          agenda.end(id, clock.nowMs());
        }
      });
      return written;
    },
  };
}
