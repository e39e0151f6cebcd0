import { systemClock, type Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createBatch, createPlaces, type TakePlace } from '#src/operation/places.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { pollsOf, writeDown } from './answers.ts';
import { planPolls } from './plan.ts';
import type { Answer, Need, PlannedPoll, Query } from './query.ts';
import type { RecordedAnswer, RecordedPolls } from './recorded-polls.ts';
import { AccountPaused, isOfAccount, restRefusedAccounts } from './refused-accounts.ts';
import { createTroubles } from './troubles.ts';
import { sharedName } from './union.ts';
import { tellWhole, type OnPoll } from './whole-polls.ts';

/** More than a platform answers in a moment, and few enough that the answers need little memory. */
const POLLS_AT_ONCE = 32;

export interface PlannerOptions {
  /** Asks the platform, until `signal` aborts. */
  readonly poll: (query: Query, signal?: AbortSignal) => Promise<Answer>;
  /** Where good answers are kept; absent: nowhere. */
  readonly recorded?: RecordedPolls | undefined;
  /** Names what an account is signed in with; something else ends its pause. */
  readonly credentialsOf?: ((account: string) => Promise<string | undefined>) | undefined;
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
  /**
   * Tells `onPoll` what was read for each rule, a failure too, as soon as it is there; resolves when all were told.
   *
   * Of each account a few polls are under way at a time, in turn for all who read. What `signal` cuts off is a failure, and what was
   * not begun before it nobody is told of.
   */
  read(wanted: readonly Wanted[], onPoll: OnPoll, signal?: AbortSignal): Promise<void>;
}

/** A planner over the platforms that `poll` asks. */
export function createPlanner({ poll, recorded, credentialsOf, clock = systemClock, log }: PlannerOptions): Planner {
  const useAccount = restRefusedAccounts({ credentialsOf, clock, log });
  const places = new Map<string, TakePlace>();
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
      const failed = { failure: describeFailure(error), ...faultOf(error) };
      // Of accounts that are refused the log was told.
      if (!isOfAccount(error) && !signal?.aborted)
        reading.begin(query, { verb, account, rules: needs.map(({ rule }) => rule) }, whyOf(error));
      return new Map(needs.map(({ rule }) => [rule, failed]));
    }
  }

  function keep(query: string, answer: RecordedAnswer): void {
    recorded?.record(query, answer).then(
      () => recording.over(''),
      (error: unknown) => recording.begin('', {}, { error }),
    );
  }

  function placesOf(account: string): TakePlace {
    const known = places.get(account) ?? createPlaces(POLLS_AT_ONCE);
    places.set(account, known);
    return known;
  }

  return {
    async read(wanted, onPoll, signal) {
      const slots = new Map(wanted.map(({ rule, slotMs }) => [rule.id, slotMs]));
      const rules = wanted.map(({ rule }) => rule);
      const tell = tellWhole(rules, onPoll);

      async function readOne(planned: PlannedPoll): Promise<void> {
        if (signal?.aborted) return;
        const { account, needs } = planned;
        const polls = await ask(planned, Math.max(...needs.map(({ rule }) => slots.get(rule) ?? 0)), signal);
        for (const [rule, poll] of polls) await tell(rule, { account, poll });
      }

      async function readThrough(account: string, polls: readonly PlannedPoll[]): Promise<void> {
        const batch = createBatch(placesOf(account));
        for (const planned of polls) await batch.start(() => readOne(planned));
        await batch.ended();
      }

      const byAccount = Map.groupBy(planPolls(rules.flatMap(needsOf)), ({ account }) => account);
      await Promise.all([...byAccount].map(([account, polls]) => readThrough(account, polls)));
    },
  };
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

function faultOf(error: unknown): Pick<PlatformError, 'fault'> | undefined {
  return error instanceof PlatformError || error instanceof AccountPaused ? { fault: error.fault } : undefined;
}

/** Why a poll failed, for the log: of what no platform said the whole error. */
function whyOf(error: unknown): object {
  return error instanceof PlatformError ? { why: describeFailure(error) } : { error };
}
