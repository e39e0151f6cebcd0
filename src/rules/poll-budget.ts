import type { Accounts } from './accounts.ts';
import { PRIORITIES, priorityRank, type Priority } from './priority.ts';
import { requestLoad } from './request-load.ts';
import type { Rule } from './rule.ts';

/** The requests per minute of an account whose limit is unknown. */
export const LIKELY_BUDGET = 600;

/** The part of a rate limit that polls use. The rest is for posts, look-ups and notifications through the same account. */
const POLLS_PART = 0.8;

/** After this wait, a poll goes before those of higher priority, so that none waits forever. */
export const AGING_MS = 10 * 60_000;

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
  /** The average time between two polls of a rule with this interval and priority, in milliseconds. */
  readonly intervalMs: (everyMs: number, priority: Priority) => number;
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
    function intervalMs(everyMs: number, priority: Priority): number {
      const rank = PRIORITIES.indexOf(priority);
      const before = needs[rank - 1] ?? 0;
      const left = Math.max(0, allowed - before);
      const need = (needs[rank] ?? 0) - before;
      if (need <= left) return everyMs;
      // After the longest wait, the polls of this priority go first, and take the whole rate.
      const agedMs = Math.max(everyMs, AGING_MS) + (everyMs * need) / allowed;
      return Math.round(Math.min(left === 0 ? Infinity : (everyMs * need) / left, agedMs) / 1_000) * 1_000;
    }
    return { client, account, perMinute, allowed, intervalMs };
  });
}

/** The requests per minute that polls through an account may take. */
function allowedBy(accounts: Accounts, client: string, account: string): number {
  return (accounts[client]?.requestsPerMinute?.[account] ?? LIKELY_BUDGET) * POLLS_PART;
}
