import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Pictures } from '../pictures.ts';
import { Refusal } from '../../refusal.ts';
import type { Follows } from '../follows.ts';
import { type HelixRequest, malformed, wireInstant } from './request.ts';

const MOST_USERS = 100;

/** `GET /users`: the named users that exist. One invalid name fails the whole request. */
export function getUsers({ world, query, pictures }: HelixRequest): { readonly data: readonly JsonObject[] } {
  const names = [...query.all('id'), ...query.all('login')];
  if (names.length === 0) throw new Refusal(400, 'Must provide an ID, Login or OAuth Token');
  if (names.length > MOST_USERS) throw malformed('id', `the number of values must be less than or equal to ${MOST_USERS}`);
  const valid = query.all('id').every((id) => /^\d+$/.test(id)) && query.all('login').every((login) => /^\w{1,25}$/.test(login));
  if (!valid) throw new Refusal(400, 'Invalid login names, emails or IDs in request');

  const people = new Set(names.flatMap((name) => world.findPerson(name) ?? []));
  return { data: [...people].map((person) => toWire(person, pictures)) };
}

function toWire(person: WorldPerson, pictures: Pictures): JsonObject {
  return {
    id: person.id,
    login: person.handle,
    display_name: person.displayName,
    type: '',
    broadcaster_type: broadcasterType(person),
    description: person.bio,
    profile_image_url: pictures.avatar(person.id),
    offline_image_url: pictures.offline(person.id),
    view_count: 0,
    created_at: wireInstant(person.createdAt),
  };
}

function broadcasterType({ followerCount }: WorldPerson): 'partner' | 'affiliate' | '' {
  if (followerCount >= 50_000) return 'partner';
  return followerCount >= 1000 ? 'affiliate' : '';
}

const READ_FOLLOWERS = 'moderator:read:followers';

/** `GET /channels/followers`: the number of followers. Twitch lists followers only for the token of the broadcaster with the permission. */
export function getFollowers(follows: Follows): (request: HelixRequest) => JsonObject {
  return ({ world, query, token }) => {
    const person = world.findPerson(query.required('broadcaster_id'));
    if (!person) throw new Refusal(400, 'The ID in broadcaster_id is not valid');
    const all = follows.of(person.id);
    const total = person.followerCount + all.length;
    const isListed = token?.userId === person.id && token.scopes.includes(READ_FOLLOWERS);
    if (!isListed) return { total, data: [], pagination: {} };
    const userId = query.one('user_id');
    const listed = userId === undefined ? all : all.filter((one) => one.userId === userId);
    const from = Number(query.one('after') ?? 0);
    const to = from + query.first();
    const data = listed.slice(from, to).flatMap(({ userId, atMs }) => {
      const follower = world.findPerson(userId);
      const followed_at = new Date(atMs).toISOString();
      return follower ? [{ user_id: userId, user_login: follower.handle, user_name: follower.displayName, followed_at }] : [];
    });
    return { total, data, pagination: to < listed.length ? { cursor: String(to) } : {} };
  };
}
