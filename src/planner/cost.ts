import type { Rule } from '#src/rules/rule.ts';
import type { Need } from './query.ts';
import { needsOf, namesIn, sharedName, unionOf } from './plan.ts';

// The largest number of names in one request.
const NAMES_A_REQUEST = 100;

/** The cost of polling for a rule. */
export interface Cost {
  /** Requests per minute, if no other rule shared the polls. */
  readonly requestsPerMinute: number;
  /** The rules that share polls with this one if they are due together. */
  readonly sharedWith: readonly string[];
}

/** The cost of `rule` among `all` rules, at `runsPerMinute`. */
export function costOf(rule: Rule, { all, runsPerMinute }: { readonly all: readonly Rule[]; readonly runsPerMinute: number }): Cost {
  const needs = needsOf(rule);
  const names = new Set(needs.map(sharedName));
  const others = all.filter(({ id }) => id !== rule.id).filter((other) => needsOf(other).some((need) => names.has(sharedName(need))));
  return {
    requestsPerMinute: needs.reduce((sum, need) => sum + requestsOf(need), 0) * runsPerMinute,
    sharedWith: others.map(({ id }) => id),
  };
}

function requestsOf(need: Need): number {
  const union = unionOf(need);
  if (union) return Math.max(1, Math.ceil(namesIn(need.params, union).length / NAMES_A_REQUEST));
  const { pages } = need.params;
  return typeof pages === 'number' ? pages : 1;
}
