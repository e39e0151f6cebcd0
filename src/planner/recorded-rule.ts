import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { mergePolls, pollsOf } from './answers.ts';
import { needsOf } from './planner.ts';
import type { Need } from './query.ts';
import type { RecordedAnswer, RecordedPolls } from './recorded-polls.ts';
import { namesIn, sharedName, unionOf } from './union.ts';

/** A name that nobody asked for in this time was taken out of all rules; until then it is only not its turn. */
const STILL_ASKED_MS = 24 * 3_600_000;

/** What a rule would have read at a slot. */
export interface RecordedPoll {
  readonly slotMs: number;
  readonly poll: Poll;
  /** Names that it asks for and that nobody asked for then: the poll says nothing of them. */
  readonly lacks: readonly string[];
}

/**
 * What a rule, as it is now, would have read at each instant at which what it watches was read, the oldest first.
 *
 * Nothing comes of a query that was never asked. Where there are several accounts, an instant counts at which all of them were read;
 * and where a query was shared, one at which it was asked for this rule, too. Where `lacks` becomes less, a name was asked for anew.
 */
export async function* recordedPollsOf(rule: Rule, recorded: RecordedPolls, sinceMs: number): AsyncGenerator<RecordedPoll, void> {
  const needs = needsOf(rule);
  const isForOthers = needs.map(tellForOthers);
  const iterators = needs.map((need) => recorded.read(sharedName(need), sinceMs)[Symbol.asyncIterator]());
  try {
    for (let answers = await nextOf(iterators); answers; answers = await nextOf(iterators)) {
      const parts = answers.flatMap((answer, index) => (needs[index] ? [{ need: needs[index], answer }] : []));
      const [first] = parts;
      const skipped = answers.filter((answer, index) => isForOthers[index]?.(answer));
      if (!first || skipped.length > 0) continue;
      yield {
        slotMs: first.answer.slotMs,
        poll: mergePolls(parts.map(({ need, answer }) => ({ account: need.account, poll: pollOf(need, answer) }))),
        lacks: [...new Set(parts.flatMap(({ need, answer }) => lackedBy(need, answer)))],
      };
    }
  } finally {
    for (const iterator of iterators) await iterator.return?.();
  }
}

/** Tells answers to a shared query that was asked for other rules only: one of its names was asked for not long ago, and not now. */
function tellForOthers(need: Need): (answer: RecordedAnswer) => boolean {
  const union = unionOf(need);
  const lastMs = new Map<string, number>();
  return (answer) => {
    if (!union) return false;
    const { slotMs } = answer;
    const names = namesIn(need.params, union);
    const lacked = new Set(lackedBy(need, answer));
    for (const name of names) if (!lacked.has(name)) lastMs.set(name, slotMs);
    return lacked.size === names.length || [...lacked].some((name) => slotMs - (lastMs.get(name) ?? -Infinity) < STILL_ASKED_MS);
  };
}

/** The next answers of the same slot, one of each; undefined where one has no more. */
async function nextOf(iterators: readonly AsyncIterator<RecordedAnswer>[]): Promise<readonly RecordedAnswer[] | undefined> {
  const answers: RecordedAnswer[] = [];
  for (let latestMs = -Infinity; ;) {
    for (const [index, iterator] of iterators.entries()) {
      while (!answers[index] || answers[index].slotMs < latestMs) {
        const { value, done } = await iterator.next();
        if (done) return undefined;
        answers[index] = value;
      }
      latestMs = Math.max(latestMs, answers[index].slotMs);
    }
    if (answers.every(({ slotMs }) => slotMs === latestMs)) return answers.length > 0 ? answers : undefined;
  }
}

function pollOf(need: Need, { params, answer }: RecordedAnswer): Poll {
  const { verb, account, rule } = need;
  const lacked = new Set(lackedBy(need, { params }));
  const union = unionOf(need);
  // Of a name that nobody asked for it cannot be said that there is no such one.
  const asked = union && lacked.size > 0 ? { ...need, params: { ...need.params, [union.parameter]: known(need, lacked) } } : need;
  return pollsOf({ verb, account, params, needs: [asked] }, answer).get(rule) ?? { failure: 'nothing was recorded' };
}

function known(need: Need, lacked: ReadonlySet<string>): readonly string[] {
  const union = unionOf(need);
  return union ? namesIn(need.params, union).filter((name) => !lacked.has(name)) : [];
}

function lackedBy(need: Need, { params }: Pick<RecordedAnswer, 'params'>): readonly string[] {
  const union = unionOf(need);
  if (!union) return [];
  const asked = new Set(namesIn(params, union));
  return namesIn(need.params, union).filter((name) => !asked.has(name));
}
