import { untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Query } from '#src/http/request-parts.ts';
import { RefusedFields } from './refused-fields.ts';
import type { Fields } from './wire/fields.ts';

interface AskOptions {
  readonly endpoint: string;
  /** Absent if the endpoint has no field parameters. */
  readonly fields: Fields | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What an endpoint accepts. */
interface Accepted {
  /** The index of the vocabulary in `Fields`. */
  readonly vocabulary: number;
  /** The field parameters and values that X refused, for example `expansions=author_id`. */
  readonly refused: ReadonlySet<string>;
}

/** The fields that each endpoint accepts. */
export interface AcceptedFields {
  /** Makes a request with the field parameters that the endpoint accepts. */
  ask<T>(options: AskOptions, ask: (query: Query) => Promise<T>): Promise<T>;
  /** Whether X refused one of these fields or expansions at the endpoint, for example `GET /2/users/:id/tweets`. */
  lacks(endpoint: string, names: readonly string[]): boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * X renames its parameters one endpoint at a time, and some servers lack fields. Each endpoint is asked first with the parameters that it
 * last accepted. If X refuses both vocabularies, the fields that it names are left out, one after the other.
 */
export function acceptedFields(): AcceptedFields {
  const accepted = new Map<string, Accepted>();
  /** First requests in progress. Later requests wait for them, so that X refuses each field once. */
  const firstRequests = new Map<string, Promise<void>>();

  async function tryEach<T>(endpoint: string, fields: Fields, ask: (query: Query) => Promise<T>): Promise<T> {
    const { vocabulary: preferred, refused } = accepted.get(endpoint) ?? { vocabulary: 0, refused: NONE };
    const order = [...fields.keys()].toSorted((one, other) => Number(other === preferred) - Number(one === preferred));
    const refusals: { readonly vocabulary: number; readonly refused: ReadonlySet<string>; readonly error: PlatformError }[] = [];

    async function attempt(vocabulary: number, without: ReadonlySet<string>): Promise<{ readonly answer: T } | PlatformError> {
      try {
        const answer = await ask(queryWithout(fields[vocabulary] ?? {}, without));
        accepted.set(endpoint, { vocabulary, refused: without });
        return { answer };
      } catch (error) {
        if (isAboutFields(error)) return error;
        throw error;
      }
    }

    for (const vocabulary of order) {
      const without = vocabulary === preferred ? refused : NONE;
      const result = await attempt(vocabulary, without);
      if (!(result instanceof PlatformError)) return result.answer;
      refusals.push({ vocabulary, refused: without, error: result });
    }
    // A vocabulary whose parameter X does not know comes last.
    for (const { vocabulary, refused: before, error: first } of refusals.toSorted(
      (one, other) => strangeness(one.error) - strangeness(other.error),
    )) {
      const query = fields[vocabulary] ?? {};
      let without = before;
      for (let error = first; ;) {
        const more = refusedIn(queryWithout(query, without), error);
        if (more.length === 0) break;
        without = new Set([...without, ...more]);
        const result = await attempt(vocabulary, without);
        if (!(result instanceof PlatformError)) return result.answer;
        error = result;
      }
    }
    throw refusals[0]?.error ?? new Error(`${endpoint} has no field parameters`);
  }

  return {
    async ask({ endpoint, fields, signal }, ask) {
      if (fields === undefined) return ask({});
      const first = firstRequests.get(endpoint);
      if (first) await untilAborted(first, signal);
      if (accepted.has(endpoint) || firstRequests.has(endpoint)) return tryEach(endpoint, fields, ask);
      const asking = tryEach(endpoint, fields, ask);
      const settled = asking.then(
        () => undefined,
        () => undefined,
      );
      firstRequests.set(endpoint, settled);
      try {
        return await asking;
      } finally {
        firstRequests.delete(endpoint);
      }
    },

    lacks(endpoint, names) {
      const { refused = NONE } = accepted.get(endpoint) ?? {};
      return [...refused].some((one) => names.includes(one.slice(one.indexOf('=') + 1)));
    },
  };
}

function isAboutFields(error: unknown): error is PlatformError & { readonly cause: RefusedFields } {
  return error instanceof PlatformError && error.status === 400 && error.cause instanceof RefusedFields;
}

/** 1 if X refuses a whole parameter, and 0 if it refuses values only. */
function strangeness({ cause }: PlatformError): number {
  return cause instanceof RefusedFields && [...cause.names].some((name) => name.endsWith('.fields')) ? 1 : 0;
}

/** The parameters and values of the query that X refused: the named values, or else the named parameters. */
function refusedIn(query: Query, { cause }: PlatformError): readonly string[] {
  if (!(cause instanceof RefusedFields)) return [];
  const { names, parameters } = cause;
  const entries = Object.entries(query);
  const values = entries.flatMap(([parameter, value]) =>
    valuesIn(value).flatMap((name) =>
      names.has(name) && (parameters.size === 0 || parameters.has(parameter)) ? [`${parameter}=${name}`] : [],
    ),
  );
  if (values.length > 0) return values;
  const named = entries.flatMap(([parameter]) => (names.has(parameter) ? [parameter] : []));
  return named.length > 0 ? named : entries.flatMap(([parameter]) => (parameters.has(parameter) ? [parameter] : []));
}

function queryWithout(query: Query, refused: ReadonlySet<string>): Query {
  if (refused.size === 0) return query;
  const left = Object.entries(query).flatMap(([parameter, value]): (readonly [string, string])[] => {
    const values = valuesIn(value).filter((name) => !refused.has(`${parameter}=${name}`));
    return refused.has(parameter) || values.length === 0 ? [] : [[parameter, values.join(',')]];
  });
  return Object.fromEntries(left);
}

function valuesIn(value: Query[string]): readonly string[] {
  return typeof value === 'string' ? value.split(',') : [];
}
