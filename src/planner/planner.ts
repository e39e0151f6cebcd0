import { systemClock, type Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { mergePolls, pollsOf, writeDown } from './answers.ts';
import { planPolls } from './plan.ts';
import type { Answer, Need, PlannedPoll, Query } from './query.ts';
import type { RecordedAnswer, RecordedPolls } from './recorded-polls.ts';
import { AccountPaused, restRefusedAccounts } from './refused-accounts.ts';
import { createTroubles } from './troubles.ts';
import { sharedName } from './union.ts';

export interface PlannerOptions {
  /** Asks the platform, until `signal` aborts. */
  readonly poll: (query: Query, signal?: AbortSignal) => Promise<Answer>;
  /** Where good answers are kept; absent: nowhere. */
  readonly recorded?: RecordedPolls | undefined;
  readonly clock?: Clock | undefined;
  readonly log: Log;
}

/** A rule whose list is wanted, and for which slot. */
interface Wanted {
  readonly rule: Rule;
  readonly slotMs: number;
}

/** Reads for many rules at once what each of them watches. */
export interface Planner {
  /** One promise a rule, so that a slow platform delays nobody else; none rejects, and what `signal` cuts off is a failure. */
  read(wanted: readonly Wanted[], signal?: AbortSignal): ReadonlyMap<string, Promise<Poll>>;
}

/** A planner over the platforms that `poll` asks. */
export function createPlanner({ poll, recorded, clock = systemClock, log }: PlannerOptions): Planner {
  const useAccount = restRefusedAccounts({ clock, log });
  const reading = createTroubles(log, { began: 'what rules watch cannot be read', ended: 'what rules watch can be read again' });
  const recording = createTroubles(log, { began: 'what was read cannot be recorded', ended: 'what is read is recorded again' });

  async function ask(planned: PlannedPoll, slotMs: number, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, Poll>> {
    const { verb, account, params, needs } = planned;
    const query = sharedName(planned);
    try {
      const answer = writeDown(await useAccount(account, () => poll(planned, signal)));
      log.debug({ verb, account, items: answer.items.length, rules: needs.length }, 'polled');
      reading.over(query);
      keep(query, { slotMs, params, answer });
      const polls = pollsOf(planned, answer);
      for (const [rule, one] of polls) {
        if ('failure' in one) reading.begin(`${query} ${rule}`, { verb, account, rule }, { why: one.failure });
        else reading.over(`${query} ${rule}`);
      }
      return polls;
    } catch (error) {
      const failure = describeFailure(error);
      // Of accounts that are refused the log was told.
      const isTold = error instanceof AccountPaused || (error instanceof PlatformError && error.fault === 'unauthorized');
      if (!isTold && !signal?.aborted) reading.begin(query, { verb, account, rules: needs.map(({ rule }) => rule) }, whyOf(error));
      return new Map(needs.map(({ rule }) => [rule, { failure }]));
    }
  }

  function keep(query: string, answer: RecordedAnswer): void {
    recorded?.record(query, answer).then(
      () => recording.over(''),
      (error: unknown) => recording.begin('', {}, { error }),
    );
  }

  return {
    read(wanted, signal) {
      const slots = new Map(wanted.map(({ rule, slotMs }) => [rule.id, slotMs]));
      const polls = new Map<string, { readonly account: string; readonly poll: Promise<Poll> }[]>();
      for (const planned of planPolls(wanted.flatMap(({ rule }) => needsOf(rule)))) {
        const { account, needs } = planned;
        const answers = ask(planned, Math.max(...needs.map(({ rule }) => slots.get(rule) ?? 0)), signal);
        for (const { rule } of needs) {
          const one = answers.then((found): Poll => found.get(rule) ?? { failure: 'nothing was answered' });
          polls.set(rule, [...(polls.get(rule) ?? []), { account, poll: one }]);
        }
      }
      return new Map([...polls].map(([rule, ones]) => [rule, together(ones)]));
    },
  };
}

async function together(ones: readonly { readonly account: string; readonly poll: Promise<Poll> }[]): Promise<Poll> {
  return mergePolls(await Promise.all(ones.map(async ({ account, poll }) => ({ account, poll: await poll }))));
}

/** What a rule wants to be read: one query an account; nothing where it watches nothing. */
export function needsOf({ id, watched }: Rule): readonly Need[] {
  if (!watched) return [];
  const { verb, with: params, accounts } = watched;
  return accounts.map((account) => ({ rule: id, verb, account, params }));
}

function describeFailure(error: unknown): string {
  if (error instanceof PlatformError) return `${error.fault}: ${error.message}`;
  return error instanceof Error ? error.message : 'it failed for an unknown reason';
}

/** Why a poll failed, for the log: of what no platform said the whole error. */
function whyOf(error: unknown): object {
  return error instanceof PlatformError ? { why: describeFailure(error) } : { error };
}
