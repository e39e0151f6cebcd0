import type { RoundOptions } from '#src/clients/operation/call.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { unionOf } from '#src/rules/named-users.ts';
import { namesPerRequestOf, requestCount, requestPrice, sharedRequests } from '#src/rules/request-estimates.ts';
import { mergeQueries } from './merge-queries.ts';
import type { PollPace } from './poll-pace.ts';
import { joinAnswers, toStored } from './poll-results.ts';
import type { Need, PlannedPoll, PollOptions, PollResult, Query, StoredPollResult } from './query.ts';
import { PART_REQUESTS, splitByPriority, splitNames } from './split-polls.ts';

/** How polls share the rate limits of their accounts. */
export interface PacedPolls {
  readonly pace: Pick<PollPace, 'isShort' | 'enter' | 'waitOf'>;
  /** The merged polls for needs. If they cannot all begin at once, each has few requests and rules of one priority. */
  readonly plan: (needs: readonly Need[], rankOf: (rule: string) => number) => readonly PlannedPoll[];
  /** The share of the rate limit that a query takes. */
  readonly pointsOf: (query: Query) => number;
  /** The most names of a poll while points are short. */
  readonly mostNames: (query: Query) => number;
}

/** Creates the view of the rate limits of `accounts`. */
export function createPacedPolls(pace: PacedPolls['pace'], accounts: Accounts): PacedPolls {
  const pointsOf = (query: Query): number => {
    const { verb, account, params } = query;
    const [shared, price] = [sharedRequests(verb, params), requestPrice(verb, account, accounts)];
    // The adapter merges look-ups of one name each.
    const isLookup = shared.names.length > 0 && !unionOf(query);
    return isLookup ? (shared.names.length / namesPerRequestOf(price)) * (price.units ?? 1) : requestCount(shared, price);
  };
  const mostNames = ({ verb, account }: Query): number => PART_REQUESTS * namesPerRequestOf(requestPrice(verb, account, accounts));
  return {
    pace,
    pointsOf,
    mostNames,
    plan(needs, rankOf) {
      const byAccount = [...Map.groupBy(needs, ({ account }) => account)];
      return byAccount.flatMap(([account, some]) => {
        const merged = mergeQueries(some);
        const [first] = some;
        const points = merged.reduce((sum, planned) => sum + pointsOf(planned), 0);
        return first && pace.isShort(account, points) ? splitByPriority(some, { rankOf, mostNames: mostNames(first) }) : merged;
      });
    },
  };
}

/** Sends queries when the rate limit has room for them. A query of many requests is sent in parts. */
export function pacedPolls(
  { pace, pointsOf, mostNames }: PacedPolls,
  poll: (query: Query, options: RoundOptions) => Promise<PollResult>,
): (query: Query, options: PollOptions) => Promise<PollResult> {
  return async (query, { rank = 0, rules = [], sinceMs, ...options }) => {
    const { account } = query;
    const union = unionOf(query);
    const parts = union && pace.isShort(account, pointsOf(query)) ? splitNames(query, mostNames(query)) : [query];
    const answers: StoredPollResult[] = [];
    for (const part of parts) {
      await pace.enter({ account, points: pointsOf(part), rank, rules, sinceMs }, options.signal);
      const answer = await poll(part, options);
      if (!union || parts.length === 1) return answer;
      answers.push(toStored(answer));
    }
    return union ? joinAnswers(answers, union) : { items: [], approximate: false, partialErrors: [] };
  };
}
