import { bareName } from '#src/clients/operation/parameters.ts';
import { namesIn, namesOfUser, unionOf } from '#src/rules/named-users.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { NamesByAccount } from '#src/rules/poll.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { lastBound } from './bind-lists.ts';
import { keyOfEntry } from './entry-key.ts';
import type { PeopleIndex } from './people.ts';

/**
 * Whether a poll of some names shows everything that a rule needs about them. Other rules need the whole list: those that rank, limit or
 * announce it as a whole, and those whose users share items.
 */
export const takesPartialPolls = memoize(({ watched, if: condition, readsList, readsRank }: Rule): boolean => {
  if (!watched || watched.kind !== 'live' || watched.per !== 'item' || watched.take !== undefined || watched.sharesKeys) return false;
  if (readsList || readsRank || /items|changes/u.test(condition?.source ?? '')) return false;
  return watched.changes.every(({ kind }) => kind !== 'moved') && hasPartialQuery(watched);
});

function hasPartialQuery(watched: Watched): boolean {
  const { verb, accounts } = watched;
  const params = withUsers(watched);
  const union = unionOf({ verb, params });
  // With several accounts, an id names another user on each platform.
  return union !== undefined && (accounts.length === 1 || namesIn(params, union).every((name) => !/^\d+$/u.test(name)));
}

/** The parameter that names the users of a rule; undefined: it names none. */
export const usersParameter = memoize(
  (watched: Watched): string | undefined => unionOf({ verb: watched.verb, params: withUsers(watched) })?.parameter,
);

/** The parameters of a rule. The names of a list are known at its poll only. */
function withUsers({ with: params, withOf, people }: Watched): Watched['with'] {
  return people || withOf ? { users: [], ...params } : params;
}

/** The names that a rule watches, in lower case; undefined: they are known at its first poll only, or it watches no users. */
export function watchedNames(rule: Rule): ReadonlySet<string> | undefined {
  const watched = lastBound(rule)?.watched;
  return watched && namesOfQuery(watched);
}

const namesOfQuery = memoize(({ verb, with: params, people }: Watched): ReadonlySet<string> | undefined => {
  if (people) return people.index && new Set(Object.values(people.index.names).flatMap((names) => names.map((name) => name.toLowerCase())));
  const union = unionOf({ verb, params });
  return union && new Set(namesIn(params, union));
});

/**
 * The names that a poll after a hint about `hinted` asks for, by account. Undefined: it reads the whole list. An entry of a list is asked for
 * with all its names.
 */
export function namesToAsk(rule: Rule, hinted: readonly string[]): NamesByAccount | undefined {
  const { watched } = rule;
  if (!watched || !takesPartialPolls(rule)) return undefined;
  const wanted = new Set(hinted.map((name) => bareName(name).toLowerCase()));
  const { verb, with: params, accounts, people } = watched;
  if (people) return people.index && namesOfEntries(people.index, { accounts, wanted });
  const union = unionOf({ verb, params });
  if (!union) return undefined;
  const names = [...new Set(namesIn(params, union))];
  const asked = names.filter((name) => wanted.has(name));
  return asked.length === names.length ? undefined : Object.fromEntries(accounts.map((account) => [account, asked]));
}

function namesOfEntries(
  index: PeopleIndex,
  { accounts, wanted }: { readonly accounts: readonly string[]; readonly wanted: ReadonlySet<string> },
): NamesByAccount | undefined {
  const asked = new Map(accounts.map((account) => [account, new Set<string>()]));
  for (const account of accounts) {
    const entries = [...wanted].flatMap((name) => index.entriesOf(account, { handle: name }));
    for (const entry of entries) {
      for (const [other, names] of Object.entries(index.namesOf(keyOfEntry(entry)) ?? {})) {
        for (const name of names) asked.get(other)?.add(name);
      }
    }
  }
  const isWhole = accounts.every((account) => asked.get(account)?.size === (index.names[account] ?? []).length);
  return isWhole ? undefined : Object.fromEntries([...asked].map(([account, names]) => [account, [...names]]));
}

/** The names by which polls ask for the item of an episode, in lower case. */
export function namesOfEpisode({ watched }: Rule, { key, item }: Pick<Episode, 'key' | 'item'>): readonly string[] {
  if (!watched) return [];
  const { verb, with: params, people } = watched;
  if (people) return Object.values(people.index?.namesOf(key) ?? {}).flat();
  const union = unionOf({ verb, params });
  return union ? namesOfUser(item, union) : [];
}

/** Tests whether a poll asked for everything about an item. */
export function askedTest(watched: Watched, asked: NamesByAccount | undefined): (one: Pick<Episode, 'key' | 'item'>) => boolean {
  if (!asked) return () => true;
  const { verb, with: params, people, accounts } = watched;
  const names = new Map(Object.entries(asked).map(([account, some]) => [account, new Set(some)]));
  const hasAsked = (account: string, name: string): boolean => names.get(account)?.has(name) === true;
  if (people) {
    return ({ key }) => {
      const byAccount = people.index?.namesOf(key);
      return byAccount !== undefined && Object.entries(byAccount).every(([account, some]) => some.every((name) => hasAsked(account, name)));
    };
  }
  const union = unionOf({ verb, params });
  return ({ item }) => {
    const account = typeof item['account'] === 'string' ? item['account'] : (accounts[0] ?? '');
    return union !== undefined && namesOfUser(item, union).some((name) => hasAsked(account, name));
  };
}
