import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredPollResult, Need } from './query.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { joinFor, pollsOf } from './poll-results.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import { queriesOf, mergeKey } from './merge-queries.ts';

/** The result of a query at a slot. */
export interface RecordedResult {
  readonly slotMs: number;
  readonly params: JsonObject;
  readonly answer: StoredPollResult;
}

/** The results of the last days, by the name that `mergeKey` gives a query. */
export interface RecordedPolls {
  /**
   * Takes a result to store it, perhaps later. Resolves with true if results were stored since the last call; rejects if some could not be
   * stored.
   */
  record(query: string, recorded: RecordedResult): Promise<boolean>;
  /** Yields the stored results of a query, oldest first. */
  read(query: string, sinceMs: number): AsyncIterable<RecordedResult>;
}

/** If no poll contains a name for this long, no rule has the name. A shorter gap only means that no rule with the name was due. */
const STILL_ASKED_MS = 24 * 3_600_000;

/** The poll that a rule would have received at a slot. */
export interface RecordedPoll {
  readonly slotMs: number;
  readonly poll: Poll;
  /** Names of the rule that were in no query at that slot. The poll has no information about them. */
  readonly missingNames: readonly string[];
}

/**
 * Yields the polls that a rule, in its present version, would have received, oldest first.
 *
 * A query that was never sent yields nothing. With several accounts, only instants at which all of them were polled count. In a shared
 * query, only instants at which it served this rule count. If `lacks` shrinks, a rule began to ask for a name.
 */
export async function* recordedPollsOf(
  rule: Rule,
  recorded: Pick<RecordedPolls, 'read'>,
  sinceMs: number,
): AsyncGenerator<RecordedPoll, void> {
  const needs = queriesOf(rule);
  const join = joinFor(rule, needs);
  const isForOthers = needs.map(othersDetector);
  const pollAt = (answers: readonly (RecordedResult | undefined)[]): RecordedPoll => {
    const parts = answers.flatMap((answer, index) => (answer && needs[index] ? [{ need: needs[index], answer }] : []));
    return {
      slotMs: Math.max(...parts.map(({ answer }) => answer.slotMs)),
      poll: join(parts.map(({ need, answer }) => ({ account: need.account, poll: pollOf(need, answer) }))),
      missingNames: [...new Set(parts.flatMap(({ need, answer }) => missingNamesOf(need, answer)))],
    };
  };
  const iterators = needs.map((need) => bySlot(recorded.read(mergeKey(need), sinceMs)));
  try {
    for (let answers = await nextOf(iterators); answers; answers = await nextOf(iterators)) {
      const some = answers.map((all, index) => all.filter((answer) => !isForOthers[index]?.(answer)));
      if (some.some((results) => results.length === 0)) continue;
      const attempts = Array.from({ length: Math.max(...some.map(({ length }) => length)) }, (_, attempt) =>
        pollAt(some.map((results) => results[attempt] ?? results.at(-1))),
      );
      // A failed poll is repeated for the same slot, and the first good one counts.
      const counting = attempts.find(({ poll }) => !('failure' in poll)) ?? attempts.at(-1);
      if (counting) yield counting;
    }
  } finally {
    for (const iterator of iterators) await iterator.return?.();
  }
}

/**
 * Creates a test for results of a shared query that served other rules only: one of the names was asked for recently, but not in this
 * result.
 */
function othersDetector(need: Need): (answer: RecordedResult) => boolean {
  const union = unionOf(need);
  const lastMs = new Map<string, number>();
  return (answer) => {
    if (!union) return false;
    const { slotMs } = answer;
    const names = namesIn(need.params, union);
    const lacked = new Set(missingNamesOf(need, answer));
    for (const name of names) if (!lacked.has(name)) lastMs.set(name, slotMs);
    return lacked.size === names.length || [...lacked].some((name) => slotMs - (lastMs.get(name) ?? -Infinity) < STILL_ASKED_MS);
  };
}

/** The results of one query at a slot, in the order of their requests. */
type SlotResults = readonly [RecordedResult, ...RecordedResult[]];

async function* bySlot(results: AsyncIterable<RecordedResult>): AsyncGenerator<SlotResults, void> {
  let group: [RecordedResult, ...RecordedResult[]] | undefined;
  for await (const result of results) {
    if (group && group[0].slotMs === result.slotMs) group.push(result);
    else {
      if (group) yield group;
      group = [result];
    }
  }
  if (group) yield group;
}

/** The next results with the same slot, by query; undefined if one query has no more. */
async function nextOf(iterators: readonly AsyncIterator<SlotResults>[]): Promise<readonly SlotResults[] | undefined> {
  const answers: SlotResults[] = [];
  for (let latestMs = -Infinity; ;) {
    for (const [index, iterator] of iterators.entries()) {
      while (!answers[index] || answers[index][0].slotMs < latestMs) {
        const { value, done } = await iterator.next();
        if (done) return undefined;
        answers[index] = value;
      }
      latestMs = Math.max(latestMs, answers[index][0].slotMs);
    }
    if (answers.every(([{ slotMs }]) => slotMs === latestMs)) return answers.length > 0 ? answers : undefined;
  }
}

function pollOf(need: Need, { params, answer }: RecordedResult): Poll {
  const { verb, account, rule } = need;
  const lacked = new Set(missingNamesOf(need, { params }));
  const union = unionOf(need);
  // A result without a name does not mean that the name is unknown on the platform.
  const asked = union && lacked.size > 0 ? { ...need, params: { ...need.params, [union.parameter]: known(need, lacked) } } : need;
  return pollsOf({ verb, account, params, needs: [asked] }, answer).get(rule) ?? { failure: 'nothing was recorded' };
}

function known(need: Need, lacked: ReadonlySet<string>): readonly string[] {
  const union = unionOf(need);
  return union ? namesIn(need.params, union).filter((name) => !lacked.has(name)) : [];
}

function missingNamesOf(need: Need, { params }: Pick<RecordedResult, 'params'>): readonly string[] {
  const union = unionOf(need);
  if (!union) return [];
  const asked = new Set(namesIn(params, union));
  return namesIn(need.params, union).filter((name) => !asked.has(name));
}
