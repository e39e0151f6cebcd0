import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { ACCOUNT_FIELDS } from '#src/rules/account-fields.ts';
import type { Item } from '#src/rules/poll.ts';
import { valueAt } from './item-fields.ts';

/** The account that read an item. Items have it only if several accounts read. */
export function accountOf({ account }: Item, accounts: readonly string[]): string {
  return typeof account === 'string' ? account : (accounts[0] ?? '');
}

/**
 * One item from the items of several accounts that have the same key. It has the fields of `main`, if that account has one, else of the first
 * account, and lists all accounts.
 */
export function uniteAccounts(items: readonly [Item, ...Item[]], main: string | undefined): Item {
  const chosen = items.find(({ account }) => account === main) ?? items[0];
  return { ...chosen, accounts: items.map(accountRecord) };
}

/** Whether two items share a record: an account has the same stream in both. */
export function sharesRecord(one: Item, other: Item): boolean {
  const ids = new Set(recordIds(one));
  return recordIds(other).some((id) => ids.has(id));
}

/** Whether two items have the same records. */
export function hasSameRecords(one: Item, other: Item): boolean {
  return recordIds(one).toSorted().join('\n') === recordIds(other).toSorted().join('\n');
}

/** The ids of the records of an item, with their platforms: platforms may use the same id for different records. */
export function recordIds(item: Item): readonly string[] {
  const { accounts, platform, firstVersionId } = item;
  const records = isJsonList(accounts) ? accounts.filter(isJsonObject) : [item];
  const ids = records.flatMap((record) => (typeof record['id'] === 'string' ? [recordId(record['platform'], record['id'])] : []));
  return typeof firstVersionId === 'string' ? [...ids, recordId(platform, firstVersionId)] : ids;
}

/** The id of a record that its edits keep. */
export function lastingId({ id, firstVersionId = id }: JsonObject): string | undefined {
  return typeof firstVersionId === 'string' ? firstVersionId : undefined;
}

/** An id with its platform. */
export function recordId(platform: Item[string] | undefined, id: string): string {
  return `${typeof platform === 'string' ? platform : ''}/${id}`;
}

function accountRecord(item: Item): JsonObject {
  const fields = ACCOUNT_FIELDS.flatMap((field) => {
    const value = valueAt(item, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(fields);
}
