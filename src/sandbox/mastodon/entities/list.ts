import type { JsonObject } from '#src/operation/json.ts';
import type { StoredList } from '../../social/lists.ts';
import { placeAt } from '../identifiers/places.ts';
import type { ListFacts } from '../list-facts.ts';
import type { Visit } from '../visit.ts';

export function listId({ id, createdAtMs }: StoredList, { ground }: Pick<Visit, 'ground'>): string {
  return ground.ids.write(placeAt(createdAtMs, Number(id.slice('list-'.length))));
}

/** How a list is called and what it leaves out. */
export function factsOfList({ id, name }: StoredList, { ground }: Pick<Visit, 'ground'>): ListFacts {
  return ground.listFacts.find(id) ?? { listId: id, title: name, repliesPolicy: 'list', exclusive: false };
}

export function toList(list: StoredList, found: Pick<Visit, 'ground'>): JsonObject {
  const { title, repliesPolicy, exclusive } = factsOfList(list, found);
  return { id: listId(list, found), title, replies_policy: repliesPolicy, exclusive };
}
