import { untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Fields } from './wire/fields.ts';

interface AskOptions {
  readonly endpoint: string;
  /** Without it, the request is made once and without field parameters. */
  readonly fields: Fields | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Makes a request with the field parameters that the endpoint accepts. */
export type AskWithFields = <T>(options: AskOptions, ask: (query: Query) => Promise<T>) => Promise<T>;

/** X renames its parameters endpoint by endpoint: the list that an endpoint accepted is tried first the next time. */
export function acceptedFields(): AskWithFields {
  /** By endpoint, the place in `Fields` of the parameters that it accepted. */
  const accepted = new Map<string, number>();
  /** First requests that are still running: later requests wait for them, so that at most one is refused. */
  const firstRequests = new Map<string, Promise<void>>();

  async function tryEach<T>(endpoint: string, fields: Fields, ask: (query: Query) => Promise<T>): Promise<T> {
    const preferred = accepted.get(endpoint) ?? 0;
    const places = [...fields.keys()].toSorted((one, other) => Number(other === preferred) - Number(one === preferred));
    let refusal: unknown;
    for (const place of places) {
      try {
        const answer = await ask(fields[place] ?? {});
        accepted.set(endpoint, place);
        return answer;
      } catch (error) {
        if (!(error instanceof PlatformError) || error.status !== 400 || error.cause !== 'fields') throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  return async ({ endpoint, fields, signal }, ask) => {
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
  };
}
