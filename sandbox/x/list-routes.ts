import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { fold } from '../social/hashtags.ts';
import type { StoredList } from '../social/lists.ts';
import { answerMany, postsPage, single, usersPage } from './answer.ts';
import { findById, findCommunity, findList, isId, listId } from './ids.ts';
import { pageOf } from './paging.ts';
import { forbidden, missing, notFound, XProblem } from './problem.ts';
import { bodyOf, idIn, PAGED, personShown, POSTS, signedIn, USERS, type XRequest, route, type XRoute } from './request.ts';
import { toXCommunity, toXList } from './user-json.ts';

const READ = 'tweet.read users.read list.read';
const SIZE = { least: 1, most: 100, usual: 100 };
const LISTS = { fields: ['list', 'user'], expands: 'list', scopes: READ, callers: 'app' } as const;
const CHANGE = { scopes: 'tweet.read users.read list.write', limits: { user: 300 } } as const;

const NewList = z.strictObject({
  name: z.string().min(1).max(25),
  description: z.string().max(100).default(''),
  private: z.boolean().default(false),
});
const Member = z.strictObject({ user_id: z.string().refine(isId, 'is not an id') });

/** `/2/lists` and `/2/communities`. */
export const listRoutes: readonly XRoute[] = [
  route('GET /lists/:id', { ...LISTS, limits: { app: 75, user: 75 } }, (request) => single(answerLists([shownList(request)], request))),
  route('GET /users/:id/owned_lists', { ...LISTS, limits: { app: 15, user: 15 }, parameters: PAGED }, (request) => {
    const { id } = personShown(request);
    const lists = request.lists.of(id).filter(({ isPrivate }) => !isPrivate || request.viewer?.id === id);
    const { items, meta } = pageOf(lists, request, { size: SIZE }, (list) => list.id);
    return answerLists(items, request, meta);
  }),
  route(
    'GET /lists/:id/tweets',
    { ...POSTS, scopes: READ, callers: 'app', limits: { app: 900, user: 900 }, parameters: PAGED },
    (request) => {
      const members = new Set(shownList(request).memberIds);
      const posts = request.snapshot.feed.timeline().filter(({ authorId }) => members.has(authorId));
      return postsPage(posts, request, { size: SIZE });
    },
  ),
  route(
    'GET /lists/:id/members',
    { ...USERS, scopes: READ, callers: 'app', limits: { app: 900, user: 900 }, parameters: PAGED },
    (request) => {
      const ids = shownList(request).memberIds.toReversed();
      const members = ids.flatMap((id) => request.snapshot.people.find(id) ?? []);
      return usersPage(members, request, { size: SIZE });
    },
  ),
  route('POST /lists', { ...CHANGE, scopes: `${CHANGE.scopes} list.read` }, async (request) => {
    const { name, description, private: isPrivate } = await bodyOf(NewList, request);
    const list = request.lists.add({ ownerId: signedIn(request).id, name, description, isPrivate, createdAtMs: request.nowMs });
    return { data: { id: listId(list), name } };
  }),
  route('PUT /lists/:id', CHANGE, async (request) => {
    const list = requireViewerList(request);
    const current = { name: list.name, description: list.description, private: list.isPrivate };
    const change = await bodyOf(z.strictObject(NewList.shape).partial(), request);
    const { name = current.name, description = current.description, private: isPrivate = current.private } = change;
    request.lists.setMembers({ ...list, name, description, isPrivate }, list.memberIds);
    return { data: { updated: true } };
  }),
  route('DELETE /lists/:id', CHANGE, (request) => {
    request.lists.delete(requireViewerList(request), request.nowMs);
    return { data: { deleted: true } };
  }),
  route('POST /lists/:id/members', CHANGE, async (request) => {
    const { user_id: id } = await bodyOf(Member, request);
    const list = requireViewerList(request);
    const person = findById(id, request.snapshot.people);
    if (!person) throw notFound();
    if (!list.memberIds.includes(person.id)) request.lists.setMembers(list, [...list.memberIds, person.id]);
    return { data: { is_member: true } };
  }),
  route('DELETE /lists/:id/members/:user', CHANGE, (request) => {
    const list = requireViewerList(request);
    const person = findById(idIn(request, 'user'), request.snapshot.people);
    request.lists.setMembers(
      list,
      list.memberIds.filter((id) => id !== person?.id),
    );
    return { data: { is_member: false } };
  }),
  route(
    'GET /communities/search',
    { scopes: READ, limits: { user: 300 }, fields: ['community'], parameters: ['query', 'max_results', 'next_token'] },
    (request) => {
      const wanted = fold(request.query.get('query') ?? '');
      const found = request.snapshot.communities.all.filter(({ name, description }) => fold(`${name} ${description}`).includes(wanted));
      const { items, meta } = pageOf(found, request, { size: { least: 10, most: 100, usual: 10 }, counts: false }, ({ id }) => id);
      return { ...(items.length > 0 && { data: items.map((community) => toXCommunity(community, request)) }), meta };
    },
  ),
  route('GET /communities/:id', { scopes: READ, callers: 'app', limits: { app: 300, user: 300 }, fields: ['community'] }, (request) => {
    const value = idIn(request, 'id');
    const community = findCommunity(value, request.snapshot.communities);
    return community ? { data: toXCommunity(community, request) } : { errors: [missing({ type: 'community', parameter: 'id', value })] };
  }),
];

/** The list in the path. Only its owner sees a private list. */
function shownList(request: XRequest): StoredList {
  const value = idIn(request, 'id');
  const list = findList(value, request.lists);
  if (list && (!list.isPrivate || list.ownerId === request.viewer?.id)) return list;
  throw new XProblem(200, { errors: [missing({ type: 'list', parameter: 'id', value })] });
}

function requireViewerList(request: XRequest): StoredList {
  const list = findList(idIn(request, 'id'), request.lists);
  if (!list) throw notFound();
  if (list.ownerId !== signedIn(request).id) throw forbidden('You are not allowed to change this List.');
  return list;
}

function answerLists(lists: readonly StoredList[], request: XRequest, meta?: JsonObject): JsonObject {
  const hasOwner = request.selection.expansions.has('owner_id');
  return answerMany(
    lists,
    request,
    (list, includes) => {
      if (hasOwner) includes.addUser(list.ownerId);
      return toXList(list, request);
    },
    meta && { meta },
  );
}
