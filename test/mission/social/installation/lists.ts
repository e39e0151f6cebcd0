import { FOREIGN_LIST, MANY, ME, openPeople, upTo, type Past } from './past.ts';

/** Lists of the account and of somebody else. */
export function settleLists({ store, people, nowMs }: Past): void {
  const others = openPeople({ people });
  const list = (id: string, ownerId: string, isPrivate: boolean, memberIds: readonly string[]): void =>
    store.put('social.lists', id, {
      id,
      ownerId,
      name: `List ${id}`,
      description: `About ${id}`,
      isPrivate,
      memberIds: [...memberIds],
      createdAtMs: nowMs,
    });
  for (const index of upTo(MANY))
    list(String(2001 + index), ME, index % 2 === 0, index === 0 ? [...others.slice(0, 3), ...others.slice(700, 742)] : []);
  list(FOREIGN_LIST, others[0] ?? '', false, others.slice(5, 8));
  list('2102', others[0] ?? '', true, []);
}
