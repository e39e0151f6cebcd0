import type { Item, Poll } from '#src/rules/poll.ts';
import type { Answer, Need, PlannedPoll, WrittenAnswer } from './query.ts';
import { namesIn, unionOf } from './union.ts';

/** What the answer to a planned poll says to each of its rules: what it asked for, or a failure. */
export function pollsOf(planned: PlannedPoll, { items, approximate, partialErrors, more }: WrittenAnswer): ReadonlyMap<string, Poll> {
  const union = unionOf(planned);
  const whole: Poll = { items, complete: !approximate && partialErrors.length === 0, more };
  if (!union) return new Map(planned.needs.map(({ rule }) => [rule, whole]));

  const places = new Map<string, number[]>();
  for (const [place, item] of items.entries())
    for (const name of union.namesOf(item)) places.set(name, [...(places.get(name) ?? []), place]);
  const asksFor = new Set(planned.needs.flatMap(({ params }) => namesIn(params, union)));
  // A part that concerns none of the names may concern any of them.
  const isWhole = !approximate && partialErrors.every(({ values }) => values.some((value) => asksFor.has(value.toLowerCase())));
  const lost = new Map(partialErrors.flatMap(({ values, message }) => values.map((value) => [value.toLowerCase(), message])));

  function pollOf({ params }: Need): Poll {
    if (!union) return whole;
    const asked = namesIn(params, union);
    const failure = asked.map((name) => lost.get(name)).find((message) => message !== undefined);
    if (failure !== undefined) return { failure };
    const there = new Set(asked.flatMap((name) => places.get(name) ?? []));
    const found = [...there].toSorted((a, b) => a - b).flatMap((place): readonly Item[] => (items[place] ? [items[place]] : []));
    const one = params[union.parameter];
    // Asked for alone the platform would have said so.
    if (typeof one === 'string' && found.length === 0) return { failure: `missing: there is no ${one}`, fault: 'missing' };
    return { items: found, complete: isWhole, more };
  }
  return new Map(planned.needs.map((need) => [need.rule, pollOf(need)]));
}

/** What polls through several accounts say together: all of it or, where one of them failed, nothing. Each item says its `account`. */
export function mergePolls(polls: readonly { readonly account: string; readonly poll: Poll }[]): Poll {
  const [only, ...others] = polls;
  if (only && others.length === 0) return only.poll;
  const read: Exclude<Poll, { readonly failure: string }>[] = [];
  for (const { account, poll } of polls) {
    if ('failure' in poll) return { ...poll, failure: `${account}: ${poll.failure}` };
    read.push({ ...poll, items: poll.items.map((item) => ({ ...item, account })) });
  }
  return {
    items: read.flatMap(({ items }) => items),
    complete: read.every(({ complete }) => complete),
    more: read.some(({ more }) => more === true),
  };
}

/** An answer, written down. */
export function writeDown({ items, approximate, partialErrors, more }: Answer): WrittenAnswer {
  return {
    items: items.map(toItem),
    approximate,
    partialErrors: partialErrors.map(({ message, values }) => ({ message, values })),
    more,
  };
}

/** A record, written down. */
export function toItem(record: unknown): Item {
  return JSON.parse(JSON.stringify(record)) as Item; // records are plain objects of JSON values and dates
}
