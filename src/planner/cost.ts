import type { Rule } from '#src/rules/rule.ts';
import { requestCount, sharedRequests } from '#src/rules/shared-requests.ts';
import { needsOf } from './plan.ts';
import type { Need } from './query.ts';

/** The cost of polling for a rule. */
export interface Cost {
  /** Requests per minute, if no other rule shared the polls. */
  readonly requestsPerMinute: number;
  /** The rules that share requests with this one if they are due together. */
  readonly sharedWith: readonly string[];
}

/** The cost of `rule` among `all` rules, at `runsPerMinute`. */
export function costOf(rule: Rule, { all, runsPerMinute }: { readonly all: readonly Rule[]; readonly runsPerMinute: number }): Cost {
  const needs = needsOf(rule);
  const keys = new Set(needs.map(keyOf));
  const others = all.filter(({ id }) => id !== rule.id).filter((other) => needsOf(other).some((need) => keys.has(keyOf(need))));
  return {
    requestsPerMinute: needs.reduce((sum, need) => sum + requestsOf(need), 0) * runsPerMinute,
    sharedWith: others.map(({ id }) => id),
  };
}

function requestsOf({ verb, params }: Need): number {
  return requestCount(sharedRequests(verb, params));
}

function keyOf({ verb, account, params }: Need): string {
  return `${account} ${sharedRequests(verb, params).key}`;
}
