import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mostFollowedFirst, personMatching } from '../social/discovery.ts';
import type { WorldPerson } from '../world/world.ts';
import { answerUsers, single, usersPage } from './answer.ts';
import { findById, findByUsername, isId } from './ids.ts';
import { forbidden, invalid, invalidParameter, missing, notFound, suspended } from './problem.ts';
import { bodyOf, idIn, viewerInPath, PAGED, personShown, signedIn, USERS, valuesOf, type XRequest, route, type XRoute } from './request.ts';

const READ = 'users.read tweet.read';
const Target = z.strictObject({ target_user_id: z.string().refine(isId, 'is not an id') });
const SIZE = { least: 1, most: 1000, usual: 100 };
const LOOKUP = { ...USERS, scopes: READ, callers: 'app', limits: { app: 300, user: 900 } } as const;

/** `/2/users`: accounts, followers and blocks. */
export const userRoutes: readonly XRoute[] = [
  route('GET /users/me', { ...USERS, scopes: READ, limits: { user: 75 } }, (request) => single(answerUsers([signedIn(request)], request))),
  route('GET /users/by/username/:username', LOOKUP, (request) => single(lookUp([request.param('username')], 'username', request))),
  route('GET /users/by', { ...LOOKUP, parameters: ['usernames'] }, (request) =>
    lookUp(valuesOf(request, 'usernames'), 'usernames', request),
  ),
  route(
    'GET /users/search',
    { ...USERS, scopes: READ, limits: { user: 900 }, parameters: ['query', 'next_token', ...PAGED] },
    (request) => {
      const { snapshot } = request;
      const query = request.query.get('query') ?? '';
      if (query === '' || query.length > 50) throw invalidParameter('query', query, 'is not between 1 and 50 characters long');
      const found = snapshot.people.all.filter(personMatching(query));
      return usersPage(mostFollowedFirst(found, snapshot), request, { size: SIZE, counts: false });
    },
  ),
  route('GET /users', { ...LOOKUP, parameters: ['ids'] }, (request) => lookUp(valuesOf(request, 'ids'), 'ids', request)),
  route('GET /users/:id', LOOKUP, (request) => single(lookUp([request.param('id')], 'id', request))),
  route(
    'GET /users/:id/followers',
    { ...USERS, scopes: `${READ} follows.read`, callers: 'app', limits: { app: 300, user: 300 }, parameters: PAGED },
    (request) => peoplePage(request.snapshot.relations.followersOf(personShown(request).id), request),
  ),
  route(
    'GET /users/:id/following',
    { ...USERS, scopes: `${READ} follows.read`, callers: 'app', limits: { app: 300, user: 300 }, parameters: PAGED },
    (request) => peoplePage(request.snapshot.relations.followingsOf(personShown(request).id), request),
  ),
  route('GET /users/:id/blocking', { ...USERS, scopes: `${READ} block.read`, limits: { user: 15 }, parameters: PAGED }, (request) =>
    peoplePage(request.snapshot.relations.blockedBy(viewerInPath(request).id), request),
  ),
  route('POST /users/:id/following', { scopes: `${READ} follows.write`, limits: { user: 50 }, isEnterprise: true }, async (request) => {
    const [viewer, person] = await pairInBody(request);
    const { relations } = request.snapshot;
    if (relations.parted(viewer.id, person.id)) {
      throw forbidden('You have been blocked from following this account at the request of the user.');
    }
    relations.setFollow(viewer.id, person.id, true, request.nowMs);
    return { data: { following: true, pending_follow: false } };
  }),
  route(
    'DELETE /users/:source/following/:target',
    { scopes: `${READ} follows.write`, limits: { user: 50 }, isEnterprise: true },
    (request) => {
      const [viewer, person] = pairInPath(request);
      request.snapshot.relations.setFollow(viewer.id, person.id, false, request.nowMs);
      return { data: { following: false } };
    },
  ),
  route('POST /users/:id/blocking', { scopes: `${READ} block.write`, limits: { user: 50 }, isEnterprise: true }, async (request) => {
    const [viewer, person] = await pairInBody(request);
    request.snapshot.relations.setBlock(viewer.id, person.id, true, request.nowMs);
    return { data: { blocking: true } };
  }),
  route(
    'DELETE /users/:source/blocking/:target',
    { scopes: `${READ} block.write`, limits: { user: 50 }, isEnterprise: true },
    (request) => {
      const [viewer, person] = pairInPath(request);
      request.snapshot.relations.setBlock(viewer.id, person.id, false, request.nowMs);
      return { data: { blocking: false } };
    },
  ),
];

function lookUp(values: readonly string[], parameter: string, request: XRequest): JsonObject {
  const { snapshot, settings } = request;
  const isUsername = parameter.startsWith('username');
  const wrong = values.find((value) => !(isUsername ? /^[A-Za-z0-9_]{1,20}$/.test(value) : isId(value)));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, 'is not valid');
  const found: WorldPerson[] = [];
  const errors: JsonObject[] = [];
  for (const value of values) {
    const person = isUsername ? findByUsername(value, snapshot.people) : findById(value, snapshot.people);
    const named = { type: 'user', parameter, value };
    if (!person) errors.push(missing(named));
    else if (settings.suspended.has(person.id)) errors.push(suspended(named));
    else found.push(person);
  }
  return answerUsers(found, request, { errors });
}

function peoplePage(ids: readonly string[], request: XRequest): JsonObject {
  const people = ids.flatMap((id) => request.snapshot.people.find(id) ?? []);
  return usersPage(people, request, { size: SIZE });
}

type Pair = readonly [WorldPerson, WorldPerson];

async function pairInBody(request: XRequest): Promise<Pair> {
  const viewer = viewerInPath(request);
  const { target_user_id: id } = await bodyOf(Target, request);
  return [viewer, otherPerson(id, viewer, request)];
}

function pairInPath(request: XRequest): Pair {
  const viewer = viewerInPath(request, 'source');
  return [viewer, otherPerson(idIn(request, 'target'), viewer, request)];
}

function otherPerson(id: string, viewer: WorldPerson, { snapshot }: XRequest): WorldPerson {
  const person = findById(id, snapshot.people);
  if (!person) throw notFound();
  if (person.id === viewer.id) throw invalid({ parameters: { target_user_id: [id] }, message: 'You cannot do this to yourself.' });
  return person;
}
