import type { JsonObject } from '#src/operation/json.ts';
import { isAbout } from '../../social/search.ts';
import type { WorldPerson } from '../../world/world.ts';
import { findById, findByUsername } from '../ids/user-ids.ts';
import { isId } from '../ids/snowflake.ts';
import { invalidParameter, missing, suspended, type Named } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { answerUser, answerUsers, usersPage } from '../wire/answer.ts';
import { PAGED, signedIn, USER_KINDS, valuesOf } from './parameters.ts';

const MOST_IDS = 100;
const USERNAME = /^[A-Za-z0-9_]{1,20}$/;
const scopes = ['users.read', 'tweet.read'];
const access = { scopes, app: true };
const limits = { app: 300, user: 900 };
const seen = { fields: USER_KINDS, expands: 'user' } as const;

interface Lookup {
  readonly found: readonly WorldPerson[];
  readonly errors: readonly JsonObject[];
}

function lookUp(named: readonly Named[], find: (value: string) => WorldPerson | undefined, { settings }: XRequest): Lookup {
  const looked = named.map((one) => ({ one, person: find(one.value) }));
  return {
    found: looked.flatMap(({ person }) => (person && !settings.suspended.has(person.id) ? [person] : [])),
    errors: looked.flatMap(({ one, person }) => {
      if (!person) return [missing(one)];
      return settings.suspended.has(person.id) ? [suspended(one)] : [];
    }),
  };
}

function byIds(ids: readonly string[], parameter: string, request: XRequest): Lookup {
  const wrong = ids.find((id) => !isId(id));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, 'is not valid');
  const named = ids.map((value) => ({ type: 'user', parameter, value }));
  return lookUp(named, (id) => findById(id, request.moment.people), request);
}

function byUsernames(usernames: readonly string[], parameter: string, request: XRequest): Lookup {
  const wrong = usernames.find((username) => !USERNAME.test(username));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, 'does not match ^[A-Za-z0-9_]{1,15}$');
  const named = usernames.map((value) => ({ type: 'user', parameter, value }));
  return lookUp(named, (username) => findByUsername(username, request.moment.people), request);
}

function one({ found: [person], errors }: Lookup, request: XRequest): JsonObject {
  return person ? answerUser(person, request) : { errors };
}

/** Who somebody is. */
export const usersRoutes: readonly XRoute[] = [
  {
    method: 'GET',
    path: '/users/me',
    access: { scopes },
    limits: { user: 75 },
    ...seen,
    answer: (request) => answerUser(signedIn(request), request),
  },
  {
    method: 'GET',
    path: '/users/by/username/:username',
    access,
    limits,
    ...seen,
    answer: (request) => one(byUsernames([request.param('username')], 'username', request), request),
  },
  {
    method: 'GET',
    path: '/users/by',
    access,
    limits,
    ...seen,
    parameters: ['usernames'],
    answer(request) {
      const { found, errors } = byUsernames(valuesOf(request, 'usernames', MOST_IDS), 'usernames', request);
      return answerUsers(found, { request, errors });
    },
  },
  {
    method: 'GET',
    path: '/users/search',
    access: { scopes },
    limits: { app: 300, user: 900 },
    ...seen,
    parameters: ['query', 'next_token', ...PAGED],
    answer(request) {
      const { moment } = request;
      const query = request.query.get('query') ?? '';
      if (query === '' || query.length > 50) throw invalidParameter('query', query, 'is not between 1 and 50 characters long');
      const counted = moment.people.all
        .filter((person) => isAbout(person, query))
        .map((person) => ({ person, followers: moment.relations.followersOf(person.id).length }));
      const best = counted.toSorted((a, b) => b.followers - a.followers).map(({ person }) => person);
      return usersPage(best, request, { size: { least: 1, most: 1000, usual: 100 }, counts: false });
    },
  },
  {
    method: 'GET',
    path: '/users',
    access,
    limits,
    ...seen,
    parameters: ['ids'],
    answer(request) {
      const { found, errors } = byIds(valuesOf(request, 'ids', MOST_IDS), 'ids', request);
      return answerUsers(found, { request, errors });
    },
  },
  {
    method: 'GET',
    path: '/users/:id',
    access,
    limits,
    ...seen,
    answer: (request) => one(byIds([request.param('id')], 'id', request), request),
  },
];
