import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { readRows } from '#src/http/lenient.ts';
import { objectIn } from '#src/http/values.ts';
import { parseJson } from '#src/http/parse-json.ts';
import type { HttpResponse } from '#src/http/client.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import { faultOfProblem, meaningOfProblem, Problem } from '../errors.ts';
import { MediaRow } from './media.ts';
import { count, filled, maybe, rowsOf } from './parts.ts';
import { PlaceRow, PollRow, PostRow } from './post-row.ts';
import { UserRow } from './user.ts';

/** The expansions of a response. */
const Includes = z
  .object({
    users: rowsOf(UserRow),
    tweets: rowsOf(PostRow),
    posts: rowsOf(PostRow),
    media: rowsOf(MediaRow),
    polls: rowsOf(PollRow),
    places: rowsOf(PlaceRow),
  })
  .partial()
  .transform(({ users = [], tweets = [], posts = [], media = [], polls = [], places = [] }) => ({
    users: new Map(users.map((user) => [user.id, user])),
    posts: new Map([...tweets, ...posts].map((post) => [post.id, post])),
    media: new Map(media.map((one) => [one.key, one])),
    polls: new Map(polls.map((poll) => [poll.id, poll])),
    places: new Map(places.map((place) => [place.id, place])),
  }));
export type Includes = z.output<typeof Includes>;

const Meta = z.object({ next_token: maybe(filled), result_count: maybe(count) });

/** A parsed response. */
interface Envelope<T> {
  readonly data: T;
  readonly includes: Includes;
  /** The start of the next page. */
  readonly cursor: string | undefined;
  readonly problems: readonly Problem[];
  /** The unreadable rows. */
  readonly unreadable: readonly PartialError[];
}

const around = {
  includes: maybe(Includes).transform((includes) => includes ?? Includes.parse({})),
  meta: maybe(Meta),
  errors: rowsOf(Problem),
};

/** The schema of a list, parsed row by row. */
export function listOf<T>(row: z.ZodType<T>): z.ZodType<Envelope<readonly T[]>> {
  const Answer = z
    .object({ data: readRows(row, { isRequired: true }), ...around })
    .transform(({ data: { rows, partialErrors }, includes, meta, errors }) => ({
      data: rows,
      includes,
      cursor: meta?.next_token,
      problems: errors,
      unreadable: partialErrors,
    }));
  // X leaves an empty list out, but never both its number of rows and the reason.
  return z.preprocess((wire) => {
    const { meta, errors } = objectIn(wire) ?? {};
    return objectIn(meta) || Array.isArray(errors) ? { data: [], ...objectIn(wire) } : wire;
  }, Answer);
}

/** The schema of one record; undefined if the response has a problem instead. */
export function oneOf<T>(row: z.ZodType<T>): z.ZodType<Envelope<T | undefined>> {
  return z.object({ data: row.nullish(), ...around }).transform(({ data, includes, errors }) => ({
    data: data ?? undefined,
    includes,
    cursor: undefined,
    problems: errors,
    unreadable: [],
  }));
}

/** The requested record; throws if the response has a problem instead. */
export function required<T>({ data, problems }: Envelope<T | undefined>, what: string): T {
  if (data !== undefined) return data;
  const [problem] = problems;
  if (!problem) {
    const message = `x: ${what}: X returned no data and no reason: check the address of the API.`;
    throw new PlatformError(message, { platform: 'x', fault: 'malformed' });
  }
  throw refusal(problem, what, 'X does not return it.');
}

const Outcome = z.object({ data: z.unknown().optional(), errors: rowsOf(Problem) }).catch({ errors: [] });

/** The states that the response to a write names. */
const STATES = ['liked', 'retweeted', 'bookmarked', 'following', 'blocking', 'is_member'] as const;
const Stated = z.record(z.string(), z.unknown());

/** The response to a write; throws if it contains only a problem, or the opposite of the request. */
export function done(response: HttpResponse, what: string): HttpResponse {
  const { data, errors } = Outcome.parse(parseJson(response.text));
  const [problem] = errors;
  const refused = 'X did not perform the action.';
  if (problem && (data === undefined || data === null)) throw refusal(problem, what, refused);
  if (isOpposite(data, what.startsWith('DELETE'))) throw new PlatformError(`x: ${what}: ${refused}`, { platform: 'x', fault: 'rejected' });
  return response;
}

function isOpposite(data: unknown, ends: boolean): boolean {
  const stated = Stated.safeParse(data).data;
  if (!stated || stated['pending_follow'] === true) return false;
  return (ends && stated['deleted'] === false) || STATES.some((name) => stated[name] === ends);
}

/** The error for a problem with the record that was requested. */
export function refusal(problem: Problem, what: string, otherwise: string): PlatformError {
  const meaning = meaningOfProblem(problem);
  const fault = faultOfProblem(problem);
  const advice = meaning?.advice ?? (fault === 'missing' ? 'it does not exist, or the account cannot see it.' : otherwise);
  return new PlatformError(`x: ${what}: ${advice}`, { platform: 'x', fault, cause: meaning?.cause });
}

/** The title of a problem, if it is a short name. */
function reasonIn(title: string | null | undefined): string {
  return title && /^[A-Z][a-z]+(?: [A-Za-z]+){0,4}$/u.test(title) ? title : 'no reason given';
}

/** The request of a list. */
interface ListRequest {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/**
 * The rows of a list that are missing or unreadable. Problems of expansions, as of a deleted quoted post, do not count. Throws if the problem is with
 * the record whose list was requested, as with a suspended user, or with the whole request.
 */
export function partsOf(
  { data, problems, unreadable }: Pick<Envelope<readonly unknown[]>, 'data' | 'problems' | 'unreadable'>,
  { path, params = {} }: ListRequest,
): readonly PartialError[] | undefined {
  const failed = problems.filter(({ parameter }) => !parameter?.includes('.'));
  const requested = new Set(Object.values(params));
  const missing = failed.map((problem) => {
    const values = valuesOf(problem);
    const owner = values.find((value) => requested.has(value));
    if (data.length === 0 && (owner !== undefined || values.length === 0)) {
      throw refusal(problem, owner === undefined ? `GET ${path}` : `${kindIn(path)} ${owner}`, 'X does not return the list.');
    }
    return { fault: faultOfProblem(problem), message: `the answer of X is incomplete: ${reasonIn(problem.title)}.`, values };
  });
  const parts = [...missing, ...unreadable];
  return parts.length > 0 ? parts : undefined;
}

/** The ids or handles that a problem names. */
export function valuesOf({ value, resource_id: resource }: Problem): readonly string[] {
  const about = [resource ?? value].flat().filter((one) => typeof one === 'string' || typeof one === 'number');
  return about.map(String);
}

/** The kind of the record whose list has this path. */
function kindIn(path: string): string {
  if (path.startsWith('/2/tweets/')) return 'post';
  return path.startsWith('/2/lists/') ? 'list' : 'user';
}
