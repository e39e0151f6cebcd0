import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { namesIn, unionOf, writtenNamesIn } from '#src/rules/named-users.ts';
import { equalKey, mergeQueries } from './merge-queries.ts';
import type { Need, PlannedPoll, Query } from './query.ts';

/** The most requests of one poll while points are short, so that the first rules need not wait for the last ones. */
export const PART_REQUESTS = 10;

interface SplitOptions {
  /** The rank of the priority of a rule: 0 is the highest. */
  readonly rankOf: (rule: string) => number;
  /** The most names of a poll. */
  readonly mostNames: number;
}

/** Merges needs into polls of one priority and of few requests. Equal queries stay one, with the highest of their priorities. */
export function splitByPriority(needs: readonly Need[], { rankOf, mostNames }: SplitOptions): readonly PlannedPoll[] {
  const ranks = new Map<string, number>();
  const keyed = needs.map((need) => ({ need, key: equalKey(need) }));
  for (const { need, key } of keyed) ranks.set(key, Math.min(ranks.get(key) ?? Infinity, rankOf(need.rule)));
  const byRank = Map.groupBy(keyed, ({ key }) => ranks.get(key) ?? 0);
  return [...byRank]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, some]) => mergeQueries(some.map(({ need }) => need)).flatMap((planned) => partsOf(planned, mostNames)));
}

/** A poll in parts of whole queries. A query with more names is one part. */
function partsOf(planned: PlannedPoll, mostNames: number): readonly PlannedPoll[] {
  const union = unionOf(planned);
  if (!union || namesIn(planned.params, union).length <= mostNames) return [planned];
  const parts: Need[][] = [];
  let names = new Set<string>();
  for (const equal of Map.groupBy(planned.needs, ({ params }) => canonical(params)).values()) {
    const [{ params } = planned] = equal;
    const next = names.union(new Set(namesIn(params, union)));
    const part = parts.at(-1);
    if (part && next.size <= mostNames) {
      part.push(...equal);
      names = next;
    } else {
      parts.push([...equal]);
      names = new Set(namesIn(params, union));
    }
  }
  return parts.flatMap((needs) => mergeQueries(needs));
}

/** A query in parts of at most `mostNames` names. */
export function splitNames<Q extends Query>(query: Q, mostNames: number): readonly Q[] {
  const union = unionOf(query);
  const names = union ? writtenNamesIn(query.params, union) : [];
  if (!union || names.length <= mostNames) return [query];
  const count = Math.ceil(names.length / mostNames);
  return Array.from({ length: count }, (_, index) => {
    const params: JsonObject = { ...query.params, [union.parameter]: names.slice(index * mostNames, (index + 1) * mostNames) };
    return { ...query, params };
  });
}
