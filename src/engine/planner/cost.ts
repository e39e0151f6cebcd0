import type { Accounts } from '#src/rules/accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { requestCount, requestPrice, sharedRequests } from '#src/rules/request-estimates.ts';
import { queriesOf } from './merge-queries.ts';
import type { Need } from './query.ts';

/** The cost of polling for a rule. */
export interface Cost {
  /** Requests per minute, if no other rule shared the polls. */
  readonly requestsPerMinute: number;
  /** The rules that share requests with this one if they are due together. */
  readonly sharedWith: readonly string[];
}

interface CostOptions {
  readonly all: readonly Rule[];
  readonly runsPerMinute: number;
  readonly accounts?: Accounts | undefined;
}

/** The cost of `rule` among `all` rules, at `runsPerMinute`. Rules with lists have the entries of a poll. */
export function costOf(rule: Rule, { all, runsPerMinute, accounts = {} }: CostOptions): Cost {
  const needs = queriesOf(rule);
  const keys = new Set(needs.map(keyOf));
  const others = all.filter(({ id }) => id !== rule.id).filter((other) => queriesOf(other).some((need) => keys.has(keyOf(need))));
  return {
    requestsPerMinute: needs.reduce((sum, need) => sum + requestsOf(need, accounts), 0) * runsPerMinute,
    sharedWith: others.map(({ id }) => id),
  };
}

function requestsOf({ verb, account, params }: Need, accounts: Accounts): number {
  return requestCount(sharedRequests(verb, params), requestPrice(verb, account, accounts));
}

function keyOf({ verb, account, params }: Need): string {
  return `${account} ${sharedRequests(verb, params).key}`;
}
