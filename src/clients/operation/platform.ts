import type { Page } from '#src/clients/paging/page.ts';
import type { CallOptions, ListOptions, PagingKey, WriteOptions } from './call.ts';
import type { Capability } from './capability.ts';
import type { JsonObject } from './json.ts';
import type { Notifier } from './notifier.ts';
import type { Omission } from './part.ts';
import type { PostDefaults } from './post-defaults.ts';
import type { TextLimit } from './text/limit.ts';
import type { DeclaredList, DeclaredRead, DeclaredWrite } from './declared.ts';

/** The options of a list operation. */
export interface PageOptions extends ListOptions {
  /** See `RoundOptions.reader`. */
  readonly reader?: string | undefined;
  /** The platform's cursor; absent for the first page. */
  readonly cursor?: string | undefined;
  /**
   * Announces the cursor of the next page before the items of this page are read. Resolves when a wanted page is requested. The cursor of
   * the finished page takes precedence.
   */
  readonly onNext?: ((cursor: string) => Promise<void>) | undefined;
}

/** What is known of an earlier attempt at a write. */
export interface RecoverOptions extends CallOptions {
  readonly key: string;
  readonly since: Date;
  /** See `WriteOptions.decidedAt`. */
  readonly decidedAt?: Date | undefined;
  /** Ids of records that other writes created since two days before `since`. None of them is the result. */
  readonly taken: ReadonlySet<string>;
  /** What the result must mention if the state before was lost. Without such words, an unexplained record leaves the outcome open. */
  readonly about?: readonly string[] | undefined;
  /** When the last attempt ended without an outcome; absent if it may have just ended. */
  readonly lostAt?: Date | undefined;
}

/** The outcome of an earlier attempt at a write. */
export type Recovery<R> = { readonly found: R } | 'absent' | 'cannotTell';

/** The platform may still show the record of a successful write. From `conclusiveAt` on, its absence is conclusive. */
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

/** The operations of an adapter: one function per operation, for one page. A missing operation is unsupported. */
type Port<T> = { readonly [K in keyof T & string]?: Primitive<DeclaredOf<T[K]>> };

/** For each write that creates: finds the outcome of an earlier attempt. */
type Recoveries<T> = {
  readonly [K in keyof T & string as DeclaredOf<T[K]> extends DeclaredWrite ? K : never]?: DeclaredOf<T[K]> extends DeclaredWrite<
    infer P,
    infer R
  >
    ? (params: P, options: RecoverOptions) => Promise<Recovery<R> | Inconclusive>
    : never;
};

/** For some writes: a check of their parameters. */
type Checks<T> = {
  readonly [K in keyof T & string as DeclaredOf<T[K]> extends DeclaredWrite ? K : never]?: DeclaredOf<T[K]> extends DeclaredWrite<infer P>
    ? (params: P, options: CallOptions) => Promise<void>
    : never;
};

export type MissingParts = (params: JsonObject, options: CallOptions) => Promise<readonly Omission[]>;

/** The operations of all topics. */
export type All<T extends readonly unknown[]> = T extends readonly [infer Head, ...infer Rest] ? Head & All<Rest> : unknown;

/** An adapter for the operations of topics. */
export type PlatformOf<T extends readonly unknown[]> = Platform<All<T>>;

/** An adapter: one platform through one account. */
export interface Platform<T> {
  /** The platform, for example `twitch`. */
  readonly name: string;
  /** The name of the account in `fanfare.yaml`, or the platform's name. */
  readonly account: string;
  readonly operations: Port<T>;
  readonly recover?: Recoveries<T> | undefined;
  /** Tries the reads that find a lost post, and resolves with the errors of those that the platform refuses. */
  readonly recoveryProblems?: ((options: CallOptions) => Promise<readonly string[]>) | undefined;
  /** Whether the platform recognizes a repeated write by its key and its `since` at any later time; absent if it does not. */
  readonly keepsKeys?: boolean | ((operation: string) => boolean) | undefined;
  /** Whether the platform bills reads; absent if it does not. */
  readonly billsReads?: boolean | undefined;
  /** Whether the platform allows only few searches a day, top lists included; absent if it does not. */
  readonly limitsSearches?: boolean | undefined;
  /** The length limit of a post; a function if the server states it. */
  readonly textLimit?: TextLimit | (() => TextLimit) | undefined;
  /** The defaults of posts that Fanfare adds. */
  readonly postDefaults?: PostDefaults | undefined;
  /** Reads the settings of the server that no operation asks for, as the length limit of a post, and renews a sign-in that ends without use. */
  readonly learn?: ((options: CallOptions) => Promise<void>) | undefined;
  /** The signal for the requests of a call in a round, see `RoundOptions`; absent if equal requests share no response. */
  readonly inRound?: ((round: object, signal: AbortSignal | undefined) => AbortSignal) | undefined;
  /** Receives notifications of the platform; absent if it has none. */
  readonly notifier?: Notifier | undefined;
  /** For writes: reject with the error of parameters that the server refuses, beyond the capabilities. For previews. */
  readonly assertAccepts?: Checks<T> | undefined;
  /** The parts of a write that are not available now, for previews: files, mentions, tags. */
  readonly missingParts?: MissingParts | undefined;
  /** The support of every operation. */
  readonly capabilities: Readonly<Record<keyof T & string, Capability>>;
}
