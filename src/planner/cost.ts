import type { Rule } from '#src/rules/rule.ts';
import { needOf } from './planner.ts';
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
  const need = [needOf(rule)].flat()[0];
  if (!need) return { requestsPerMinute: 0, sharedWith: [] };
  const name = sharedName(need);
  const others = all.filter((other) => other.id !== rule.id).flatMap(needOf);
  return {
    requestsPerMinute: requestsOf(need) * runsPerMinute,
    sharedWith: others.filter((other) => sharedName(other) === name).map((other) => other.rule),
  };
}

function requestsOf(need: Need): number {
  const union = unionOf(need);
  if (union) return Math.max(1, Math.ceil(namesIn(need.params, union).length / NAMES_A_REQUEST));
  const { pages } = need.params;
  return typeof pages === 'number' ? pages : 1;
}
