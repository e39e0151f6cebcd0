import { isJsonList, isJsonObject } from '#src/clients/operation/json.ts';
import type { RuleState } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { ListedItem } from './filter-items.ts';
import { accountsOfItem, readTest } from './people-items.ts';

/** A poll of a rule, and its state before. */
interface ReadList {
  readonly watched: Watched;
  readonly list: Exclude<Poll, { readonly failure: string }>;
  readonly state: RuleState;
}

/**
 * The items with the records of accounts that could not be read, as the last poll had them. Otherwise, their streams would be new when the
 * accounts can be read again.
 */
export function withUnreadAccounts(
  listed: readonly ListedItem[],
  { watched: { people, accounts }, list, state: { episodes } }: ReadList,
): readonly ListedItem[] {
  if (!people || !list.unread) return listed;
  const isRead = readTest(list);
  const before = new Map([...episodes.values()].flatMap(({ phase, key, item }) => (phase === 'closed' ? [] : [[key, item] as const])));
  return listed.map((one) => {
    const { accounts: now } = one.item;
    const last = before.get(one.key)?.['accounts'];
    if (!isJsonList(now) || !isJsonList(last)) return one;
    const there = new Set(accountsOfItem(one.item, accounts));
    const names = people.index?.namesOf(one.key) ?? {};
    const kept = last.filter((record) => {
      const account = isJsonObject(record) ? record['account'] : undefined;
      return typeof account === 'string' && !there.has(account) && names[account]?.some((name) => !isRead(account, name)) === true;
    });
    return kept.length === 0 ? one : { ...one, item: { ...one.item, accounts: [...now, ...kept] } };
  });
}
