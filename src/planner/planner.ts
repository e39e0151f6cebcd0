import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { pollsOf } from './answers.ts';
import { planPolls } from './plan.ts';
import type { Answer, Need, PlannedPoll, Query } from './query.ts';

export interface PlannerOptions {
  /** Asks the platform, until `signal` aborts. */
  readonly poll: (query: Query, signal?: AbortSignal) => Promise<Answer>;
  readonly log: Log;
}

/** Reads for many rules at once what each of them watches. */
export interface Planner {
  /** One promise a rule, so that a slow platform delays nobody else; none rejects, and what `signal` cuts off is a failure. */
  read(rules: readonly Rule[], signal?: AbortSignal): ReadonlyMap<string, Promise<Poll>>;
}

/** A planner over the platforms that `poll` asks. */
export function createPlanner({ poll, log }: PlannerOptions): Planner {
  async function ask(planned: PlannedPoll, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, Poll>> {
    try {
      const answer = await poll(planned, signal);
      log.debug({ verb: planned.verb, account: planned.account, items: answer.items.length, rules: planned.needs.length }, 'polled');
      return pollsOf(planned, answer);
    } catch (error) {
      const failure = describeFailure(error);
      if (!(error instanceof PlatformError) && !signal?.aborted) log.error({ verb: planned.verb, error }, 'a poll failed');
      return new Map(planned.needs.map(({ rule }) => [rule, { failure }]));
    }
  }

  return {
    read(rules, signal) {
      const polls = new Map<string, Promise<Poll>>();
      for (const planned of planPolls(rules.flatMap(needOf))) {
        const answers = ask(planned, signal);
        for (const { rule } of planned.needs) {
          polls.set(
            rule,
            answers.then((found) => found.get(rule) ?? { failure: 'nothing was answered' }),
          );
        }
      }
      return polls;
    },
  };
}

/** What a rule wants to be read; nothing where it watches nothing. */
export function needOf({ id, watched }: Rule): Need | [] {
  return watched ? { rule: id, verb: watched.verb, account: watched.account, params: watched.with } : [];
}

function describeFailure(error: unknown): string {
  if (error instanceof PlatformError) return `${error.fault}: ${error.message}`;
  return error instanceof Error ? error.message : 'it failed for an unknown reason';
}
