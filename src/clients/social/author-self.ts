import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { catalogueOf } from '#src/clients/operation/declared.ts';
import { platformTopics, type SocialPlatform } from './social.ts';

/** The fields of records that hold an author. */
const AUTHORS: ReadonlySet<string> = new Set(['author', 'sender']);
const WRITES: ReadonlySet<string> = new Set(
  [...catalogueOf({ social: platformTopics }).values()].flatMap(({ kind, name }) => (kind === 'write' ? name : [])),
);

const DAY_MS = 24 * 60 * 60_000;
/** A platform may bill a refused request, so Fanfare does not repeat it with each read. */
const REFUSED_MS = 60 * 60_000;
/** Faults that end by themselves. */
const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited']);

type Primitive = (params: never, options: CallOptions) => Promise<unknown>;

/** The platform, whose reads state for each author whether it is the account itself. Results of writes stay unchanged, because a request after a write could lose its outcome. */
export function withSelf(platform: SocialPlatform, clock: Clock): SocialPlatform {
  const { getUserInfo } = platform.operations;
  let known: { readonly id: string | undefined; readonly untilMs: number } | undefined;

  /** The id of the signed-in account; undefined if there is none, or if the platform does not state it. */
  async function accountId(signal: AbortSignal | undefined): Promise<string | undefined> {
    if (known && clock.nowMs() < known.untilMs) return known.id;
    try {
      const user = await getUserInfo?.({}, { signal });
      known = { id: Array.isArray(user) ? undefined : user?.id, untilMs: clock.nowMs() + DAY_MS };
    } catch (error) {
      signal?.throwIfAborted();
      // Without the id, rules would answer the account's own posts, so the read fails and is repeated.
      if (known?.id === undefined && error instanceof PlatformError && PASSING.has(error.fault)) throw error;
      known = { id: known?.id, untilMs: clock.nowMs() + REFUSED_MS };
    }
    return known.id;
  }

  function reading(primitive: Primitive): Primitive {
    return async (params, options) => {
      const answer = await primitive(params, options);
      return hasAuthor(answer) ? setSelf(answer, await accountId(options.signal)) : answer;
    };
  }

  const operations = Object.entries(platform.operations as Readonly<Record<string, Primitive | undefined>>).map(
    ([name, primitive]) => [name, primitive && !WRITES.has(name) ? reading(primitive) : primitive] as const,
  );
  return { ...platform, operations: Object.fromEntries(operations) }; // each operation answers with the same records
}

function setSelf(value: unknown, accountId: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => setSelf(one, accountId));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, field]) => {
    const isAuthor = AUTHORS.has(key) && isRecord(field);
    return [key, isAuthor ? { ...field, self: accountId !== undefined && field['id'] === accountId } : setSelf(field, accountId)];
  });
  return Object.fromEntries(entries);
}

function hasAuthor(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAuthor);
  return isRecord(value) && Object.entries(value).some(([key, field]) => (AUTHORS.has(key) && isRecord(field)) || hasAuthor(field));
}

/** Whether a value is a plain object: dates and instances of classes stay unchanged. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
