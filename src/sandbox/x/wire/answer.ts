import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import { latestOf, type PostVersion } from '../ids/post-ids.ts';
import type { StoredPost } from '../../social/posts.ts';
import { pageOf, type PageOptions, type XPage } from '../paging.ts';
import type { XRequest } from '../request.ts';
import { Includes } from './includes.ts';
import { toTweet } from './post.ts';
import { toXUser } from './user.ts';
import { viewOf, type View } from './view.ts';

/** What of an answer was not to be had. */
type Errors = readonly JsonObject[];

export interface AnswerOptions {
  readonly request: XRequest;
  readonly errors?: Errors;
  readonly meta?: JsonObject;
}

export interface ManyAnswer extends JsonObject {
  readonly data?: readonly JsonObject[];
}

/** Things as rows, what the expansions want beside them, and what was not to be had; lists that are empty are left out. */
export function answerMany<T>(
  things: readonly T[],
  toRow: (thing: T, view: View, includes: Includes) => JsonObject,
  { request, errors = [], meta }: AnswerOptions,
): ManyAnswer {
  const view = viewOf(request);
  const includes = new Includes(view);
  const data = things.map((thing) => toRow(thing, view, includes));
  const beside = includes.toJson();
  const lacking = [...errors, ...view.errors];
  return {
    ...(data.length > 0 ? { data } : {}),
    ...(beside ? { includes: beside } : {}),
    ...(lacking.length > 0 ? { errors: lacking } : {}),
    ...(meta ? { meta } : {}),
  };
}

/** The answer of one thing, out of that of many. */
export function onlyOne({ data, ...beside }: ManyAnswer): JsonObject {
  return { data: data?.[0], ...beside };
}

/** One post. */
export function answerPost(version: PostVersion, request: XRequest): JsonObject {
  return onlyOne(answerPosts([version], { request }));
}

/** Posts. */
export function answerPosts(versions: readonly PostVersion[], options: AnswerOptions): ManyAnswer {
  return answerMany(versions, toRow, options);

  function toRow(version: PostVersion, view: View, includes: Includes): JsonObject {
    includes.addBeside(version);
    return toTweet(version, view);
  }
}

/** One account. */
export function answerUser(person: WorldPerson, request: XRequest): JsonObject {
  return onlyOne(answerUsers([person], { request }));
}

/** Accounts. */
export function answerUsers(people: readonly WorldPerson[], options: AnswerOptions): ManyAnswer {
  return answerMany(people, toRow, options);

  function toRow(person: WorldPerson, view: View, includes: Includes): JsonObject {
    const user = toXUser(person, view);
    for (const name of ['pinned_tweet_id', 'most_recent_tweet_id']) {
      const id = user[name];
      const version = view.asked.expansions.has(name) && typeof id === 'string' ? view.findPost(id) : undefined;
      if (version) includes.addTweet(version);
    }
    return user;
  }
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
