import type { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import { ContainerPromise } from '#src/clients/paging/container-promise.ts';
import type { Container, Into } from '#src/clients/paging/container.ts';
import type { Page, Walk } from '#src/clients/paging/page.ts';
import { refuseForeignRecords } from './foreign-records.ts';
import { typeNameOf } from './parameters.ts';
import { assertOptions, call, callOnce, parseParams, partOptions, walk, type Caller, type ListOptions } from './call.ts';
import type { Declared, DeclaredList, DeclaredRead, DeclaredWrite, Effect, Publication, Watch } from './declared.ts';

/** A method with its declaration. It is a function type, so that go-to-definition has one target. */
export type Operation<A extends unknown[], R, D = unknown> = ((this: Caller, ...args: A) => R) & { readonly declared: D };

/** Declares a read operation; the result is the method. */
export function read<A extends unknown[], P, I extends object, R>(
  name: string,
  {
    watch,
    rereads,
    params,
    args,
    returns,
  }: {
    watch?: DeclaredRead['watch'];
    rereads?: DeclaredRead['rereads'];
    params: z.ZodType<P, I>;
    args: (...args: A) => I;
    returns: z.ZodType<R>;
  },
): Operation<A, Promise<R>, DeclaredRead<P, R>> {
  return once({ kind: 'read', name, watch, rereads, params, returns }, args);
}

/** Declares a write operation; the result is the method. */
export function write<A extends unknown[], P, I extends object, R>(
  name: string,
  {
    effect,
    publishes,
    answered,
    repliesTo,
    edits,
    removes,
    params,
    args,
    returns,
  }: {
    effect: Effect;
    publishes?: Publication;
    answered?: 'later';
    repliesTo?: 'command';
    edits?: keyof P & string;
    removes?: keyof P & string;
    params: z.ZodType<P, I>;
    args: (...args: A) => I;
    returns: z.ZodType<R>;
  },
): Operation<A, Promise<R>, DeclaredWrite<P, R>> {
  return once({ kind: 'write', name, effect, publishes, answered, repliesTo, edits, removes, params, returns }, args);
}

function once<A extends unknown[], R, D extends DeclaredRead<unknown, R> | DeclaredWrite<unknown, R>>(
  declared: D,
  args: (...args: A) => object,
): Operation<A, Promise<R>, D> {
  async function method(this: Caller, ...callArgs: A): Promise<R> {
    const { params, options } = partOptions(argumentsOf(declared, callArgs, { args, platform: this.platformName }));
    assertOptions(declared.name, options);
    const parsed = parseParams(declared, params);
    const { key } = options;
    const isRepeatable = declared.kind === 'write' && declared.effect === 'creates' && key !== undefined;
    const answer = await (isRepeatable ? this[callOnce](declared, parsed, { ...options, key }) : this[call](declared, parsed, options));
    return answer as R; // Port<T> made the adapter answer with R
  }
  return Object.assign(method, { declared });
}

/** Declares a read operation with pages; the result is the method. */
export function list<A extends unknown[], P extends Walk, I extends object, T, C extends Container<T>>(
  name: string,
  {
    watch,
    rankedBy,
    newestFirst,
    watchedWhere,
    params,
    args,
    item,
    into,
  }: {
    watch: Watch;
    rankedBy?: keyof T & string;
    newestFirst?: DeclaredList['newestFirst'];
    watchedWhere?: string;
    params: z.ZodType<P, I>;
    args: (...args: A) => I;
    item: z.ZodType<T>;
    into: Into<T, C>;
  },
): Operation<A, ContainerPromise<T, C>, DeclaredList<P, T>> {
  const declared: DeclaredList<P, T> = { kind: 'list', name, watch, rankedBy, newestFirst, watchedWhere, params, item, into };
  function method(this: Caller, ...callArgs: A): ContainerPromise<T, C> {
    return new ContainerPromise(into, (stop) => {
      // A list is no write, so `since` is one of its parameters.
      const { signal: callSignal, rows, ...input }: ListOptions = argumentsOf(declared, callArgs, { args, platform: this.platformName });
      assertOptions(name, { signal: callSignal });
      assertRows(name, rows);
      const signal = stop && callSignal ? AbortSignal.any([stop, callSignal]) : (stop ?? callSignal);
      const pages = this[walk](declared, parseParams(declared, input), { ahead: stop === undefined, rows, signal });
      return pages as AsyncGenerator<Page<T>, void>; // Port<T> made the adapter answer with pages of T
    });
  }
  return Object.assign(method, { declared });
}

/** Throws for a number of rows that no page has. Programs in JavaScript can pass anything. */
function assertRows(name: string, rows: number | undefined): void {
  if (rows === undefined || (Number.isSafeInteger(rows) && rows >= 1)) return;
  throw new ValidationError(`${name}: rows: expected a whole number of at least 1`, { path: 'rows' });
}

/** The arguments of a call as an object. An error in one of them names the operation. */
function argumentsOf<A extends unknown[], I extends object>(
  { name }: Pick<Declared, 'name'>,
  callArgs: A,
  { args, platform }: { readonly args: (...args: A) => I; readonly platform: string },
): I {
  try {
    refuseForeignRecords(platform, callArgs);
    if (areOptions(callArgs.slice(args.length))) {
      const input = args(...callArgs);
      if (typeNameOf(input) === 'object') return input;
    }
  } catch (error) {
    if (error instanceof ValidationError) throw new ValidationError(`${name}: ${error.message}`, { path: error.path, cause: error });
    // `args` only arranges values, so it fails only for a value of a wrong type.
    if (!(error instanceof TypeError)) throw error;
  }
  const types = callArgs.map(typeNameOf).join(', ');
  throw new ValidationError(`${name}: these types of arguments are not supported: ${types === '' ? 'none' : types}.`, { path: '' });
}

/** Whether the arguments after the positional ones are at most one object. Others would have no effect. */
function areOptions([options, ...others]: readonly unknown[]): boolean {
  return others.length === 0 && (options === undefined || typeNameOf(options) === 'object');
}

/** A list that is too short for a twin. */
const SHORT_LIST = 'getScheduledPosts';
type TwinName<Name extends string> = Name extends typeof SHORT_LIST
  ? never
  : Name extends `get${infer Rest}`
    ? `iter${Rest}`
    : `iter${Capitalize<Name>}`;

/** The `iter` twins of the lists in `T`: {@link pagesOf} as a method. */
export type Twins<T> = {
  readonly [K in keyof T & string as T[K] extends { readonly declared: DeclaredList } ? TwinName<K> : never]: T[K] extends Operation<
    infer A,
    ContainerPromise<infer I, infer C>
  >
    ? (this: Caller, ...args: A) => AsyncGenerator<[C, readonly I[]], void>
    : never;
};

/** The name of the `iter` twin of an operation, for example `iterStreams` of `getStreams`; undefined if it has none. */
export function twinName({ kind, name }: Pick<Declared, 'kind' | 'name'>): string | undefined {
  if (kind !== 'list' || name === SHORT_LIST) return undefined;
  return `iter${name.replace(/^get/u, '').replace(/^[a-z]/u, (letter) => letter.toUpperCase())}`;
}

/** The `iter` twin of a list, which yields one pair per page. */
export function pagesOf<A extends unknown[], T, C extends Container<T>>(get: Operation<A, ContainerPromise<T, C>>) {
  return function twin(this: Caller, ...callArgs: A): AsyncGenerator<[C, readonly T[]], void> {
    return get.apply(this, callArgs).pairs();
  };
}
