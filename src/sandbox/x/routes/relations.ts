import { z } from 'zod';
import type { WorldPerson } from '../../world/world.ts';
import { findById } from '../ids/user-ids.ts';
import { forbidden, invalid, invalidParameter, notFound } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { usersPage } from '../wire/answer.ts';
import { bodyOf, idIn, ownId, PAGED, personShown, USER_KINDS } from './parameters.ts';

const Target = z.strictObject({ target_user_id: z.string().regex(/^\d{1,19}$/, 'is not an id') });
const READ = ['users.read', 'tweet.read'];
const seen = { method: 'GET', fields: USER_KINDS, expands: 'user', parameters: PAGED } as const;
const size = { least: 1, most: 1000, usual: 100 };

function peopleOf(ids: readonly string[], { moment }: XRequest): readonly WorldPerson[] {
  return ids.flatMap((id) => moment.people.find(id) ?? []);
}

async function target(request: XRequest, viewer: WorldPerson): Promise<WorldPerson> {
  const { target_user_id: id } = await bodyOf(Target, request);
  return other(id, viewer, request);
}

function other(id: string, viewer: WorldPerson, { moment }: XRequest): WorldPerson {
  const person = findById(id, moment.people);
  if (!person) throw notFound();
  if (person.id === viewer.id) throw invalid({ parameters: { target_user_id: [id] }, message: 'You cannot do this to yourself.' });
  return person;
}

/** Whom the path names after the signed-in account, which comes first. */
function pair(request: XRequest): readonly [WorldPerson, WorldPerson] {
  const viewer = request.viewer;
  const source = idIn(request, 'source');
  const own = findById(source, request.moment.people);
  if (!viewer || own?.id !== viewer.id) throw invalidParameter('source_user_id', source, 'must be the same as the authenticating user');
  return [viewer, other(idIn(request, 'target'), viewer, request)];
}

/** Who is with whom. */
export const relationsRoutes: readonly XRoute[] = [
  {
    ...seen,
    path: '/users/:id/followers',
    access: { scopes: [...READ, 'follows.read'], app: true },
    limits: { app: 300, user: 300 },
    answer: (request) => usersPage(peopleOf(request.moment.relations.followersOf(personShown(request).id), request), request, { size }),
  },
  {
    ...seen,
    path: '/users/:id/following',
    access: { scopes: [...READ, 'follows.read'], app: true },
    limits: { app: 300, user: 300 },
    answer: (request) => usersPage(peopleOf(request.moment.relations.followingsOf(personShown(request).id), request), request, { size }),
  },
  {
    ...seen,
    path: '/users/:id/blocking',
    access: { scopes: [...READ, 'block.read'] },
    limits: { user: 15 },
    answer: (request) => usersPage(peopleOf(request.moment.relations.blockedBy(ownId(request).id), request), request, { size }),
  },
  {
    ...seen,
    path: '/users/:id/muting',
    access: { scopes: [...READ, 'mute.read'] },
    limits: { user: 15 },
    answer: (request) => usersPage(peopleOf(request.mutes.of(ownId(request).id), request), request, { size }),
  },
  {
    method: 'POST',
    path: '/users/:id/following',
    access: { scopes: [...READ, 'follows.write'] },
    limits: { user: 50 },
    enterprise: true,
    async answer(request) {
      const viewer = ownId(request);
      const person = await target(request, viewer);
      const { relations, now } = request.moment;
      if (relations.parted(viewer.id, person.id))
        throw forbidden('You have been blocked from following this account at the request of the user.');
      relations.setFollow(viewer.id, person.id, true, now.getTime());
      return { data: { following: true, pending_follow: false } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:source/following/:target',
    access: { scopes: [...READ, 'follows.write'] },
    limits: { user: 50 },
    enterprise: true,
    answer(request) {
      const [viewer, person] = pair(request);
      request.moment.relations.setFollow(viewer.id, person.id, false, request.moment.now.getTime());
      return { data: { following: false } };
    },
  },
  {
    method: 'POST',
    path: '/users/:id/blocking',
    access: { scopes: [...READ, 'block.write'] },
    limits: { user: 50 },
    enterprise: true,
    async answer(request) {
      const viewer = ownId(request);
      const person = await target(request, viewer);
      request.moment.relations.setBlock(viewer.id, person.id, true, request.moment.now.getTime());
      return { data: { blocking: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:source/blocking/:target',
    access: { scopes: [...READ, 'block.write'] },
    limits: { user: 50 },
    enterprise: true,
    answer(request) {
      const [viewer, person] = pair(request);
      request.moment.relations.setBlock(viewer.id, person.id, false, request.moment.now.getTime());
      return { data: { blocking: false } };
    },
  },
  {
    method: 'POST',
    path: '/users/:id/muting',
    access: { scopes: [...READ, 'mute.write'] },
    limits: { user: 50 },
    async answer(request) {
      const viewer = ownId(request);
      const person = await target(request, viewer);
      request.mutes.set(viewer.id, person.id, true);
      return { data: { muting: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:source/muting/:target',
    access: { scopes: [...READ, 'mute.write'] },
    limits: { user: 50 },
    answer(request) {
      const [viewer, person] = pair(request);
      request.mutes.set(viewer.id, person.id, false);
      return { data: { muting: false } };
    },
  },
];
