import type { Clock } from '#src/clock.ts';
import { isOutage } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createBatch, createLimiter, type BegunWork } from '#src/clients/operation/limiter.ts';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Firing } from '#src/rules/firing.ts';
import { NO_LISTS, type ListSource } from '#src/rules/lists.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import { needsWholeList } from '#src/rules/evaluate/advance-list.ts';
import { restAfter, restAfterNames, storesOnlyPoll, type Rest } from '#src/rules/evaluate/unchanged-polls.ts';
import type { OnPoll } from '#src/engine/planner/poll-results.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { BegunAttempts } from '#src/engine/delivery/first-attempt.ts';
import type { Agenda, Due } from './agenda.ts';
import { askedPoll, asksNoOne, withAskedNames } from './asked-names.ts';
import { ReplacedRule, type Commit, type RuleStates } from './rule-states.ts';
import type { SlotTimes } from './slot-times.ts';
import { createUnchangedSlots } from './unchanged-slots.ts';
import { createWorkPauses } from './work-pauses.ts';

export interface SlotRunnerOptions {
  readonly states: Pick<RuleStates, 'load' | 'commit'>;
  /** Polls what the rules watch, and passes each complete poll to `onPoll` at once. Resolves after the last one. */
  readonly read: (due: readonly Due[], onPoll: OnPoll, signal?: AbortSignal) => Promise<void>;
  readonly advance: (options: AdvanceOptions) => Advance;
  /** The lists that rules read at each poll; absent: there are none. */
  readonly lists?: ListSource | undefined;
  /** Whether a firing would send nothing, so that it need not be stored; absent if every firing is stored. */
  readonly isIdle?: ((firing: Firing) => Promise<boolean>) | undefined;
  /** Begins attempts with a commit; absent: each attempt begins after its commit. */
  readonly beginWith?: ((commit: Commit) => Promise<BegunAttempts>) | undefined;
  /** Receives every commit; `times`: of a slot, but not of a deleted rule. */
  readonly onCommit: (commit: Commit, times?: SlotTimes) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The positions of the rules that run. */
export type RunningAgenda = Pick<
  Agenda,
  'has' | 'wakeMs' | 'hasGap' | 'restedMs' | 'retryFailedPoll' | 'pollWholeList' | 'finish' | 'backOff' | 'endBackOffs' | 'end'
>;

/** Runs slots: polls, evaluates and commits. */
export interface SlotRunner {
  /** Runs each rule as soon as its poll is complete. A slow poll delays no other rule. Resolves when all rules have ended. */
  run(due: readonly Due[], agenda: RunningAgenda, signal?: AbortSignal): Promise<void>;
  /** Commits the result of `close`, the last slot of a rule. Resolves with false if another process committed at the same time. */
  close(rule: Rule, close: (options: AdvanceOptions) => Advance): Promise<boolean>;
  /** The ids of rules whose last slot failed: the store refused the commit, or the code has a defect. A requested run is no slot. */
  readonly stuck: Set<string>;
}

export function createSlotRunner(options: SlotRunnerOptions): SlotRunner {
  const { states, read, advance, lists, isIdle = () => Promise.resolve(false), onCommit, clock, log } = options;
  const limiter = createLimiter(AT_ONCE);
  const pauses = createWorkPauses();
  const stuck = new Set<string>();
  const unchanged = createUnchangedSlots();
  /** Whether the last read of the lists failed. */
  let isBlind = false;
  /** The outage of the state that was logged last; undefined after a success. */
  let outage: string | undefined;

  /** Logs an outage once, because it affects all rules at each slot. */
  function logFailure(rule: string, error: unknown): void {
    if (!isOutage(error)) log.error({ rule, error }, 'a rule failed; Fanfare repeats its slot');
    else if (outage !== error.message) {
      outage = error.message;
      log.error({ rule, error }, 'rules cannot run, because the state cannot be stored; Fanfare repeats their slots');
    }
  }

  function endOutage(agenda: RunningAgenda): void {
    if (outage === undefined) return;
    log.info({}, 'the state can be stored again, and rules run');
    outage = undefined;
    agenda.endBackOffs(clock.nowMs());
  }

  async function commit(made: Commit, times?: Omit<SlotTimes, 'committedMs'>): Promise<boolean> {
    await using attempts = made.firings.length === 0 ? undefined : await options.beginWith?.(made);
    const written = await states.commit(attempts ? { ...made, begun: attempts.begun } : made);
    if (written) onCommit(made, times && { ...times, committedMs: clock.nowMs() });
    else log.debug({ rule: made.rule, slotMs: made.slotMs }, 'this slot has already run');
    return written;
  }

  /** Gives each rule the lists of this poll. Returns the failed polls of rules whose lists cannot be read: then nothing changes. */
  async function bind(due: Map<string, Due>): Promise<ReadonlyMap<string, Poll>> {
    const failed = new Map<string, Poll>();
    const readers = [...due.values()].filter(({ rule }) => readsLists(rule));
    if (readers.length === 0) return failed;
    try {
      const current = (await lists?.current()) ?? NO_LISTS;
      isBlind = false;
      for (const one of readers) {
        const bound = attemptBind(one.rule, current);
        if ('failure' in bound) failed.set(one.rule.id, bound);
        else due.set(one.rule.id, { ...one, rule: bound, revision: current.revision });
      }
    } catch (error) {
      if (!isBlind) log.warn({ error }, 'the lists cannot be read; the rules with lists keep their state');
      isBlind = true;
      const failure = `the lists cannot be read: ${error instanceof Error ? error.message : 'the reason is unknown'}`;
      for (const { rule } of readers) failed.set(rule.id, { failure });
    }
    return failed;
  }

  async function withoutIdle(firings: readonly Firing[]): Promise<readonly Firing[]> {
    const kept: Firing[] = [];
    for (const firing of firings) if (!(await isIdle(firing))) kept.push(firing);
    return kept;
  }

  /** Commits a slot without an evaluation, if its poll equals the last one, which changed nothing. */
  async function repeatUnchanged(due: Due, poll: Poll | undefined, { agenda, beganMs }: Omit<SlotRun, 'signal'>): Promise<boolean> {
    const polledMs = clock.nowMs();
    const made = unchanged.find(due, poll, (sinceMs) => agenda.hasGap(due.rule.id, { sinceMs, slotMs: due.slotMs }));
    if (!made) return false;
    const written = await commit(made, { beganMs, polledMs, evaluatedMs: polledMs });
    unchanged.repeated(due.rule, made, written);
    return written;
  }

  async function runSlot(due: Due, poll: Poll | undefined, { agenda, beganMs }: SlotRun): Promise<void> {
    const { rule, woken, hintedBy, revision, command, webhook, requested } = due;
    const { id } = rule;
    const [polledMs, isPartial] = [clock.nowMs(), due.asked !== undefined];
    const hinted = { isNotified: hintedBy !== undefined, isHinted: hintedBy !== undefined && woken };
    // A stored webhook would be lost. Its sender repeats one that is not stored.
    if (webhook && poll && 'failure' in poll) throw new Error(poll.failure);
    if (agenda.retryFailedPoll(due, poll, clock.nowMs())) return;

    /** Evaluates and commits the slot; `written` is false if another commit, for example of a changed value, followed the loaded state. */
    async function attempt(overtaken?: Attempt): Promise<Attempt | 'needsWholeList' | 'failed'> {
      const state = await states.load(id);
      const { lastPollMs } = state.memory;
      // A person may have changed a value at the instant of a requested slot, or a little later by the clock of another process.
      const slotMs = due.onCommitted ? Math.max(due.slotMs, (state.slotMs ?? 0) + 1) : due.slotMs;
      // The poll of another process may be newer.
      if (overtaken && rule.watched && lastPollMs !== overtaken.lastPollMs) return overtaken;
      if (isPartial && needsWholeList({ rule, state, slotMs })) return 'needsWholeList';
      // Many rules wait here at once, and each of them takes its time.
      while (pauses.isDue()) await pauses.take();
      const gap = agenda.hasGap(id, { sinceMs: lastPollMs, slotMs });
      const restedMs = agenda.restedMs(id, slotMs);
      const options: AdvanceOptions = { rule, state, poll, slotMs, gap, woken, restedMs, ...hinted, command, webhook, requested };
      const next = advance(options);
      // A slot without a change keeps the instant at which the rule asked to run.
      const wakeMs = next.wakeMs ?? (next.change ? undefined : agenda.wakeMs(id));
      // The operator also sees firings that send nothing.
      const firings = due.onCommitted ? next.firings : await withoutIdle(next.firings);
      const made: Commit = {
        rule: id,
        slotMs,
        afterMs: state.slotMs ?? 0,
        ...next,
        firings,
        wakeMs,
        received: webhook,
        published: rule.published,
        // An operator sees the result of a requested slot.
        mayBeLost: !due.onCommitted && storesOnlyPoll(state, next),
      };
      // A commit would take the place of an earlier slot that is still tried again.
      if (due.onCommitted && poll && 'failure' in poll) {
        due.onCommitted(made);
        return 'failed';
      }
      const hint = hintedBy && woken ? { accounts: hintedBy } : undefined;
      const written = await commit(made, { beganMs, polledMs, evaluatedMs: clock.nowMs(), hint });
      if (written) due.onCommitted?.(made);
      unchanged.keep(options, next, written);
      return { written, slotMs, wakeMs, lastPollMs, rest: written ? (isPartial ? restAfterNames : restAfter)(options, next) : undefined };
    }

    if (await repeatUnchanged(due, poll, { agenda, beganMs })) {
      const rest = unchanged.restOf(rule);
      return agenda.finish(id, { slotMs: due.slotMs, nowMs: clock.nowMs(), wakeMs: undefined, resting: rest && { ...rest, revision } });
    }
    let last = await attempt();
    for (let again = 1; again < MOST_ATTEMPTS && typeof last !== 'string' && !last.written; again++) {
      const next = await attempt(last);
      if (next === last) break;
      last = next;
    }
    if (last === 'failed') return;
    if (last === 'needsWholeList') return agenda.pollWholeList(id, { slotMs: due.slotMs, nowMs: clock.nowMs() });
    const { slotMs, wakeMs, rest } = last;
    const failed = poll && 'failure' in poll ? { isFailed: true, retryAtMs: poll.retryAtMs } : {};
    agenda.finish(id, { slotMs, nowMs: clock.nowMs(), wakeMs, isPartial, ...failed, resting: rest && { ...rest, revision } });
  }

  async function runOne(due: Due, poll: Poll | undefined, slots: SlotRun): Promise<void> {
    const { agenda, signal } = slots;
    const { id } = due.rule;
    try {
      if (!signal?.aborted) await runSlot(due, poll, slots);
      stuck.delete(id);
      endOutage(agenda);
    } catch (error) {
      if (error instanceof ReplacedRule) {
        log.debug({ rule: id }, 'a new version of the rule was published; it repeats this slot');
        due.onReplaced?.();
      } else {
        if (agenda.has(id) && !due.onCommitted) stuck.add(id);
        logFailure(id, error);
      }
      agenda.backOff(id, { nowMs: clock.nowMs(), isOutage: isOutage(error) });
    } finally {
      agenda.end(id, clock.nowMs());
    }
  }

  /** Ends a slot after a hint about names that a list no longer has. */
  function endWithoutPoll({ rule: { id }, slotMs }: Due, agenda: RunningAgenda): void {
    agenda.finish(id, { slotMs, nowMs: clock.nowMs(), wakeMs: agenda.wakeMs(id), isPartial: true });
    agenda.end(id, clock.nowMs());
  }

  return {
    stuck,

    async run(due, agenda, signal) {
      const slots: SlotRun = { agenda, beganMs: clock.nowMs(), signal };
      const unread = new Map(due.map((one) => [one.rule.id, one]));
      const unbound = await bind(unread);
      const batch = createBatch(limiter);
      const start = async (id: string, poll?: Poll): Promise<BegunWork | void> => {
        const one = unread.get(id);
        return one && unread.delete(id) ? batch.start(() => runOne(one, askedPoll(one, poll), slots)) : undefined;
      };
      for (const [id, failure] of unbound) await start(id, failure);
      for (const one of [...unread.values()].map(withAskedNames)) {
        unread.set(one.rule.id, one);
        if (asksNoOne(one) && unread.delete(one.rule.id)) endWithoutPoll(one, agenda);
      }
      const ready = [...unread.values()];
      const [watching = [], others = []] = [true, false].map((isWatching) => ready.filter(({ rule }) => !rule.watched !== isWatching));
      const reading = read(watching, start, signal).catch((error: unknown) => log.error({ error }, 'the polls of due rules failed'));
      for (const { rule } of others) await start(rule.id);
      await reading;
      await batch.ended();
      for (const id of unread.keys()) {
        if (!signal?.aborted) agenda.backOff(id, { nowMs: clock.nowMs(), isOutage: false });
        agenda.end(id, clock.nowMs());
      }
    },

    async close(rule, close) {
      const { id } = rule;
      const attempt = async (): Promise<boolean> => {
        const state = await states.load(id);
        // If the clock was set back, the last slot can be later than now.
        const slotMs = Math.max(clock.nowMs(), (state.slotMs ?? 0) + 1);
        return commit({ rule: id, slotMs, afterMs: state.slotMs ?? 0, ...close({ rule, state, slotMs }) });
      };
      // Another process may commit a slot after the state is loaded.
      return (await attempt()) || attempt();
    },
  };
}

/** An evaluation of a slot. */
interface Attempt {
  /** Whether the slot was committed. */
  readonly written: boolean;
  readonly slotMs: number;
  readonly wakeMs: number | undefined;
  readonly rest: Rest | undefined;
  readonly lastPollMs: number | undefined;
}

/** A run of due slots. */
interface SlotRun {
  readonly agenda: RunningAgenda;
  readonly beganMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Rules that run at once share the statements that load their states, and a commit. */
const AT_ONCE = 32;
/** How often a slot is evaluated. People may change values of its rule in the meantime. */
const MOST_ATTEMPTS = 10;
