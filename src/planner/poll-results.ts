import type { Item, Poll } from '#src/rules/poll.ts';
import type { PollResult, Need, PlannedPoll, StoredPollResult } from './query.ts';
import { namesIn, unionOf } from './plan.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Splits the result of a planned poll into the polls of its rules. */
export function pollsOf(planned: PlannedPoll, { items, approximate, partialErrors, more }: StoredPollResult): ReadonlyMap<string, Poll> {
  const union = unionOf(planned);
  const whole: Poll = { items, complete: !approximate && partialErrors.length === 0, more };
  if (!union) return new Map(planned.needs.map(({ rule }) => [rule, whole]));

  const positions = new Map<string, number[]>();
  for (const [position, item] of items.entries())
    for (const name of union.namesOf(item)) positions.set(name, [...(positions.get(name) ?? []), position]);
  const asksFor = new Set(planned.needs.flatMap(({ params }) => namesIn(params, union)));
  // A failed part without names may affect any name.
  const isWhole = !approximate && partialErrors.every(({ values }) => values.some((value) => asksFor.has(value.toLowerCase())));
  const lost = new Map(partialErrors.flatMap(({ values, message }) => values.map((value) => [value.toLowerCase(), message])));

  function pollOf({ params }: Need): Poll {
    if (!union) return whole;
    const asked = namesIn(params, union);
    const failure = asked.map((name) => lost.get(name)).find((message) => message !== undefined);
    if (failure !== undefined) return { failure };
    const there = new Set(asked.flatMap((name) => positions.get(name) ?? []));
    const found = [...there].toSorted((a, b) => a - b).flatMap((position): readonly Item[] => (items[position] ? [items[position]] : []));
    const one = params[union.parameter];
    // The platform would have answered a query for this name alone with an error.
    if (typeof one === 'string' && found.length === 0) return { failure: `missing: there is no ${one}`, fault: 'missing' };
    return { items: found, complete: isWhole, more };
  }
  return new Map(planned.needs.map((need) => [need.rule, pollOf(need)]));
}

/** Merges the polls of several accounts. One failure fails the merged poll. Each item gets its `account`. */
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

/** The JSON form of a result. */
export function toStored({ items, approximate, partialErrors, more }: PollResult): StoredPollResult {
  return {
    items: items.map(toItem),
    approximate,
    partialErrors: partialErrors.map(({ message, values }) => ({ message, values })),
    more,
  };
}

/** The JSON form of a record. */
export function toItem(record: unknown): Item {
  return JSON.parse(JSON.stringify(record)) as Item; // records are plain objects of JSON values and dates
}

/** Receives the poll of a rule. The planner starts no further poll in its place until it resolves. It does not reject. */
export type OnPoll = (rule: string, poll: Poll) => Promise<void>;

/** Calls `onPoll` for a rule when the polls of all its accounts are complete. */
export function collectPolls(
  rules: readonly Rule[],
  onPoll: OnPoll,
): (rule: string, part: { account: string; poll: Poll }) => Promise<void> {
  const shared = new Map(
    rules.flatMap(({ id, watched }) =>
      watched && watched.accounts.length > 1 ? [[id, { accounts: watched.accounts, polls: new Map<string, Poll>() }] as const] : [],
    ),
  );
  return async (rule, { account, poll }) => {
    const parts = shared.get(rule);
    if (!parts) return onPoll(rule, poll);
    const { accounts, polls } = parts;
    polls.set(account, poll);
    if (polls.size < accounts.length) return;
    shared.delete(rule);
    const ordered = accounts.flatMap((name) => {
      const part = polls.get(name);
      return part ? [{ account: name, poll: part }] : [];
    });
    await onPoll(rule, mergePolls(ordered));
  };
}
