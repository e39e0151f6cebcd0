import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { Page, Walk } from '#src/paging/page.ts';
import type { Declared, DeclaredList, DeclaredRead, DeclaredWrite } from './declared.ts';

/** What a call carries beside its parameters. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal, and leaves nothing running. */
  readonly signal?: AbortSignal | undefined;
}

/** What a walk carries. */
export interface WalkCallOptions extends CallOptions {
  /** Whether whoever walks wants all pages, and none of them before the others. */
  readonly ahead?: boolean | undefined;
}

/** What a write carries, so that a repeat of the same write is known for one. */
export interface WriteOptions extends CallOptions {
  /** The same for every attempt at the same write; a write without one is an only attempt. */
  readonly key?: string | undefined;
  /** When the write was decided, as near as it is known: nothing of it is older. */
  readonly since?: Date | undefined;
}

/** The parameters of a call that takes none. */
export const noParams: z.ZodType<object, object> = z.strictObject({});

/** The parameters of every list call. */
export const paging = {
  pages: z
    .union([z.int().min(1), z.literal('all')])
    .default(1)
    .describe("How many pages to fetch, or 'all'."),
  waitTime: z.number().min(0).default(2).describe('Seconds to wait between two pages.'),
  cursor: z.string().optional().describe('Where to start: the cursor of an earlier answer to the same call.'),
};

/** The keys of `paging`, which no platform ever sees. */
export type PagingKey = keyof typeof paging;

export const call = Symbol('call');
export const walk = Symbol('walk');

/** What an operation is called on: `Bot` and `SocialAsync` are Callers. */
export interface Caller {
  [call](declared: DeclaredRead | DeclaredWrite, params: unknown, options: WriteOptions): Promise<unknown>;
  [walk](declared: DeclaredList, params: Walk, options: WalkCallOptions): AsyncGenerator<Page<unknown>, void>;
}

/** The call's options apart from its parameters. */
export function partOptions(input: object): { readonly params: object; readonly options: WriteOptions } {
  const { signal, key, since, ...params }: WriteOptions = input;
  return { params, options: { signal, key, since } };
}

/** Parameters as the operation takes them; a `ValidationError` names the first that it does not. */
export function parseParams<P>({ name, params }: Pick<Declared, 'name'> & { readonly params: z.ZodType<P> }, input: unknown): P {
  const parsed = params.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new ValidationError(`${name}: ${path === '' ? '' : `${path}: `}${issue?.message}`, { path, cause: parsed.error });
}
