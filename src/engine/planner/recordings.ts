import { setImmediate as nextLoop } from 'node:timers/promises';
import { namesIn, unionOf, type Union } from '#src/rules/named-users.ts';
import { mergedQuery, mergeKey } from './merge-queries.ts';
import { joinAnswers } from './poll-results.ts';
import type { PlannedPoll, StoredPollResult } from './query.ts';
import type { RecordedResult } from './recorded-polls.ts';

interface ReadResult {
  readonly slotMs: number;
  readonly answer: StoredPollResult;
  /** The ends of the work that the result began. */
  readonly ends: readonly Promise<void>[];
}

interface ReadPart extends ReadResult {
  readonly planned: PlannedPoll;
}

/** Records the results of planned polls. */
export interface Recordings {
  /** Ends a planned poll; `result`: absent if there is nothing to record. */
  end(planned: PlannedPoll, result?: ReadResult): void;
}

/** Creates the recordings of the polls of one read. A query that is sent in parts has one recording, because a later reader finds one at each slot. */
export function createRecordings(polls: readonly PlannedPoll[], record: (query: string, result: RecordedResult) => void): Recordings {
  const open = new Map<string, { left: number; readonly parts: ReadPart[] }>();
  for (const planned of polls) {
    const query = mergeKey(planned);
    const group = open.get(query) ?? { left: 0, parts: [] };
    group.left++;
    open.set(query, group);
  }

  return {
    end(planned, result) {
      const query = mergeKey(planned);
      const group = open.get(query);
      if (!group) return;
      group.left--;
      if (result) group.parts.push({ ...result, planned });
      if (group.left > 0) return;
      open.delete(query);
      const whole = joinParts(group.parts);
      if (!whole) return;
      const ends = group.parts.flatMap((part) => part.ends);
      if (ends.length === 0) record(query, whole);
      // The text of a result takes about as long as its evaluation, so the requests that follow the commits go first.
      else
        void Promise.allSettled(ends)
          .then(() => nextLoop())
          .then(() => record(query, whole));
    },
  };
}

function joinParts(parts: readonly ReadPart[]): RecordedResult | undefined {
  const [first, ...others] = parts;
  if (!first) return undefined;
  const { planned, slotMs, answer } = first;
  const union = unionOf(planned);
  if (!union || others.length === 0) return { slotMs, params: planned.params, answer };
  return {
    slotMs: Math.max(...parts.map((part) => part.slotMs)),
    params: mergedQuery(
      planned,
      parts.flatMap((part) => part.planned.needs),
    ).params,
    answer: parts.every((part) => part.answer.failed)
      ? answer
      : joinAnswers(
          parts.map((part) => withFailedNames(part, union)),
          union,
        ),
  };
}

/** The answer of a part. Its failure becomes one of its names, because other parts were read. */
function withFailedNames({ planned: { params }, answer: { failed, ...answer } }: ReadPart, union: Union): StoredPollResult {
  return failed ? { ...answer, approximate: false, partialErrors: [{ ...failed, values: namesIn(params, union) }] } : answer;
}
