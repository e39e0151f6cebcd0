import { silentLog, type Log } from '#src/log.ts';
import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler, type Scheduler, type SchedulerOptions } from '#src/engine/scheduler/scheduler.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

/** The poll of an empty list. */
export const nothing: Poll = { items: [], complete: true };

export interface Setting {
  readonly rules: readonly Rule[];
  readonly clock: ManualClock;
  readonly states?: MemoryStates;
  /** The poll of a rule. */
  readonly answer?: (rule: Rule) => Promise<Poll>;
  /** The effects of a slot beside its decision. */
  readonly made?: (options: AdvanceOptions) => Partial<Advance>;
  readonly onCommit?: SchedulerOptions['onCommit'];
  readonly log?: Log;
  readonly lists?: SchedulerOptions['lists'];
}

export interface Stage {
  readonly scheduler: Scheduler;
  /** The slots that ran, for example `live 18:00:10`; slots outside the schedule end in a star. */
  readonly ran: () => string[];
  /** The names that each poll asked for. */
  readonly asked: () => readonly (readonly string[] | undefined)[];
}

/** A scheduler whose slots only record that they ran, with the version of the rule from the second on. */
export async function schedule({
  rules,
  clock,
  states = memoryStates(),
  answer = () => Promise.resolve(nothing),
  made = () => ({}),
  onCommit = () => undefined,
  log = silentLog,
  lists,
}: Setting): Promise<Stage> {
  const asked: (readonly string[] | undefined)[] = [];
  const scheduler = await createScheduler({
    rules,
    states,
    read: async (due, onPoll) => {
      for (const one of due) asked.push(one.asked && Object.values(one.asked).flat());
      await Promise.all(due.map(async ({ rule }) => onPoll(rule.id, await answer(rule))));
    },
    advance: (options) => ({ ...decided(options), ...made(options) }),
    onCommit,
    clock,
    log,
    lists,
  });
  return { scheduler, ran: () => slotsRun(states), asked: () => asked };
}

/** The effects of a slot that only records that it ran. */
export function decided({ rule, poll, slotMs, woken }: AdvanceOptions): Advance {
  const reason = poll && 'failure' in poll ? poll.failure : 'read';
  const details = { version: rule.version, woken: woken === true };
  return { firings: [], withdrawals: [], decisions: [{ rule: rule.id, atMs: slotMs, outcome: 'unchanged', message: reason, details }] };
}

/** The slots that ran, in order. */
export function slotsRun({ commits }: MemoryStates): string[] {
  return commits.flatMap(({ decisions }) =>
    decisions.map(({ rule, atMs, details }) => {
      const version = details?.['version'] === '1' ? '' : ` v${JSON.stringify(details?.['version']).slice(1, -1)}`;
      return `${rule} ${new Date(atMs).toISOString().slice(11, 19)}${version}${details?.['woken'] === true ? '*' : ''}`;
    }),
  );
}

/** Advances the clock with a tick at the start of every second. */
export async function tickFor(scheduler: Scheduler, clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await scheduler.tick();
    await clock.advance(1000);
  }
}
