import type { Need, PlannedPoll } from './query.ts';
import { namesIn, sharedName, unionOf, unitedParams } from './union.ts';

/** The fewest polls that answer all needs: equal queries once, lists of names united. */
export function planPolls(needs: readonly Need[]): readonly PlannedPoll[] {
  const groups = Map.groupBy(needs, sharedName);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (!first) throw new Error('a group of needs is never empty');
    const { verb, account, params } = first;
    const union = unionOf(first);
    if (!union) return { verb, account, params, needs: group };
    const names = [...new Set(group.flatMap((need) => namesIn(need.params, union)))];
    return { verb, account, params: unitedParams(params, union, names), needs: group };
  });
}
