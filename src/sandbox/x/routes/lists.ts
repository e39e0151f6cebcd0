import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { StoredList } from '../../social/lists.ts';
import type { WorldPerson } from '../../world/world.ts';
import { findList, listId } from '../ids/list-ids.ts';
import { findById } from '../ids/user-ids.ts';
import { forbidden, missing, notFound, XProblem } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { answerMany, onlyOne, pageIn, postsPage, usersPage, type AnswerOptions, type ManyAnswer } from '../wire/answer.ts';
import type { Includes } from '../wire/includes.ts';
import { toXList } from '../wire/list.ts';
import type { View } from '../wire/view.ts';
import { bodyOf, idIn, PAGED, personShown, POST_KINDS, signedIn, USER_KINDS } from './parameters.ts';

const READ = ['tweet.read', 'users.read', 'list.read'];
const WRITE = ['tweet.read', 'users.read', 'list.write'];
const size = { least: 1, most: 100, usual: 100 };
const seen = { method: 'GET', fields: ['list', 'user'], expands: 'list' } as const;
const changing = { access: { scopes: WRITE }, limits: { user: 300 } } as const;

const NewList = z.strictObject({
  name: z.string().min(1).max(25),
  description: z.string().max(100).default(''),
  private: z.boolean().default(false),
});
const ListChange = z.strictObject({
  name: z.string().min(1).max(25).optional(),
  description: z.string().max(100).optional(),
  private: z.boolean().optional(),
});
const Member = z.strictObject({ user_id: z.string().regex(/^\d{1,19}$/, 'is not an id') });

/** A list that whoever asks may see: a private one is its owner's alone. */
function listShown(request: XRequest): StoredList {
  const id = idIn(request, 'id');
  const list = findList(id, request.meeting.lists);
  if (list && (!list.isPrivate || list.ownerId === request.viewer?.id)) return list;
  throw new XProblem(200, { errors: [missing({ type: 'list', parameter: 'id', value: id })] });
}

function ownList(request: XRequest): StoredList {
  const list = findList(idIn(request, 'id'), request.meeting.lists);
  if (!list) throw notFound();
  if (list.ownerId !== signedIn(request).id) throw forbidden('You are not allowed to change this List.');
  return list;
}

function members(list: StoredList, { moment }: XRequest): readonly WorldPerson[] {
  return list.memberIds.toReversed().flatMap((id) => moment.people.find(id) ?? []);
}

function answerLists(lists: readonly StoredList[], options: AnswerOptions): ManyAnswer {
  return answerMany(lists, toRow, options);

  function toRow(list: StoredList, view: View, includes: Includes): JsonObject {
    if (view.asked.expansions.has('owner_id')) includes.addUserById(list.ownerId);
    return toXList(list, view);
  }
}

/** Accounts that somebody put together. */
export const listsRoutes: readonly XRoute[] = [
  {
    ...seen,
    path: '/lists/:id',
    access: { scopes: READ, app: true },
    limits: { app: 75, user: 75 },
    answer: (request) => onlyOne(answerLists([listShown(request)], { request })),
  },
  {
    ...seen,
    path: '/users/:id/owned_lists',
    access: { scopes: READ, app: true },
    limits: { app: 15, user: 15 },
    parameters: PAGED,
    answer(request) {
      const { id } = personShown(request);
      const lists = request.meeting.lists.of(id).filter(({ isPrivate }) => !isPrivate || request.viewer?.id === id);
      const { items, meta } = pageIn(lists, { request, idOf: (list) => list.id, size });
      return answerLists(items, { request, meta });
    },
  },
  {
    method: 'GET',
    path: '/lists/:id/tweets',
    access: { scopes: READ, app: true },
    limits: { app: 900, user: 900 },
    fields: POST_KINDS,
    expands: 'tweet',
    parameters: PAGED,
    readsPosts: true,
    answer(request) {
      const ids = new Set(listShown(request).memberIds);
      return postsPage(
        request.moment.feed.timeline().filter(({ authorId }) => ids.has(authorId)),
        request,
        { size },
      );
    },
  },
  {
    method: 'GET',
    path: '/lists/:id/members',
    access: { scopes: READ, app: true },
    limits: { app: 900, user: 900 },
    fields: USER_KINDS,
    expands: 'user',
    parameters: PAGED,
    answer: (request) => usersPage(members(listShown(request), request), request, { size }),
  },
  {
    method: 'POST',
    path: '/lists',
    access: { scopes: [...WRITE, 'list.read'] },
    limits: { user: 300 },
    async answer(request) {
      const { name, description, private: isPrivate } = await bodyOf(NewList, request);
      const { id: ownerId } = signedIn(request);
      const list = request.meeting.lists.add({ ownerId, name, description, isPrivate, createdAtMs: request.moment.now.getTime() });
      return { data: { id: listId(list), name } };
    },
  },
  {
    method: 'PUT',
    path: '/lists/:id',
    ...changing,
    async answer(request) {
      const change = await bodyOf(ListChange, request);
      const list = ownList(request);
      const { name = list.name, description = list.description, private: isPrivate = list.isPrivate } = change;
      request.meeting.lists.setMembers({ ...list, name, description, isPrivate }, list.memberIds);
      return { data: { updated: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/lists/:id',
    ...changing,
    answer(request) {
      request.meeting.lists.delete(ownList(request), request.moment.now.getTime());
      return { data: { deleted: true } };
    },
  },
  {
    method: 'POST',
    path: '/lists/:id/members',
    ...changing,
    async answer(request) {
      const { user_id: id } = await bodyOf(Member, request);
      const list = ownList(request);
      const person = findById(id, request.moment.people);
      if (!person) throw notFound();
      if (!list.memberIds.includes(person.id)) request.meeting.lists.setMembers(list, [...list.memberIds, person.id]);
      return { data: { is_member: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/lists/:id/members/:user',
    ...changing,
    answer(request) {
      const list = ownList(request);
      const person = findById(idIn(request, 'user'), request.moment.people);
      request.meeting.lists.setMembers(
        list,
        list.memberIds.filter((id) => id !== person?.id),
      );
      return { data: { is_member: false } };
    },
  },
];
