import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { toAccount } from '../entities/account.ts';
import { toStatus } from '../entities/status.ts';
import { recordNotFound } from '../refusal.ts';
import { ACCOUNTS, STATUSES, boundsOf, cutByAnchor, cutByPlace } from '../requests/paging.ts';
import { page, type Visit } from '../visit.ts';

/** Somebody by id; refuses where there is nobody. */
export function requirePerson(id: string, { ground }: Visit): WorldPerson {
  const person = ground.ids.findPerson(id);
  if (!person) throw recordNotFound();
  return person;
}

/** A page of people, anchored by how they came into the list. */
export function peoplePage(ids: readonly string[], found: Visit, sizes = ACCOUNTS): Response {
  const { ids: identifiers } = found.ground;
  const cut = cutByAnchor(ids, { bounds: boundsOf(found.fields, sizes), anchorOf: (id) => identifiers.internal(id) });
  return page(found, { ...cut, items: accountsOf(cut.items, found) });
}

export function accountsOf(ids: readonly string[], found: Visit): readonly JsonObject[] {
  return ids.flatMap((id) => found.moment.people.find(id) ?? []).map((person) => toAccount(person, found));
}

/** A page of posts, newest first, cut by their ids. */
export function postsPage(posts: readonly StoredPost[], found: Visit): Response {
  const { ids } = found.ground;
  const cut = cutByPlace(posts, {
    bounds: boundsOf(found.fields, STATUSES),
    placeOf: (post) => ids.placeOf(post),
    spelling: ids,
    repeats: found.fields.has('max_id') && found.fault('repeatedItem') !== undefined,
  });
  return page(found, { ...cut, items: cut.items.map((post) => toStatus(post, found)) });
}

/** A page of posts in the order in which somebody put them there: it is not paged by the posts' own ids. */
export function keptPage(posts: readonly StoredPost[], found: Visit): Response {
  const { ids } = found.ground;
  const cut = cutByAnchor(posts, { bounds: boundsOf(found.fields, STATUSES), anchorOf: (post) => ids.kept(post) });
  return page(found, { ...cut, items: cut.items.map((post) => toStatus(post, found)) });
}

/** The ids that are asked for, each once. */
export function idsIn({ fields }: Visit): readonly string[] {
  return [...new Set(fields.texts('id'))];
}
