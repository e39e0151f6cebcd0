import type { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredPost } from '../social/posts.ts';
import type { SocialRequest } from '../social/request.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Expandable, Kind, Selection } from './fields.ts';
import { findById, isId, postId, userId, type PostVersion } from './ids.ts';
import type { XMedia } from './media.ts';
import { invalid, invalidParameter, missing, missingTarget, notAuthorized, suspended, unauthorized, XProblem } from './problem.ts';
import type { Limits } from './rate-limits.ts';
import type { Settings } from './settings.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** A request and the state that it sees. */
export interface XRequest extends Omit<SocialRequest, 'viewer'> {
  /** The signed-in account; absent with the token of the app. */
  readonly viewer: WorldPerson | undefined;
  readonly findPost: (id: string) => PostVersion | undefined;
  readonly query: URLSearchParams;
  /** A part of the path. */
  readonly param: (name: string) => string;
  /** The JSON body. Refuses a body that is not JSON. */
  readonly json: () => Promise<unknown>;
  readonly contentType: string;
  readonly bytes: () => Promise<Buffer>;
  readonly selection: Selection;
  readonly xMedia: XMedia;
  readonly settings: Settings;
  readonly path: string;
  readonly nowMs: number;
}

/** An endpoint. */
export interface XRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/2`. */
  readonly path: string;
  /** The scopes that an OAuth 2 token needs. */
  readonly scopes: string;
  readonly limits: Limits;
  /** `app`: the token of the app is also accepted. `oauth2`: OAuth 1.0a is not accepted. */
  readonly callers?: 'app' | 'oauth2' | 'appOrOauth2';
  /** Whether only the Enterprise plan includes it. */
  readonly isEnterprise?: boolean;
  /** The parameters of the query, without those for fields. */
  readonly parameters?: readonly string[];
  readonly fields?: readonly Kind[];
  readonly expands?: Expandable;
  /** Whether its items count as posts read. */
  readonly readsPosts?: boolean;
  readonly status?: 201;
  answer(request: XRequest): JsonObject | Promise<JsonObject>;
}

/** An endpoint. `name` is the method and the path, such as `GET /users/me`. */
export function route(
  name: `${XRoute['method']} /${string}`,
  options: Omit<XRoute, 'method' | 'path' | 'answer'>,
  answer: XRoute['answer'],
): XRoute {
  const [method, path] = name.split(' ') as [XRoute['method'], string]; // the type of `name`
  return { ...options, method, path, answer };
}

export const READ = 'tweet.read users.read';
export const PAGED = ['max_results', 'pagination_token'] as const;
export const BOUNDED = ['start_time', 'end_time', 'since_id', 'until_id'] as const;
/** Routes that answer with posts, and routes that answer with accounts. */
export const POSTS = { fields: ['tweet', 'user', 'media', 'poll', 'place'], expands: 'tweet', readsPosts: true } as const;
export const USERS = { fields: ['user', 'tweet'], expands: 'user' } as const;

/** The signed-in account. Routes without app access always have one. */
export function signedIn({ viewer }: Pick<XRequest, 'viewer'>): WorldPerson {
  if (!viewer) throw unauthorized();
  return viewer;
}

/** The signed-in account, which the path must name. */
export function viewerInPath(request: XRequest, name = 'id'): WorldPerson {
  const viewer = signedIn(request);
  const id = idIn(request, name);
  if (id === userId(viewer)) return viewer;
  throw invalidParameter(name, id, `must be the same as the authenticating user [${userId(viewer)}]`);
}

/** An id in the path. */
export function idIn({ param }: XRequest, name: string): string {
  const id = param(name);
  if (!isId(id)) throw invalidParameter(name, id, 'is not valid');
  return id;
}

/** The comma-separated values of a parameter. */
export function valuesOf({ query }: XRequest, name: string): readonly string[] {
  const values = (query.get(name) ?? '').split(',').filter((value) => value !== '');
  if (values.length === 0 || values.length > 100) {
    const message = `The number of values in the \`${name}\` query parameter list [${values.length}] is not between 1 and 100`;
    throw invalid({ parameters: { [name]: [values.join(',')] }, message });
  }
  return values;
}

/** The account in the path. An account that the viewer cannot see is an answer with `errors` alone. */
export function personShown(request: XRequest): WorldPerson {
  const { snapshot, settings, viewer } = request;
  const id = idIn(request, 'id');
  const person = findById(id, snapshot.people);
  const named = { type: 'user', parameter: 'id', value: id };
  if (!person) throw new XProblem(200, { errors: [missing(named)] });
  if (settings.suspended.has(person.id)) throw new XProblem(200, { errors: [suspended(named)] });
  const isFollower = viewer !== undefined && (viewer.id === person.id || snapshot.relations.follows(viewer.id, person.id));
  if (snapshot.people.isProtected(person.id) && !isFollower) throw new XProblem(200, { errors: [notAuthorized(named)] });
  return person;
}

/** The post with an id, or the post that a repost shows. */
export function originalOf(id: string, { findPost, snapshot }: XRequest): StoredPost | undefined {
  const post = findPost(id)?.post;
  return post?.repostOf === undefined ? post : snapshot.feed.find(post.repostOf);
}

/** The post that a write names. */
export function targetPost(id: string, request: XRequest): StoredPost {
  const post = originalOf(id, request);
  if (!post) throw missingTarget({ type: 'tweet', parameter: 'tweet_id', value: id });
  return post;
}

/** A body that fits the schema. The refusal names the wrong places. */
export async function bodyOf<T>(schema: z.ZodType<T>, { json }: XRequest): Promise<T> {
  const body = schema.safeParse(await json());
  if (body.success) return body.data;
  throw invalid(
    ...body.error.issues.map(({ path, message }) => ({ message: `$${path.map((part) => `.${String(part)}`).join('')}: ${message}` })),
  );
}

/** The posts within the bounds of the query. */
export function bounded(posts: readonly StoredPost[], { query }: XRequest): readonly StoredPost[] {
  const [from, to] = [instantIn(query, 'start_time') ?? -Infinity, instantIn(query, 'end_time') ?? Infinity];
  const [since, until] = [idParameter(query, 'since_id'), idParameter(query, 'until_id')];
  return posts.filter((post) => {
    if (post.createdAtMs < from || post.createdAtMs >= to) return false;
    return (since === undefined || BigInt(postId(post)) > since) && (until === undefined || BigInt(postId(post)) < until);
  });
}

export function instantIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!INSTANT.test(text)) throw invalidParameter(name, text, 'is not a valid RFC3339 datetime');
  return Date.parse(text);
}

function idParameter(query: URLSearchParams, name: string): bigint | undefined {
  const id = query.get(name);
  if (id === null) return undefined;
  if (!isId(id)) throw invalidParameter(name, id, 'is not valid');
  return BigInt(id);
}
