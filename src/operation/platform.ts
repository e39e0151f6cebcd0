import type { Page } from '#src/paging/page.ts';
import type { CallOptions, PagingKey, WriteOptions } from './call.ts';
import type { Capability } from './capability.ts';
import type { JsonObject } from './json.ts';
import type { Omission } from './part.ts';
import type { TextLimit } from './text/limit.ts';
import type { DeclaredList, DeclaredRead, DeclaredWrite } from './declared.ts';

/** What a list primitive gets beside its parameters. */
export interface PageOptions extends CallOptions {
  /** The platform's own cursor; absent for the first page. */
  readonly cursor?: string | undefined;
  /**
   * Told where the next page begins before the items of this one are made; resolves when that page is asked for, if it is wanted.
   * Where the page itself says another cursor in the end, or none, that one counts.
   */
  readonly onNext?: ((cursor: string) => Promise<void>) | undefined;
}

/** What is known of an earlier attempt at a write. */
export interface RecoverOptions extends CallOptions {
  readonly key: string;
  readonly since: Date;
  /** Ids of records that other writes made since then, and in the two days before: none of them is the one looked for. */
  readonly taken: ReadonlySet<string>;
  /**
   * What the record names, if it may say anything else: the state that knew it was lost. Where it names nothing, a record that nothing else
   * explains leaves it in doubt.
   */
  readonly about?: readonly string[] | undefined;
  /** When the last attempt ended without an outcome; absent: it may have ended a moment ago. */
  readonly lostAt?: Date | undefined;
}

/** Whether an earlier attempt at a write went through. */
export type Recovery<R> = { readonly found: R } | 'absent' | 'cannotTell';

/** The platform may still show the record of a write that went through: from `conclusiveAt` on, its absence means something. */
export interface Inconclusive {
  readonly conclusiveAt: Date;
}

type Primitive<D> =
  D extends DeclaredList<infer P, infer T>
    ? (params: Omit<P, PagingKey>, options: PageOptions) => Promise<Page<T>>
    : D extends DeclaredWrite<infer P, infer R>
      ? (params: P, options: WriteOptions) => Promise<R>
      : D extends DeclaredRead<infer P, infer R>
        ? (params: P, options: CallOptions) => Promise<R>
        : never;

type DeclaredOf<O> = O extends { readonly declared: infer D } ? D : never;

/** The operations of `T` by name, without the `iter` twins. */
type OperationName<T> = { [K in keyof T & string]: K extends `iter${string}` ? never : K }[keyof T & string];

/** What an adapter fills: one page-level primitive an operation. What is missing is unsupported. */
type Port<T> = { readonly [K in OperationName<T>]?: Primitive<DeclaredOf<T[K]>> };

/** Beside a write that creates: what became of an earlier attempt at it. */
type Recoveries<T> = {
  readonly [K in OperationName<T> as DeclaredOf<T[K]> extends DeclaredWrite ? K : never]?: DeclaredOf<T[K]> extends DeclaredWrite<
    infer P,
    infer R
  >
    ? (params: P, options: RecoverOptions) => Promise<Recovery<R> | Inconclusive>
    : never;
};

export type MissingParts = (params: JsonObject, options: CallOptions) => Promise<readonly Omission[]>;

/** An adapter: one platform through one account, as a plain object. */
export interface Platform<T> {
  /** The platform, as `twitch`. */
  readonly name: string;
  /** Whose account it speaks through: the name in `fanfare.yaml`, or the platform's own. */
  readonly account: string;
  readonly operations: Port<T>;
  readonly recover?: Recoveries<T> | undefined;
  /** Whether a write that comes again under its key is known for the same one, however late; absent: nobody can rely on that. */
  readonly keepsKeys?: boolean | ((operation: string) => boolean) | undefined;
  /** How long a post may be; a function where the platform itself tells, and may tell later. */
  readonly textLimit?: TextLimit | (() => TextLimit) | undefined;
  /** Learns what only the platform can tell and no operation asks for first, as how long a post may be. */
  readonly learn?: ((options: CallOptions) => Promise<void>) | undefined;
  /** The parts of a write that cannot be had now, so that a preview shows them: files at addresses, mentions, tags. */
  readonly missingParts?: MissingParts | undefined;
  /** What it can do, for every operation there is. */
  readonly capabilities: Readonly<Record<OperationName<T>, Capability>>;
}
