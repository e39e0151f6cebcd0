import type { Clock } from '#src/clock.ts';
import type { PlatformError } from '#src/errors.ts';
import type { Poll } from '#src/rules/poll.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import { equalKey, mergedQuery } from './merge-queries.ts';
import { createPollsOfNames, hasRefusals, isRefusal, MOST_SPLITS } from './poll-names.ts';
import { failureOf, hasOtherUsers, joinAnswers, lacksAddresses, pollOf, pollsOf, toStored, withRenamedUsers } from './poll-results.ts';
import type { Need, PlannedPoll, PollOptions, PollResult, Query, StoredPollResult } from './query.ts';

/** How long a query is polled alone after its names did not fit into a merged query. */
const ALONE_MS = 24 * 3_600_000;
const MOST_ALONE = 10_000;

/** The result of a planned poll. */
interface MergedResult {
  /** Everything that was read. */
  readonly answer: StoredPollResult;
  /** The polls of the rules by id. */
  readonly polls: ReadonlyMap<string, Poll>;
}

/** The equal queries of several rules inside a merged one. */
interface SharedQuery {
  readonly name: string;
  readonly needs: readonly Need[];
}

export interface MergedPollsOptions {
  readonly poll: (query: Query, options: PollOptions) => Promise<PollResult>;
  readonly clock: Clock;
}

/**
 * Creates polls that serve several queries. A query with a name that the platform refuses, or that no record in the answer has, is polled alone, so that
 * it affects no other rule.
 */
export function createMergedPolls({
  poll,
  clock,
}: MergedPollsOptions): (planned: PlannedPoll, options: PollOptions) => Promise<MergedResult> {
  const pollNames = createPollsOfNames({ poll, clock });
  const aloneUntilMs = new Map<string, number>();

  function pollAloneFromNow(query: string): void {
    if (aloneUntilMs.size >= MOST_ALONE) aloneUntilMs.clear();
    aloneUntilMs.set(query, clock.nowMs() + ALONE_MS);
  }

  return async (planned, options) => {
    const queries = [...Map.groupBy(planned.needs, equalKey)].map(([name, needs]) => ({ name, needs }));
    const union = unionOf(planned);
    const [only] = planned.needs;
    if (!union || !only || queries.length === 1) {
      const answer = toStored(await pollNames(planned, options));
      return { answer: only ? withRenamedUsers(only, answer) : answer, polls: pollsOf(planned, answer) };
    }

    const together: StoredPollResult[] = [];
    const apart: StoredPollResult[] = [];
    const alone = new Map<string, Poll>();
    let splits = 0;

    /** Polls a query; true if some of its names are refused, or if the platform knows one of its users by another name. */
    async function pollAlone({ needs }: SharedQuery): Promise<boolean> {
      const [need] = needs;
      if (!need) return false;
      const { answer, result } = await pollNames(mergedQuery(need, [need]), options).then(
        (read) => {
          const answer = toStored(read);
          return { answer, result: pollOf(need, answer) };
        },
        (error: unknown) => {
          if (!isRefusal(error)) throw error;
          return { answer: failedAnswer(need, error), result: failureOf(error) };
        },
      );
      apart.push(withRenamedUsers(need, answer));
      for (const { rule } of needs) alone.set(rule, result);
      return 'failure' in result || hasRefusals(answer) || hasOtherUsers(needs, answer);
    }

    /** Polls queries; false if they must be polled in halves, because the users of some queries have other names in the answer. */
    async function pollTogether(some: readonly SharedQuery[]): Promise<boolean> {
      const needs = some.flatMap((query) => query.needs);
      const answer = toStored(await poll(mergedQuery(planned, needs), options));
      const byAddress = some.filter((query) => query.needs.slice(0, 1).some((need) => lacksAddresses(need, answer)));
      if (byAddress.length === 0 && splits < MOST_SPLITS && hasOtherUsers(needs, answer)) return false;
      together.push(answer);
      for (const query of byAddress) {
        pollAloneFromNow(query.name);
        await pollAlone(query);
      }
      return true;
    }

    async function pollInHalves(some: readonly SharedQuery[]): Promise<void> {
      const [first, ...others] = some;
      if (!first) return;
      if (others.length === 0) {
        if ((await pollAlone(first)) && splits > 0) pollAloneFromNow(first.name);
        return;
      }
      const isPolled = await pollTogether(some).catch((error: unknown) => {
        if (!isRefusal(error) || splits === MOST_SPLITS) throw error;
        return false;
      });
      if (isPolled) return;
      splits += 1;
      const middle = Math.ceil(some.length / 2);
      await pollInHalves(some.slice(0, middle));
      await pollInHalves(some.slice(middle));
    }

    const isAlone = ({ name }: SharedQuery): boolean => (aloneUntilMs.get(name) ?? 0) > clock.nowMs();
    await pollInHalves(queries.filter((query) => !isAlone(query)));
    for (const query of queries.filter(isAlone)) await pollAlone(query);
    const polls = pollsOf(planned, joinAnswers(together, union));
    return { answer: joinAnswers([...together, ...apart], union), polls: new Map([...polls, ...alone]) };
  };
}

/** The result for a query that the platform refused. */
function failedAnswer(need: Need, { message, fault }: PlatformError): StoredPollResult {
  const union = unionOf(need);
  const values = union ? namesIn(need.params, union) : [];
  return { items: [], approximate: false, partialErrors: [{ message, fault, values }] };
}
