import type { Accounts } from './accounts.ts';
import { PRIORITIES, priorityRank, type Priority } from './priority.ts';
import { requestLoad } from './request-load.ts';
import type { Rule } from './rule.ts';

/** The requests per minute of an account whose limit is unknown. */
export const LIKELY_BUDGET = 600;

/** The part of a rate limit that polls use. The rest is for posts, look-ups and notifications through the same account. */
const POLLS_PART = 0.8;

/** The rate at which polls take the points of an account. */
export interface PollRate {
  readonly perSecond: number;
  /** The points that may be taken at once. */
  readonly burst: number;
}

/** The part of a rate limit a minute that polls may take at once. With {@link POLLS_PART}, no minute has more polls than the limit. */
const BURST_PART = 0.2;

/** The rate of the polls of an account; undefined if its limit is unknown. */
export function pollRateOf(accounts: Accounts, account: string): PollRate | undefined {
  const known = Object.values(accounts).find(({ requestsPerMinute }) => requestsPerMinute?.[account] !== undefined);
  const perMinute = known?.requestsPerMinute?.[account];
  if (perMinute === undefined) return undefined;
  return { perSecond: (perMinute * POLLS_PART) / 60, burst: known?.requestBurst?.[account] ?? Math.max(1, perMinute * BURST_PART) };
}

/** How an account serves the polls of rules, by their priority. */
export interface PollBudget {
  readonly client: string;
  readonly account: string;
  /** The requests of all rules. */
  readonly perMinute: number;
  /** The requests that polls may take. */
  readonly allowed: number;
  /** By priority: how many times longer than its interval a rule waits for its polls on the average. At least 1. */
  readonly factors: Readonly<Record<Priority, number>>;
}

/** The budgets of accounts whose rate limit does not allow all polls in time. */
export function shortBudgets(rules: readonly Rule[], accounts: Accounts): readonly PollBudget[] {
  const loads = requestLoad(rules, accounts).filter(({ client, account, perMinute }) => perMinute > allowedBy(accounts, client, account));
  if (loads.length === 0) return [];
  const upTo = PRIORITIES.map((_, rank) =>
    requestLoad(
      rules.filter((rule) => priorityRank(rule) <= rank),
      accounts,
    ),
  );
  return loads.map(({ client, account, perMinute }) => {
    const allowed = allowedBy(accounts, client, account);
    const needs = upTo.map((some) => some.find((load) => load.client === client && load.account === account)?.perMinute ?? 0);
    const factors = Object.fromEntries(
      PRIORITIES.map((priority, rank) => {
        const before = needs[rank - 1] ?? 0;
        const left = Math.max(0, allowed - before);
        const need = (needs[rank] ?? 0) - before;
        return [priority, need <= left ? 1 : Math.min(MOST_TIMES, left === 0 ? MOST_TIMES : need / left)];
      }),
    ) as Record<Priority, number>; // one entry for each priority
    return { client, account, perMinute, allowed, factors };
  });
}

/** Rules without a rest of the budget are polled too: see `AGING_MS` of the pace of polls. */
const MOST_TIMES = 100;

/** The requests per minute that polls through an account may take. */
function allowedBy(accounts: Accounts, client: string, account: string): number {
  return (accounts[client]?.requestsPerMinute?.[account] ?? LIKELY_BUDGET) * POLLS_PART;
}
