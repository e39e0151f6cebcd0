import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { ExpressionError } from '#src/rules/expression/expression-error.ts';
import { hash } from '#src/rules/firing.ts';
import { listValues } from '#src/rules/expression/list-shapes.ts';
import type { Lists } from '#src/rules/lists.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import type { ListDefinition, Rule, Watched } from '#src/rules/rule.ts';
import { shortHashes } from '#src/rules/short-hashes.ts';
import { indexPeople } from './index-people.ts';

/** Whether a rule depends on `lists`, so that each poll needs `bindLists`. */
export function readsLists({ watched, readLists }: Rule): boolean {
  return readLists !== undefined || watched?.people !== undefined || watched?.withOf !== undefined;
}

interface Bound {
  readonly revision: string;
  readonly rule: Rule;
}

// Most polls find the lists as the last one did, and an index of thousands of entries takes a while.
const bound = new WeakMap<Rule, Bound>();

/**
 * The rule with the entries of a poll. A changed list is then an edit of the watched list, as if the rule itself had been edited.
 *
 * Throws an `ExpressionError` if a parameter cannot be computed, or if a list of a rule with a schedule is missing.
 */
export function bindLists(rule: Rule, lists: Lists): Rule {
  const { watched, readLists } = rule;
  if (!readsLists(rule)) return rule;
  const known = bound.get(rule);
  if (known?.revision === lists.revision) return known.rule;
  // A command or a webhook comes only once. A scheduled rule runs when its lists are known.
  if (!rule.command && !rule.webhook) requireLists(rule, lists);
  const now: Rule = {
    ...rule,
    watched: watched && boundWatch(watched, lists),
    ...(readLists && { lists: listValues(readLists, lists) }),
  };
  bound.set(rule, { revision: lists.revision, rule: now });
  return now;
}

/** A file that is missing for a moment is no empty list: all episodes would end, and all names would be new when it returns. */
function requireLists({ watched, readLists = [] }: Rule, lists: Lists): void {
  const problem = [...(watched?.people ? [watched.people.list] : []), ...readLists]
    .map((list) => lists.problemOf?.(list))
    .find((one) => one !== undefined);
  if (problem !== undefined) throw new ExpressionError(problem, { at: 0 });
}

/** The rule with the entries of its last poll; undefined: it had none. */
export function lastBound(rule: Rule): Rule | undefined {
  return readsLists(rule) ? bound.get(rule)?.rule : rule;
}

function boundWatch(watched: Watched, lists: Lists): Watched {
  if (watched.people) return withPeople(watched, lists);
  const now = watched.withOf ? withParameters(watched, lists) : watched;
  const { conditionLists, definition, fingerprint } = now;
  if (!conditionLists) return now;
  const entries = digestOf(conditionLists, lists);
  return {
    ...now,
    definition: { ...definition, where: hash(definition.where, entries).slice(0, 8) },
    fingerprint: hash(fingerprint, entries),
  };
}

// Many instances of a rule read the same list.
const digests = new WeakMap<Lists, Map<string, string>>();

function digestOf(names: readonly string[], lists: Lists): string {
  const known = digests.get(lists) ?? new Map<string, string>();
  const digest = known.get(names.join()) ?? hash(canonical(listValues(names, lists)));
  digests.set(lists, known.set(names.join(), digest));
  return digest;
}

function withPeople(watched: Watched, lists: Lists): Watched {
  const { people, verb, definition, fingerprint } = watched;
  if (!people) return watched;
  const params = watched.withOf?.(lists) ?? watched.with;
  const index = indexPeople(lists.entries(people.list), people);
  return {
    ...watched,
    with: params,
    people: { ...people, index },
    definition: { ...definition, query: queryHash(verb, params), users: index.hashes },
    fingerprint: hash(fingerprint, canonical(params), index.hashes),
  };
}

function withParameters(watched: Watched, lists: Lists): Watched {
  const params = watched.withOf?.(lists) ?? watched.with;
  return {
    ...watched,
    with: params,
    definition: { ...watched.definition, ...queryPartsOf(watched.verb, params) },
    fingerprint: hash(watched.fingerprint, canonical(params)),
  };
}

/** The parts of the definition of a list that describe its query. */
export function queryPartsOf(verb: string, parameters: JsonObject): Pick<ListDefinition, 'query' | 'users'> {
  const union = unionOf({ verb, params: parameters });
  if (!union) return { query: queryHash(verb, parameters) };
  const others = { ...parameters, [union.parameter]: undefined };
  return { query: queryHash(verb, others), users: shortHashes(namesIn(parameters, union)) };
}

function queryHash(verb: string, parameters: JsonObject): string {
  return hash(verb, canonical(parameters)).slice(0, 8);
}

/** The rule with the entries of a poll, or the failure of that poll. */
export function attemptBind(rule: Rule, lists: Lists): Rule | { readonly failure: string } {
  try {
    return bindLists(rule, lists);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { failure: error.message };
  }
}
