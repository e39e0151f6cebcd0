import type { Clock } from '#src/clock.ts';
import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { unionOf, writtenNamesIn } from '#src/rules/named-users.ts';
import type { PollOptions, PollResult, Query } from './query.ts';

/** The faults that may concern one name of a query only. */
const REFUSALS: ReadonlySet<Fault | undefined> = new Set(['missing', 'rejected', 'forbidden']);
/** The number of times that one poll is split in halves to find the names that a platform refuses. */
export const MOST_SPLITS = 16;
/** How long a refused name is left out. Then it is polled apart, because a platform may bill the other names of each refused request. */
const LEFT_OUT_MS = 3_600_000;
const MOST_REFUSED = 10_000;

type PollQuery = (query: Query, options: PollOptions) => Promise<PollResult>;

/** The refusal of the names of a part. */
interface Refusal {
  readonly names: readonly string[];
  readonly error: PlatformError;
}

/** A part of a poll, or the refusal of its names. */
type Part = PollResult | Refusal;

/**
 * Creates polls of queries with several names that continue without the names that the platform refuses, for example without an unknown user. The
 * result names them. They are polled again after an hour.
 */
export function createPollsOfNames({ poll, clock }: { readonly poll: PollQuery; readonly clock: Clock }): PollQuery {
  const refused = new Map<string, { readonly error: PlatformError; readonly untilMs: number }>();
  const keyOf = ({ verb, account }: Query, name: string): string => canonical([verb, account, name.toLowerCase()]);

  function leaveOut(query: Query, name: string, error: PlatformError): void {
    if (refused.size >= MOST_REFUSED) refused.clear();
    refused.set(keyOf(query, name), { error, untilMs: clock.nowMs() + LEFT_OUT_MS });
  }

  return async (query, options) => {
    const union = unionOf(query);
    const names = union?.hasEvery ? writtenNamesIn(query.params, union) : [];
    if (!union || names.length < 2) return poll(query, options);
    const [others, again, leftOut]: [string[], string[], Refusal[]] = [[], [], []];
    const nowMs = clock.nowMs();
    for (const name of names) {
      const known = refused.get(keyOf(query, name));
      if (!known) others.push(name);
      else if (nowMs >= known.untilMs) again.push(name);
      else leftOut.push({ names: [name], error: known.error });
    }
    if (leftOut.length === names.length) return poll(query, options);
    let splits = 0;

    async function pollParts(some: readonly string[]): Promise<readonly Part[]> {
      const params: JsonObject = some.length === names.length ? query.params : { ...query.params, [union?.parameter ?? '']: some };
      try {
        return [await poll({ ...query, params }, options)];
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (some.length === 1 || splits === MOST_SPLITS) return [{ names: some, error }];
        splits += 1;
        const middle = Math.ceil(some.length / 2);
        return [...(await pollParts(some.slice(0, middle))), ...(await pollParts(some.slice(middle)))];
      }
    }

    const parts: Part[] = [];
    for (const some of [others, again]) if (some.length > 0) parts.push(...(await pollParts(some)));
    for (const name of again) refused.delete(keyOf(query, name));
    const failed = parts.flatMap((part) => ('error' in part ? [part] : []));
    for (const { names: some, error } of failed) for (const name of some.length === 1 ? some : []) leaveOut(query, name, error);
    if (failed[0] && failed.length === parts.length) throw failed[0].error;
    return joinParts([...parts, ...leftOut]);
  };
}

function joinParts(parts: readonly Part[]): PollResult {
  const read = parts.flatMap((part) => ('error' in part ? [] : [part]));
  const failed = parts.flatMap((part) => ('error' in part ? [part] : []));
  return {
    items: read.flatMap(({ items }) => items),
    approximate: read.some(({ approximate }) => approximate),
    partialErrors: [
      ...read.flatMap(({ partialErrors }) => partialErrors),
      ...failed.map(({ names: values, error: { message, fault } }) => ({ message, fault, values })),
    ],
    more: read.find(({ more }) => more)?.more,
  };
}

export function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && REFUSALS.has(error.fault);
}

/** Whether a result lacks names that the platform refused. */
export function hasRefusals({ partialErrors }: Pick<PollResult, 'partialErrors'>): boolean {
  return partialErrors.some(({ fault }) => REFUSALS.has(fault));
}
