import type { z } from 'zod';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { postId } from '../ids/post-ids.ts';
import { isId } from '../ids/snowflake.ts';
import { findById, userId } from '../ids/user-ids.ts';
import { invalid, invalidParameter, missing, notAuthorized, suspended, unauthorized, XProblem } from '../problem.ts';
import type { XRequest } from '../request.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The kinds of fields that posts bring with them. */
export const POST_KINDS = ['tweet', 'user', 'media', 'poll', 'place'] as const;
export const USER_KINDS = ['user', 'tweet'] as const;
export const PAGED = ['max_results', 'pagination_token'] as const;
export const BOUNDED = ['start_time', 'end_time', 'since_id', 'until_id'] as const;

/** Who is signed in; every route that asks has refused the app before. */
export function signedIn({ viewer }: Pick<XRequest, 'viewer'>): WorldPerson {
  if (!viewer) throw unauthorized();
  return viewer;
}

/** The signed-in account, which the path has to name. */
export function ownId(request: XRequest): WorldPerson {
  const viewer = signedIn(request);
  const id = idIn(request, 'id');
  if (id === userId(viewer)) return viewer;
  throw invalidParameter('id', id, `must be the same as the authenticating user [${userId(viewer)}]`);
}

/** An id in the path. */
export function idIn({ param }: XRequest, name: string): string {
  const id = param(name);
  if (!isId(id)) throw invalidParameter(name, id, 'is not valid');
  return id;
}

/** The values of a parameter that are parted by commas. */
export function valuesOf({ query }: XRequest, name: string, most: number): readonly string[] {
  const values = (query.get(name) ?? '').split(',').filter((value) => value !== '');
  if (values.length === 0) throw invalid({ parameters: { [name]: [] }, message: `The \`${name}\` query parameter can not be empty` });
  if (values.length > most) {
    throw invalid({
      parameters: { [name]: [values.join(',')] },
      message: `The number of values in the \`${name}\` query parameter list [${values.length}] is not between 1 and ${most}`,
    });
  }
  return values;
}

/** Somebody whose things are asked for; what cannot be shown is an answer of its own, with nothing but `errors`. */
export function personShown(request: XRequest, { name = 'id', guarded = true } = {}): WorldPerson {
  const { moment, settings, viewer } = request;
  const id = idIn(request, name);
  const person = findById(id, moment.people);
  const named = { type: 'user', parameter: name, value: id };
  if (!person) throw new XProblem(200, { errors: [missing(named)] });
  if (settings.suspended.has(person.id)) throw new XProblem(200, { errors: [suspended(named)] });
  const isOpen =
    !moment.people.isProtected(person.id) ||
    viewer?.id === person.id ||
    (viewer !== undefined && moment.relations.follows(viewer.id, person.id));
  if (guarded && !isOpen) throw new XProblem(200, { errors: [notAuthorized(named)] });
  return person;
}

/** A body of the right form; refuses any other, naming the places. */
export async function bodyOf<T>(form: z.ZodType<T>, { json }: XRequest): Promise<T> {
  const body = form.safeParse(await json());
  if (body.success) return body.data;
  throw invalid(
    ...body.error.issues.map(({ path, message }) => ({ message: `$${path.map((part) => `.${String(part)}`).join('')}: ${message}` })),
  );
}

/** Those posts that lie between what the query names. */
export function bounded(posts: readonly StoredPost[], { query }: XRequest): readonly StoredPost[] {
  const [from, to] = [instantIn(query, 'start_time'), instantIn(query, 'end_time')];
  const [since, until] = [idOf(query, 'since_id'), idOf(query, 'until_id')];
  return posts.filter((post) => {
    if (from !== undefined && post.createdAtMs < from) return false;
    if (to !== undefined && post.createdAtMs >= to) return false;
    return (since === undefined || BigInt(postId(post)) > since) && (until === undefined || BigInt(postId(post)) < until);
  });
}

/** An instant of the query. */
export function instantIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw invalidParameter(name, text, 'is not a valid RFC3339 datetime');
  return atMs;
}

function idOf(query: URLSearchParams, name: string): bigint | undefined {
  const id = query.get(name);
  if (id === null) return undefined;
  if (!isId(id)) throw invalidParameter(name, id, 'is not valid');
  return BigInt(id);
}
