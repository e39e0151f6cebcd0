import type { Item, Poll } from '#src/rules/poll.ts';
import type { Answer, Need, PlannedPoll } from './query.ts';
import { namesIn, unionOf } from './union.ts';

/** What the answer to a planned poll says to each of its rules: what it asked for, or a failure. */
export function pollsOf(planned: PlannedPoll, answer: Answer): ReadonlyMap<string, Poll> {
  const items = answer.items.map(toItem);
  const union = unionOf(planned);
  const whole: Poll = { items, complete: !answer.approximate && answer.partialErrors.length === 0 };
  if (!union) return new Map(planned.needs.map(({ rule }) => [rule, whole]));

  const named = items.map((item) => ({ item, names: union.namesOf(item) }));
  const lost = new Map(answer.partialErrors.flatMap(({ values, message }) => values.map((value) => [value.toLowerCase(), message])));

  function pollOf({ params }: Need): Poll {
    if (!union) return whole;
    const asked = new Set(namesIn(params, union));
    const failure = [...asked].map((name) => lost.get(name)).find((message) => message !== undefined);
    if (failure !== undefined) return { failure };
    return {
      items: named.filter(({ names }) => names.some((name) => asked.has(name))).map(({ item }) => item),
      complete: !answer.approximate,
    };
  }
  return new Map(planned.needs.map((need) => [need.rule, pollOf(need)]));
}

/** A record, written down. */
export function toItem(record: unknown): Item {
  return JSON.parse(JSON.stringify(record)) as Item; // records are plain objects of JSON values and dates
}
