import type { Rule } from '#src/rules/rule.ts';
import { needsOf } from './planner.ts';
import type { Need } from './query.ts';
import { namesIn, sharedName, unionOf } from './union.ts';

// The most names that one request of a platform takes.
const NAMES_A_REQUEST = 100;

/** What a rule's polls cost. */
export interface Cost {
  /** Requests a minute, if nobody shared them. */
  readonly requestsPerMinute: number;
  /** Rules whose polls go out as one with its own, where they are due together. */
  readonly sharedWith: readonly string[];
}

/** What `rule` costs among `all` rules, at so many runs a minute. */
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
