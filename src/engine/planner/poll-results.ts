import type { BegunWork } from '#src/clients/operation/limiter.ts';
import type { Fault } from '#src/errors.ts';
import { canonical, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Item, PartError, Poll } from '#src/rules/poll.ts';
import type { PollResult, Need, PlannedPoll, Query, RenamedUsers, StoredPollResult } from './query.ts';
import { namesIn, namesOfUser, unionOf, type Union } from '#src/rules/named-users.ts';
import type { Rule } from '#src/rules/rule.ts';
import { inViewerOrder } from './viewer-order.ts';

/** Splits the result of a planned poll into the polls of its rules. */
export function pollsOf(planned: PlannedPoll, answer: StoredPollResult): ReadonlyMap<string, Poll> {
  const { items, approximate, partialErrors, more, renamed = [], failed } = answer;
  if (failed) return new Map(planned.needs.map(({ rule }) => [rule, failureOf(failed)]));
  const union = unionOf(planned);
  if (!union) return new Map(planned.needs.map(({ rule, account }) => [rule, wholePoll(answer, account)]));

  const users = usersIn(items, union);
  const planNames = new Set(namesIn(planned.params, union));
  const asksFor = new Set(planned.needs.flatMap(({ params }) => namesIn(params, union)));
  // A failed part without names may affect any name.
  const unnamed = partialErrors.filter(({ values }) => !values.some((value) => asksFor.has(value.toLowerCase())));
  const isWhole = !approximate && unnamed.length === 0;
  const lost = new Map(partialErrors.flatMap((error) => error.values.map((value) => [value.toLowerCase(), error])));

  function pollOfNeed({ params, account, isPartial = false }: Need): Poll {
    if (!union) return wholePoll(answer, account);
    const asked = namesIn(params, union);
    const unread = lost.size === 0 ? [] : asked.filter((name) => lost.has(name));
    const [failure] = unread.flatMap((name) => lost.get(name) ?? []);
    if (failure && !isPartial) return failureOf(failure);
    const isAlone = planNames.size === new Set(asked).size && asked.every((name) => planNames.has(name));
    const there = new Set([...asked, ...renamedAmong(asked, renamed)].flatMap((name) => users.find(name)));
    // The platform may know a user by a name that the record does not have, for example an address.
    const found = isAlone ? items : [...there].sort((a, b) => a - b).flatMap((position) => items.slice(position, position + 1));
    const one = params[union.parameter];
    // The platform would have answered a query for this name alone with an error.
    if (typeof one === 'string' && found.length === 0) return { failure: `missing: ${one} does not exist`, fault: 'missing' };
    const named = [...Map.groupBy(unread, (name) => lost.get(name))].flatMap(([error, names]) =>
      error ? [{ ...error, values: names }] : [],
    );
    return {
      items: found,
      complete: isWhole,
      more,
      ...errorsOf([...named, ...unnamed], account),
      ...(unread.length > 0 && { unread: [{ account, names: unread }] }),
    };
  }
  return new Map(planned.needs.map((need) => [need.rule, pollOfNeed(need)]));
}

/** The ids of the users that the platform found by these names only. */
function renamedAmong(asked: readonly string[], renamed: readonly RenamedUsers[]): readonly string[] {
  if (renamed.length === 0) return [];
  const known = new Set(asked);
  // Which of its names a user of a query had is unknown, so all of them count.
  return renamed.flatMap(({ names, users }) => (names.every((name) => known.has(name)) ? users : []));
}

/** The poll of a query that was sent unchanged. */
export function pollOf(need: Need, answer: StoredPollResult): Poll {
  return pollsOf({ ...need, needs: [need] }, answer).get(need.rule) ?? wholePoll(answer, need.account);
}

function wholePoll({ items, approximate, partialErrors, more }: StoredPollResult, account: string): Poll {
  return { items, complete: !approximate && partialErrors.length === 0, more, ...errorsOf(partialErrors, account) };
}

/** The errors of a poll through an account; no property without any. */
function errorsOf(partialErrors: PollResult['partialErrors'], account: string): { readonly errors?: readonly PartError[] } {
  if (partialErrors.length === 0) return {};
  return {
    errors: partialErrors.map((error) => ({ account, ...(error.values.length > 0 && { names: error.values }), ...failureOf(error) })),
  };
}

type FailedPoll = Extract<Poll, { readonly failure: string }>;

/** The failed poll for an error. */
export function failureOf({ message, fault }: { readonly message: string; readonly fault?: Fault | undefined }): FailedPoll {
  return fault === undefined ? { failure: message } : { failure: `${fault}: ${message}`, fault };
}

/** The items of a merged result by the names of their users. */
interface UsersByName {
  /** The positions of the items of a user. */
  find(name: string): readonly number[];
}

function usersIn(items: readonly Item[], { userOf, hasEvery, digitsAreHandles }: Union): UsersByName {
  const [byId, byHandle] = (['id', 'handle'] as const).map((key) => {
    const positions = new Map<string, number[]>();
    for (const [position, item] of items.entries()) {
      const user = userOf(item);
      const name = isJsonObject(user) ? user[key] : undefined;
      if (typeof name !== 'string') continue;
      const before = positions.get(name.toLowerCase());
      if (!before) positions.set(name.toLowerCase(), [position]);
      // Two names of a user give the same record twice.
      else if (!hasEvery) before.push(position);
    }
    return positions;
  });
  return {
    // Platforms read digits as an id first.
    find: (name) => byId?.get(name) ?? (digitsAreHandles || !/^\d+$/u.test(name) ? byHandle?.get(name) : undefined) ?? [],
  };
}

/** An address of a user, or a handle with its server. Records may have another name. */
const ADDRESS = /[/:@]/u;

/** Whether a merged result has no user for an address in a query. The platform may know the user by another name. */
export function lacksAddresses(need: Need, answer: StoredPollResult): boolean {
  const union = unionOf(need);
  if (!union?.hasEvery) return false;
  const users = usersIn(answer.items, union);
  const lost = lostNames(answer);
  return namesIn(need.params, union).some((name) => ADDRESS.test(name) && users.find(name).length === 0 && !lost.has(name));
}

/** The names that a result could not read, in lower case. */
function lostNames({ partialErrors }: StoredPollResult): ReadonlySet<string> {
  return new Set(partialErrors.flatMap(({ values }) => values.map((value) => value.toLowerCase())));
}

/** Whether a result has a user whom no query names, for example because the platform still knows a renamed channel by its old name. */
export function hasOtherUsers(needs: readonly Need[], { items }: StoredPollResult): boolean {
  const [first] = needs;
  const union = first && unionOf(first);
  if (!union) return false;
  const asked = new Set(needs.flatMap(({ params }) => namesIn(params, union)));
  return items.some((item) => {
    const names = namesOfUser(item, union);
    return names.length > 0 && !names.some((name) => asked.has(name));
  });
}

/** The result of one query with its users that have other names, so that a later reader finds them by the names of the query. */
export function withRenamedUsers(need: Need, answer: StoredPollResult): StoredPollResult {
  const union = unionOf(need);
  if (!union || !hasOtherUsers([need], answer)) return answer;
  const asked = new Set(namesIn(need.params, union));
  const lost = lostNames(answer);
  const byUser = answer.items.map((item) => namesOfUser(item, union));
  const found = new Set(byUser.flat());
  const users = byUser.flatMap(([id, ...others]) => (id === undefined || [id, ...others].some((name) => asked.has(name)) ? [] : [id]));
  const names = [...asked].filter((name) => !found.has(name) && !lost.has(name));
  return names.length === 0 ? answer : { ...answer, renamed: [{ names, users: [...new Set(users)] }] };
}

/** One result from several, with each item once. An error counts only for names that no result has. */
export function joinAnswers(answers: readonly StoredPollResult[], union: Union): StoredPollResult {
  const [only, ...others] = answers;
  if (only && others.length === 0) return only;
  const byId = new Map(answers.flatMap(({ items }) => items).map((item) => [canonical(item['id'] ?? null), item]));
  const items = [...byId.values()];
  const users = usersIn(items, union);
  const partialErrors = answers
    .flatMap((answer) => answer.partialErrors)
    .map((error) => ({ ...error, values: error.values.filter((value) => users.find(value.toLowerCase()).length === 0) }));
  const renamed = answers.flatMap((answer) => answer.renamed ?? []);
  return {
    items,
    approximate: answers.some(({ approximate }) => approximate),
    partialErrors,
    more: answers.find(({ more }) => more)?.more,
    ...(renamed.length > 0 && { renamed }),
  };
}

/** Polls of one rule, in the order of its accounts. */
type AccountPolls = readonly { readonly account: string; readonly poll: Poll }[];

/** Merges the polls of a rule that sends these queries. Ranked lists become one ranked list. */
export function joinFor({ watched }: Pick<Rule, 'watched'>, [query]: readonly Query[]): (polls: AccountPolls) => Poll {
  const join = watched?.people ? joinPeople : joinAccounts;
  return (polls) => {
    const joined = join(polls);
    return 'failure' in joined || !query ? joined : { ...joined, items: inViewerOrder(query, joined.items) };
  };
}

/** Merges the polls of several accounts. One failure fails the merged poll. Each item gets its `account`. */
function joinAccounts(polls: AccountPolls, { marksItems = polls.length > 1 }: { readonly marksItems?: boolean } = {}): Poll {
  const [only] = polls;
  if (only && !marksItems) return only.poll;
  const read: Exclude<Poll, { readonly failure: string }>[] = [];
  for (const { account, poll } of polls) {
    if ('failure' in poll) return { ...poll, failure: `${account}: ${poll.failure}` };
    read.push({ ...poll, items: poll.items.map((item) => ({ ...item, account })) });
  }
  const errors = read.flatMap((one) => one.errors ?? []);
  const unread = read.flatMap((one) => one.unread ?? []);
  return {
    items: read.flatMap(({ items }) => items),
    complete: read.every(({ complete }) => complete),
    more: read.some(({ more }) => more === true),
    ...(errors.length > 0 && { errors }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Merges the polls of a rule with `people`. An account that failed leaves out its items, unless all failed. */
function joinPeople(polls: AccountPolls): Poll {
  const failed = polls.flatMap(({ account, poll }) => ('failure' in poll ? [{ account, failure: poll.failure, fault: poll.fault }] : []));
  if (failed.length === polls.length) return joinAccounts(polls);
  const joined = joinAccounts(
    polls.filter(({ poll }) => !('failure' in poll)),
    { marksItems: true },
  );
  if ('failure' in joined) return joined;
  const unread = [...failed.map(({ account }) => ({ account })), ...(joined.unread ?? [])];
  const errors = [...failed.map((error): PartError => ({ ...error, isWhole: true })), ...(joined.errors ?? [])];
  return { ...joined, ...(unread.length > 0 && { unread }), ...(errors.length > 0 && { errors }) };
}

/** The JSON form of a result. */
export function toStored({ items, approximate, partialErrors, more }: PollResult): StoredPollResult {
  return {
    items: items.map(toItem),
    approximate,
    partialErrors: partialErrors.map(({ message, fault, values }) => ({ message, fault, values })),
    more,
  };
}

/** The JSON form of a record. */
export function toItem(record: unknown): Item {
  return jsonOf(record) as Item; // records are plain objects of JSON values and dates
}

/** The same as a value that was written as JSON and parsed, without the text. */
function jsonOf(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.map((one) => (one === undefined ? null : jsonOf(one)));
  if (typeof value !== 'object') throw new TypeError(`a record contains a ${typeof value}`);
  const source = value as Record<string, unknown>; // a plain object
  const object: Record<string, Json> = {};
  for (const key of Object.keys(source)) if (source[key] !== undefined) object[key] = jsonOf(source[key]);
  return object;
}

/**
 * Receives the poll of a rule. The planner starts no further poll in its place until it resolves. It does not reject. If it resolves with
 * work, the poll is recorded at the end of the work.
 */
export type OnPoll = (rule: string, poll: Poll) => Promise<BegunWork | void>;

/** Calls `onPoll` for a rule when the polls of all its accounts are complete. `needs` has the queries of all rules. */
export function collectPolls(
  rules: readonly Rule[],
  { needs, onPoll }: { readonly needs: readonly Need[]; readonly onPoll: OnPoll },
): (rule: string, part: { account: string; poll: Poll }) => Promise<BegunWork | void> {
  const needsOf = Map.groupBy(needs, ({ rule }) => rule);
  const shared = new Map(
    rules.flatMap((rule) => {
      const queries = needsOf.get(rule.id) ?? [];
      const accounts = queries.map(({ account }) => account);
      if (accounts.length <= 1 && !rule.watched?.people) return [];
      return [[rule.id, { accounts, join: joinFor(rule, queries), polls: new Map<string, Poll>() }] as const];
    }),
  );
  return async (rule, { account, poll }) => {
    const parts = shared.get(rule);
    if (!parts) return onPoll(rule, poll);
    const { accounts, polls, join } = parts;
    polls.set(account, poll);
    if (polls.size < accounts.length) return undefined;
    shared.delete(rule);
    const ordered = accounts.flatMap((name) => {
      const part = polls.get(name);
      return part ? [{ account: name, poll: part }] : [];
    });
    return onPoll(rule, join(ordered));
  };
}
