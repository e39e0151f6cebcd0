import { systemClock, type Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { RoundOptions } from '#src/clients/operation/call.ts';
import { createBatch, createLimiter, type Limiter } from '#src/clients/operation/limiter.ts';
import { priorityRank } from '#src/rules/priority.ts';
import type { NamesByAccount, Poll } from '#src/rules/poll.ts';
import { requestCount, sharedRequests } from '#src/rules/request-estimates.ts';
import type { Rule } from '#src/rules/rule.ts';
import { collectPolls, type OnPoll } from './poll-results.ts';
import { queriesOf, mergeQueries, mergeKey } from './merge-queries.ts';
import { pacedPolls, type PacedPolls } from './paced-polls.ts';
import type { Need, PollOptions, PollResult, PlannedPoll, Query, StoredPollResult } from './query.ts';
import type { RecordedResult, RecordedPolls } from './recorded-polls.ts';
import { AccountPaused, isAccountError, pauseRefusedAccounts } from './refused-accounts.ts';
import { createMergedPolls } from './poll-merged.ts';
import { createRecordings } from './recordings.ts';

/** More than any platform answers at once, and few enough to keep the results in memory. */
const POLLS_AT_ONCE = 32;
/** Look-ups of one record are small, and `src/http/batched.ts` merges those that begin together. */
const LOOKUPS_AT_ONCE = 1_000;

export interface PlannerOptions {
  /** Sends a query to the platform. */
  readonly poll: (query: Query, options: RoundOptions) => Promise<PollResult>;
  /** Stores results; absent if nothing is recorded. */
  readonly recorded?: RecordedPolls | undefined;
  /** Called with the estimated number of requests that polls of some names save against polls of the whole lists. */
  readonly onSaved?: ((account: string, requests: number) => void) | undefined;
  /** Identifies the credentials of an account. New credentials end its pause. */
  readonly credentialsOf?: ((account: string) => Promise<string | undefined>) | undefined;
  /** Spreads polls within the rate limits of their accounts; absent: only the limits in the responses count. */
  readonly paced?: PacedPolls | undefined;
  readonly clock?: Clock | undefined;
  readonly log: Log;
}

/** The poll of a rule that names no one: it needs no request. */
const NO_ITEMS: Poll = { items: [], complete: true };

/** A rule to poll for, and its slot. */
interface Wanted {
  readonly rule: Rule;
  readonly slotMs: number;
  /** The names to ask for. Absent: all names of the rule. */
  readonly asked?: NamesByAccount | undefined;
}

/** The outcome of a planned poll. */
interface Asked {
  readonly polls: ReadonlyMap<string, Poll>;
  /** The result to record; absent if the program interrupted the poll. */
  readonly answer?: StoredPollResult;
}

/** Polls for many rules at once. */
export interface Planner {
  /**
   * Passes the poll of each rule to `onPoll` as soon as it is complete, including failed polls. Resolves after the last poll.
   *
   * Each account has a limited number of polls at a time, in the order of the calls. A poll that `signal` interrupts fails. Polls that have
   * not begun by then are dropped.
   */
  readonly read: (wanted: readonly Wanted[], onPoll: OnPoll, signal?: AbortSignal) => Promise<void>;
}

/** Creates a planner that polls with `poll`. */
export function createPlanner({ poll, recorded, onSaved, credentialsOf, paced, clock = systemClock, log }: PlannerOptions): Planner {
  const useAccount = pauseRefusedAccounts({ credentialsOf, clock, log });
  const limiters = { lists: createLimiters(POLLS_AT_ONCE), lookups: createLimiters(LOOKUPS_AT_ONCE) };
  const use = (query: Query, options: RoundOptions): Promise<PollResult> => useAccount(query.account, () => poll(query, options));
  const readMerged = createMergedPolls({ poll: paced ? pacedPolls(paced, use) : use, clock });
  const reading = createIncidentLog(log, { began: 'a poll failed', ended: 'a poll works again' });
  const recording = createIncidentLog(log, { began: 'polls cannot be recorded', ended: 'polls are recorded again' });

  async function ask(planned: PlannedPoll, options: PollOptions): Promise<Asked> {
    const { verb, account, needs } = planned;
    const query = mergeKey(planned);
    try {
      const { answer, polls } = await readMerged(planned, options);
      log.debug({ verb, account, items: answer.items.length, rules: needs.length }, 'polled');
      reading.end(query);
      for (const [rule, one] of polls) {
        if ('failure' in one) reading.begin(`${query} ${rule}`, { verb, account, rule }, { why: one.failure });
        else reading.end(`${query} ${rule}`);
      }
      return { polls, answer };
    } catch (error) {
      const failed = { failure: describeFailure(error), ...faultOf(error) };
      // A refused account has its own log line.
      if (!isAccountError(error) && !options.signal?.aborted)
        reading.begin(query, { verb, account, rules: needs.map(({ rule }) => rule) }, whyOf(error));
      const polls = new Map(needs.map(({ rule }) => [rule, failed]));
      // A replay would otherwise repeat the poll before it, for example at the end of quiet hours.
      return options.signal?.aborted ? { polls } : { polls, answer: failedAnswer(error) };
    }
  }

  function keep(query: string, result: RecordedResult): void {
    recorded?.record(query, result).then(
      (isStored) => isStored && recording.end(''),
      (error: unknown) => recording.begin('', {}, { error }),
    );
  }

  return {
    async read(wanted, onPoll, signal) {
      const slots = new Map(wanted.map(({ rule, slotMs }) => [rule.id, slotMs]));
      const rules = wanted.map(({ rule }) => rule);
      const needs = wanted.flatMap(({ rule, asked }) => queriesOf(rule, asked));
      if (onSaved && wanted.some(({ asked }) => asked)) {
        const whole = rules.flatMap((rule) => queriesOf(rule));
        for (const [account, requests] of savedRequests(whole, needs)) onSaved(account, requests);
      }
      const partial = new Set(wanted.flatMap(({ rule, asked }) => (asked ? [rule.id] : [])));
      const collect = collectPolls(rules, { needs, onPoll });
      const shared: PollOptions = { round: {}, signal, sinceMs: clock.nowMs() };
      const ranks = new Map(rules.map((rule) => [rule.id, priorityRank(rule)]));
      const rankOf = ({ needs: some }: PlannedPoll): number => Math.min(...some.map(({ rule }) => ranks.get(rule) ?? 0));

      async function readOne(planned: PlannedPoll): Promise<void> {
        const options: PollOptions = { ...shared, rank: rankOf(planned), rules: planned.needs.map(({ rule }) => rule) };
        if (signal?.aborted) return recordings.end(planned);
        const { account, needs } = planned;
        const slotMs = Math.max(...needs.map(({ rule }) => slots.get(rule) ?? 0));
        const { polls, answer } = await ask(planned, options);
        const ends: Promise<void>[] = [];
        for (const [rule, poll] of polls) {
          const begun = await collect(rule, { account, poll });
          if (begun) ends.push(begun.ended);
        }
        // A replay runs the slots of the schedule, and such a result between them would look as if other names were unknown.
        const isPartial = needs.every(({ rule }) => partial.has(rule));
        recordings.end(planned, answer && !isPartial ? { slotMs, answer, ends } : undefined);
      }

      async function readThrough(limiter: Limiter, polls: readonly PlannedPoll[]): Promise<void> {
        const batch = createBatch(limiter);
        for (const planned of polls) await batch.start(() => readOne(planned));
        await batch.ended();
      }

      const lookups = new Set(rules.filter(({ watched }) => watched?.kind === 'one').map(({ id }) => id));
      const isLookup = ({ needs }: PlannedPoll): boolean => needs.every(({ rule }) => lookups.has(rule));
      const asking = new Set(needs.map(({ rule }) => rule));
      const merged = paced ? paced.plan(needs, (rule) => ranks.get(rule) ?? 0) : mergeQueries(needs);
      const recordings = createRecordings(merged, keep);
      // Waiting polls of a low priority must not take the places of others.
      const placeOf = (planned: PlannedPoll): string => (paced ? `${planned.account} ${rankOf(planned)}` : planned.account);
      const byLimiter = Map.groupBy(merged, (planned) => limiters[isLookup(planned) ? 'lookups' : 'lists'](placeOf(planned)));
      const idle = rules.filter(({ id, watched }) => watched && !asking.has(id));
      await Promise.all([
        ...[...byLimiter].map(([limiter, polls]) => readThrough(limiter, polls)),
        ...idle.map(({ id }) => onPoll(id, NO_ITEMS)),
      ]);
    },
  };
}

/** The estimated requests by account that polls for `needs` save against polls for `others`. */
export function savedRequests(others: readonly Need[], needs: readonly Need[]): ReadonlyMap<string, number> {
  const saved = new Map<string, number>();
  const count = (polls: readonly Query[], sign: 1 | -1): void => {
    for (const { verb, account, params } of polls) {
      const requests = requestCount(sharedRequests(verb, params), { namesPerRequest: undefined, units: undefined });
      saved.set(account, (saved.get(account) ?? 0) + sign * requests);
    }
  };
  count(mergeQueries(others), 1);
  count(mergeQueries(needs), -1);
  return new Map([...saved].filter(([, requests]) => requests > 0));
}

function createLimiters(count: number): (account: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (account) => {
    const known = limiters.get(account) ?? createLimiter(count);
    limiters.set(account, known);
    return known;
  };
}

function describeFailure(error: unknown): string {
  if (error instanceof PlatformError) return `${error.fault}: ${error.message}`;
  return error instanceof Error ? error.message : 'the reason is unknown';
}

/** The recorded result of a failed poll. An earlier version reads it as an incomplete list. */
function failedAnswer(error: unknown): StoredPollResult {
  const message = error instanceof Error ? error.message : 'the reason is unknown';
  return { items: [], approximate: true, partialErrors: [], failed: { message, fault: faultOf(error)?.fault } };
}

function faultOf(error: unknown): { readonly fault: Fault; readonly retryAtMs?: number } | undefined {
  if (error instanceof PlatformError) return { fault: error.fault, ...(error.retryAt && { retryAtMs: error.retryAt.getTime() }) };
  return error instanceof AccountPaused ? { fault: error.fault } : undefined;
}

/** The cause of a failed poll for the log: the message of a platform, or the whole error of anything else. */
function whyOf(error: unknown): object {
  return error instanceof PlatformError ? { why: describeFailure(error) } : { error };
}

/** Logs a repeated error once when it begins and once when it ends. */
interface IncidentLog {
  begin(key: string, about: object, why: object): void;
  end(key: string): void;
}

/** Creates a log of incidents with the messages `began` and `ended`. */
function createIncidentLog(log: Log, { began, ended }: { readonly began: string; readonly ended: string }): IncidentLog {
  const open = new Map<string, object>();
  return {
    begin(key, about, why) {
      if (!open.has(key)) log.warn({ ...about, ...why }, began);
      open.set(key, about);
    },
    end(key) {
      const about = open.get(key);
      if (about && open.delete(key)) log.info(about, ended);
    },
  };
}
