import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import { latestOf, type PostVersion } from '../ids/post-ids.ts';
import type { StoredPost } from '../../social/posts.ts';
import { pageOf, type PageOptions, type XPage } from '../paging.ts';
import type { XRequest } from '../request.ts';
import { Includes } from './includes.ts';
import { toTweet } from './post.ts';
import { toXUser } from './user.ts';
import { viewOf } from './view.ts';

/** What of an answer was not to be had. */
type Errors = readonly JsonObject[];

/** One post. */
export function answerPost(version: PostVersion, request: XRequest): JsonObject {
  const { data, ...beside } = answerPosts([version], { request });
  return { data: data?.[0], ...beside };
}

export interface PostsAnswer extends JsonObject {
  readonly data?: readonly JsonObject[];
}

/** Posts, what the expansions want beside them, and what was not to be had; lists that are empty are left out. */
export function answerPosts(
  versions: readonly PostVersion[],
  { request, errors = [], meta }: { readonly request: XRequest; readonly errors?: Errors; readonly meta?: JsonObject },
): PostsAnswer {
  const view = viewOf(request);
  const includes = new Includes(view);
  const data = versions.map((version) => {
    includes.addBeside(version);
    return toTweet(version, view);
  });
  return whole({ data, includes, errors: [...errors, ...view.errors], meta });
}

/** One account. */
export function answerUser(person: WorldPerson, request: XRequest): JsonObject {
  const { data, ...beside } = answerUsers([person], { request });
  return { data: data?.[0], ...beside };
}

/** Accounts, likewise. */
export function answerUsers(
  people: readonly WorldPerson[],
  { request, errors = [], meta }: { readonly request: XRequest; readonly errors?: Errors; readonly meta?: JsonObject },
): PostsAnswer {
  const view = viewOf(request);
  const includes = new Includes(view);
  const data = people.map((person) => {
    const user = toXUser(person, view);
    for (const name of ['pinned_tweet_id', 'most_recent_tweet_id']) {
      const id = user[name];
      const version = view.asked.expansions.has(name) && typeof id === 'string' ? view.findPost(id) : undefined;
      if (version) includes.addTweet(version);
    }
    return user;
  });
  return whole({ data, includes, errors: [...errors, ...view.errors], meta });
}

interface Parts {
  readonly data: readonly JsonObject[];
  readonly includes: Includes;
  readonly errors: Errors;
  readonly meta: JsonObject | undefined;
}

function whole({ data, includes, errors, meta }: Parts): PostsAnswer {
  const beside = includes.toJson();
  return {
    ...(data.length > 0 ? { data } : {}),
    ...(beside ? { includes: beside } : {}),
    ...(errors.length > 0 ? { errors } : {}),
    ...(meta ? { meta } : {}),
  };
}

type Paging = Pick<PageOptions<never>, 'size'> & { readonly counts?: boolean };

/** A page of a list of posts. */
export function postsPage(posts: readonly StoredPost[], request: XRequest, paging: Paging & { readonly ends?: boolean }): JsonObject {
  const { items, meta } = pageIn(posts.map(latestOf), { request, idOf: ({ id }) => id, ...paging });
  const ids = items.map(({ id }) => BigInt(id)).toSorted((a, b) => Number(a > b) - Number(a < b));
  const [oldest, newest] = [ids[0], ids.at(-1)];
  const ends = paging.ends && oldest !== undefined && newest !== undefined ? { newest_id: String(newest), oldest_id: String(oldest) } : {};
  return answerPosts(items, { request, meta: { ...ends, ...meta } });
}

/** A page of a list of accounts. */
export function usersPage(people: readonly WorldPerson[], request: XRequest, paging: Paging): JsonObject {
  const { items, meta } = pageIn(people, { request, idOf: ({ id }) => id, ...paging });
  return answerUsers(items, { request, meta });
}

/** A page of any list of a request. */
export function pageIn<T>(
  items: readonly T[],
  { request, ...options }: Omit<PageOptions<T>, 'query' | 'list' | 'fault'> & { readonly request: XRequest },
): XPage<T> {
  const { query, path, meeting } = request;
  return pageOf(items, { ...options, query, list: path, fault: meeting.fault });
}
