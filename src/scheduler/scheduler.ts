import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Advance, AdvanceOptions } from '#src/rules/episodes/advance.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createAgenda, type Due } from './agenda.ts';
import type { Commit, RuleStates } from './rule-states.ts';

export interface SchedulerOptions {
  readonly rules: readonly Rule[];
  readonly states: RuleStates;
  /** Reads what the rules watch: one promise a rule, none of which rejects. */
  readonly read: (rules: readonly Rule[], signal?: AbortSignal) => ReadonlyMap<string, Promise<Poll>>;
  readonly advance: (options: AdvanceOptions) => Advance;
  /** Told of everything that was committed. */
  readonly onCommit: (commit: Commit) => void;
  readonly clock: Clock;
  readonly log: Log;
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
}

/** A scheduler that goes on where the stored slots of the rules end. */
export async function createScheduler({ rules, states, read, advance, onCommit, clock, log }: SchedulerOptions): Promise<Scheduler> {
  const startMs = clock.nowMs();
  const lastSlots = await states.lastSlots();
  const agenda = createAgenda({ rules, lastSlots, startMs });
  for (const { id, watched } of rules) {
    // From here on a slot that is slept through was missed.
    if (!watched && !lastSlots.has(id)) await states.commit({ rule: id, slotMs: startMs, firings: [], withdrawals: [], decisions: [] });
  }

  const failing = new Set<string>();

  /** Says once that a rule cannot be read, and once that it can be again. */
  function report({ id }: Rule, poll: Poll | undefined): void {
    if (poll && 'failure' in poll) {
      if (!failing.has(id)) log.warn({ rule: id, why: poll.failure }, 'what a rule watches cannot be read');
      failing.add(id);
    } else if (failing.delete(id)) log.info({ rule: id }, 'what a rule watches can be read again');
  }

  async function run({ rule, slotMs }: Due, poll: Poll | undefined): Promise<void> {
    report(rule, poll);
    if (agenda.mayAskAgain(rule, poll, { slotMs, nowMs: clock.nowMs() })) return;
    const state = await states.load(rule.id);
    const gap = agenda.hasGap(rule, { sinceMs: state.memory.lastPollMs, slotMs });
    const { change, firings, withdrawals, decisions } = advance({ rule, state, poll, slotMs, gap });
    const commit: Commit = { rule: rule.id, slotMs, change, firings, withdrawals, decisions };
    const written = await states.commit(commit);
    agenda.finish(rule, { slotMs, nowMs: clock.nowMs() });
    if (written) onCommit(commit);
    else log.debug({ rule: rule.id }, 'this slot was run before');
  }

  async function runOne(due: Due, answer: Promise<Poll> | undefined, signal: AbortSignal | undefined): Promise<void> {
    agenda.begin(due.rule);
    try {
      const poll = await answer;
      if (!signal?.aborted) await run(due, poll);
    } catch (error) {
      log.error({ rule: due.rule.id, error }, 'a rule could not be run; its slot comes again');
    } finally {
      agenda.end(due.rule);
    }
  }

  return {
    async tick(signal) {
      const due = agenda.due(clock.nowMs());
      const answers = read(
        due.map(({ rule }) => rule),
        signal,
      );
      await Promise.all(due.map((one) => runOne(one, answers.get(one.rule.id), signal)));
    },
    nextMs: (rule) => agenda.nextMs(rule),
  };
}
