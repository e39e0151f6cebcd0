import { isJsonObject } from '#src/clients/operation/json.ts';
import { ownerNames } from '#src/rules/people/index-people.ts';
import { personOf } from '#src/rules/expression/list-shapes.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import { accountOf } from './accounts.ts';

/** One item for each entry of the list that names the channel of an item, for a rule with `people`. */
export function itemsOfPeople(items: readonly Item[], { people, accounts }: Watched): readonly Item[] {
  if (!people) return items;
  return items.flatMap((item) => {
    // The item of an episode has its entry already.
    if (item['person'] !== undefined) return [item];
    const entries = people.index?.entriesOf(accountOf(item, accounts), item['owner']) ?? [];
    return entries.map((entry) => ({ ...item, person: personOf(entry) }));
  });
}

/** Whether a name could be read in a poll. */
export function readTest({ unread = [] }: Exclude<Poll, { readonly failure: string }>): (account: string, name: string) => boolean {
  if (unread.length === 0) return () => true;
  const accounts = new Set(unread.flatMap(({ account, names }) => (names ? [] : [account])));
  const lost = new Set(unread.flatMap(({ account, names = [] }) => names.map((name) => `${account} ${name}`)));
  return (account, name) => !accounts.has(account) && !lost.has(`${account} ${name}`);
}

/** The accounts that have an item, the one with its fields first. */
export function accountsOfItem(item: Item, accounts: readonly string[]): readonly string[] {
  const { accounts: records } = item;
  const main = accountOf(item, accounts);
  const others = Array.isArray(records)
    ? records.flatMap((one) => (isJsonObject(one) && typeof one['account'] === 'string' ? [one['account']] : []))
    : [];
  return [...new Set([main, ...others])];
}

/** The name under which an account reads the channel of an item; undefined: the list does not have it. */
export function readName(item: Item, account: string, names: readonly string[] = []): string | undefined {
  if (item['account'] !== account) return names[0];
  const owner = ownerNames(item['owner']);
  return names.find((name) => owner.includes(name));
}
