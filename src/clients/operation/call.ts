import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { Page, Walk } from '#src/clients/paging/page.ts';
import { knownNameHint } from './closest-name.ts';
import type { Declared, DeclaredList, DeclaredRead, DeclaredWrite } from './declared.ts';

/** The options of a call beside its parameters. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal and leaves nothing running. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a read with pages. */
export interface ListOptions extends CallOptions {
  /** How many items of a page the caller needs, at least 1; not in rules. Only platforms that bill rows read fewer than a full page. */
  readonly rows?: number | undefined;
}

/** The options of a read that is made together with others. */
export interface RoundOptions extends CallOptions {
  /** Identifies reads that are made together, for example the polls of a tick: equal requests of a round share one response. */
  readonly round?: object | undefined;
  /** The delivery that reads; absent for a poll. */
  readonly reader?: string | undefined;
}

/** The options of a walk. */
export interface WalkCallOptions extends RoundOptions, ListOptions {
  /** Whether the caller wants all pages together. */
  readonly ahead?: boolean | undefined;
}

/** The options of a write, by which a repeat is recognized. */
export interface WriteOptions extends CallOptions {
  /**
   * The idempotency key, the same for every attempt. If an earlier attempt with this key may have succeeded, Fanfare searches the platform for
   * its record before it sends again, unless the platform recognizes the key. While the outcome is not known, the call rejects with the fault
   * `unanswered`. A write without a key has one attempt.
   */
  readonly key?: string | undefined;
  /**
   * The time of the first attempt, the same for every attempt. No record of the write is older. If it is more than a second ago, an earlier
   * process may have used the key, so Fanfare searches first.
   */
  readonly since?: Date | undefined;
  /**
   * The time at which the write was decided: the same for every attempt with this key, even if a lost state decided and sent it. Without it,
   * `since` is used.
   */
  readonly decidedAt?: Date | undefined;
}

/** The parameters of a call without any. */
export const noParams: z.ZodType<object, object> = z.strictObject({});

/** The parameters of every list call. */
export const paging = {
  pages: z
    .union([z.int().min(1), z.literal('all')], { error: "expected a whole number of at least 1, or 'all'" })
    .default(1)
    .describe("The number of pages to fetch, or 'all'."),
  waitTime: z.number().min(0).default(2).describe('Seconds to wait between two pages.'),
  cursor: z.string().optional().describe('The start: the cursor from an earlier result of the same call.'),
};

/** The keys of `paging`, which platforms never receive. */
export type PagingKey = keyof typeof paging;

export const call = Symbol('call');
export const walk = Symbol('walk');
export const callOnce = Symbol('callOnce');

/** The object that has operations: `Bot` or `SocialAsync`. */
export interface Caller {
  readonly platformName: string;
  [call](declared: DeclaredRead | DeclaredWrite, params: unknown, options: WriteOptions & RoundOptions): Promise<unknown>;
  /** The same for a write that creates a record, which may be repeated with its key. */
  [callOnce](declared: DeclaredWrite, params: unknown, options: WriteOptions & { readonly key: string }): Promise<unknown>;
  [walk](declared: DeclaredList, params: Walk, options: WalkCallOptions): AsyncGenerator<Page<unknown>, void>;
}

/** Separates the options of a call from its parameters. */
export function partOptions(input: object): { readonly params: object; readonly options: WriteOptions } {
  const { signal, key, since, decidedAt, ...params }: WriteOptions = input;
  return { params, options: { signal, key, since, decidedAt } };
}

const KEY = { error: 'expected a string that is not empty' };
const DATE = { error: 'expected a valid Date' };
const Options = z.object({
  signal: z.instanceof(AbortSignal, { error: 'expected an AbortSignal' }).optional(),
  key: z.string(KEY).min(1, KEY).optional(),
  since: z.date(DATE).optional(),
  decidedAt: z.date(DATE).optional(),
});

/** Throws a `ValidationError` for an option of a wrong type. Programs in JavaScript can pass anything. */
export function assertOptions(name: string, options: WriteOptions): void {
  parseParams({ name, params: Options }, options);
}

/** Validates parameters; throws a `ValidationError` for the first invalid one. */
export function parseParams<P>({ name, params }: Pick<Declared, 'name'> & { readonly params: z.ZodType<P> }, input: unknown): P {
  const parsed = params.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const message = unknownOption(issue, params) ?? issue?.message;
  throw new ValidationError(`${name}: ${path === '' ? '' : `${path}: `}${message}`, { path, cause: parsed.error });
}

/** The message about an option that does not exist, with the option that was probably meant. */
function unknownOption(issue: z.core.$ZodIssue | undefined, params: z.ZodType): string | undefined {
  if (issue?.code !== 'unrecognized_keys' || issue.path.length > 0 || !(params instanceof z.ZodObject)) return undefined;
  const [key = ''] = issue.keys;
  return `there is no ${key}: ${knownNameHint(key, Object.keys(params.shape), 'it has no options')}`;
}
