import type { Episode, RuleMemory } from '#src/rules/episode.ts';
import { namesIn, namesOfUser, unionOf } from '#src/rules/named-users.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { ListDefinition, Rule, Watched } from '#src/rules/rule.ts';
import { entryToken } from '#src/rules/people/index-people.ts';
import { hasShortHash, longHashSet, shortHashes } from '#src/rules/short-hashes.ts';
import { filterItems, type FilteredItems, type ListedItem } from '../items/filter-items.ts';
import { accountOf, lastingId, recordId, recordIds, sharesRecord } from '../items/accounts.ts';
import { accountsOfItem, readName } from '../items/people-items.ts';
import { creationOf, rankOf, startOf } from '../items/item-fields.ts';

/** The largest number of uncounted items that a rule remembers: four characters each, stored with each poll. */
const MOST_UNCOUNTED = 1_000;

/** The differences that an edit of the list makes, in the first good poll after it. */
export interface ListEdit {
  /** Whether the edit left the order of the items unchanged. */
  readonly keepsOrder: boolean;
  /**
   * Whether an item without an episode is new. Otherwise, the list may have it only because of the edit.
   *
   * `isNext`: it is the next broadcast of a channel whose episode was open.
   */
  isNew(listed: ListedItem, options: { readonly isNext: boolean }): boolean;
  /** Whether the list has another channel for the item of an episode, because an edit gave its entry another name. */
  replaces(episode: Episode, listed: ListedItem): boolean;
  /** Whether the edit may be the only reason why the list lacks the item of an episode. */
  excludes(episode: Episode): boolean;
}

interface ListEditOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly memory: RuleMemory;
  readonly slotMs: number;
  readonly exclusions: FilteredItems['exclusions'];
}

/** Compares the list with the list of the last good poll. Undefined if no edit changed it. */
export function listEdit({ rule, watched, memory, slotMs, exclusions }: ListEditOptions): ListEdit | undefined {
  const { fingerprint, definition: before, uncounted, lastPollMs = slotMs } = memory;
  if (fingerprint === undefined || fingerprint === watched.fingerprint) return undefined;
  const { definition: after, take } = watched;
  const isSameQuery = before?.query === after.query;
  const isSameWhere = before?.where === after.where;
  const isSameTake = before?.take === after.take;
  const hasSameUsers = before?.users === after.users;
  const hasUserOf = usersIn(watched);
  // A new name of a list behaves as at a first poll.
  const isOfLists = watched.people !== undefined || watched.withOf !== undefined;
  const wasNamed = namedBefore(watched, before);

  /** Whether the query of the last poll included the user and the account of the item. */
  function wasQueried(item: Item): boolean {
    if (!before || !isSameQuery || !before.accounts.includes(accountOf(item, after.accounts))) return false;
    return hasSameUsers || before.users === undefined || wasNamed(item);
  }

  return {
    keepsOrder: isSameQuery,

    isNew({ item }, { isNext }) {
      const wasWatched = wasQueried(item);
      const isInTake = isSameTake || (before?.take ?? Infinity) >= (rankOf(item) ?? Infinity);
      if (wasWatched && isSameWhere && isInTake) return true;
      const id = lastingId(item);
      const isKnown = uncounted !== undefined && id !== undefined;
      if (isKnown && hasShortHash(uncounted, id)) return false;
      if (isOfLists && isSameQuery && !wasWatched) return watched.first === 'fire';
      if (isNext) return true;
      const beganMs = watched.kind === 'feed' ? creationOf(item) : startOf(item);
      // If the last list had had a watched item, the rule would remember it.
      return (beganMs !== undefined && beganMs >= lastPollMs) || (wasWatched && isKnown);
    },

    replaces: ({ item: old }, { item }) => watched.people !== undefined && !hasUserOf(old) && !sharesRecord(old, item),

    excludes({ key, item }) {
      if (!before || !isSameQuery) return true;
      if (!after.accounts.includes(accountOf(item, before.accounts))) return true;
      if (!hasSameUsers && !hasUserOf(item)) return true;
      const wasCounted = filterItems([item], { rule, watched, slotMs: lastPollMs });
      if (!isSameWhere && wasCounted.listed.length + wasCounted.keyless.length === 0) return true;
      if (take === undefined) return false;
      const isBelowTake = exclusions.get(key) === 'belowTake';
      return (rankOf(item) ?? 0) > take || (isBelowTake && !(isSameWhere && isSameTake && hasSameUsers));
    },
  };
}

/** Whether the last poll included the user of an item. */
function namedBefore(watched: Watched, before: ListDefinition | undefined): (item: Item) => boolean {
  const users = before?.users ?? '';
  if (!watched.people) return (item) => userNames(item, watched).some((name) => hasShortHash(users, name));
  const hasToken = longHashSet(users);
  return (item) => tokensOf(item, watched).some(hasToken);
}

/** What the rule remembers of the entry of an item, for each account that has it. */
function tokensOf(item: Item, { people, accounts, key }: Watched): readonly string[] {
  const of = key(item) ?? '';
  const names = people?.index?.namesOf(of);
  return accountsOfItem(item, accounts).flatMap((account) => {
    const name = readName(item, account, names?.[account]);
    return name === undefined ? [] : [entryToken(of, account, name)];
  });
}

/** The items that a complete list has and the rule does not count, for the comparison after an edit. Undefined if they are unknown. */
export function uncountedItems(
  { items, complete }: Exclude<Poll, { readonly failure: string }>,
  { listed }: Pick<FilteredItems, 'listed'>,
  { people }: Pick<Watched, 'people'>,
): string | undefined {
  // An entry of a list has no item before it is counted.
  if (people) return undefined;
  if (!complete || items.length - listed.length > MOST_UNCOUNTED) return undefined;
  if (items.length === listed.length) return '';
  const counted = new Set(listed.flatMap(({ item }) => recordIds(item)));
  return shortHashes(
    items.flatMap((item) => {
      const id = lastingId(item);
      return id === undefined || counted.has(recordId(item['platform'], id)) ? [] : [id];
    }),
  );
}

function usersIn(watched: Watched): (item: Item) => boolean {
  if (watched.people) return (item) => tokensOf(item, watched).length > 0;
  const union = unionOf({ verb: watched.verb, params: watched.with });
  if (!union) return () => true;
  const names = new Set(namesIn(watched.with, union));
  return (item) => userNames(item, watched).some((name) => names.has(name));
}

function userNames(item: Item, { verb, with: params }: Watched): readonly string[] {
  const union = unionOf({ verb, params });
  return union ? namesOfUser(item, union) : [];
}
