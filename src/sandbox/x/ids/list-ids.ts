import type { StoredList, UserLists } from '../../social/lists.ts';
import type { Communities, StoredCommunity } from '../../social/communities.ts';
import { lowOf, snowflake } from './snowflake.ts';

export function listId({ id, createdAtMs }: Pick<StoredList, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, numberOf(id));
}

/** The list with this id, if it was not deleted. */
export function findList(id: string, lists: UserLists): StoredList | undefined {
  const list = lists.find(`list-${lowBitsOf(id)}`);
  return list && listId(list) === id && list.deletedAtMs === undefined ? list : undefined;
}

export function communityId({ id, createdAtMs }: Pick<StoredCommunity, 'id' | 'createdAtMs'>): string {
  return snowflake(createdAtMs, lowOf(id));
}

export function findCommunity(id: string, communities: Communities): StoredCommunity | undefined {
  return communities.all.find((community) => communityId(community) === id);
}

function numberOf(storedId: string): number {
  return Number(/\d+$/.exec(storedId)?.[0] ?? 0);
}

function lowBitsOf(id: string): number {
  return Number(BigInt(id) & 0x3fffffn);
}
