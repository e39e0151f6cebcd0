import { ValidationError } from '#src/errors.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { walk as walkPages } from '#src/clients/paging/walk.ts';
import type { Page, Walk } from '#src/clients/paging/page.ts';
import {
  call,
  callOnce,
  walk,
  type Caller,
  type CallOptions,
  type RoundOptions,
  type WalkCallOptions,
  type WriteOptions,
  parseParams,
} from './call.ts';
import { assertSupported, type Capability } from './capability.ts';
import type { Declared, DeclaredList, DeclaredRead, DeclaredWrite } from './declared.ts';
import { pagesOf, twinName, type Operation, type Twins } from './operation.ts';
import type { TextLimit } from './text/limit.ts';
import type { JsonObject } from './json.ts';
import type { Omission } from './part.ts';
import type { PostDefaults } from './post-defaults.ts';
import type { All, Inconclusive, PageOptions, Platform, RecoverOptions, Recovery } from './platform.ts';
import { repeatableWrites, type RepeatableWrites, type Write } from './repeatable-writes.ts';
import { ContainerPromise } from '#src/clients/paging/container-promise.ts';
import { Container } from '#src/clients/paging/container.ts';

export interface ClientOptions<T> {
  /** An adapter, for example `twitch({ … })`. */
  readonly platform: Platform<T>;
  readonly clock?: Clock | undefined;
}

type Topic = Readonly<Record<string, Operation<never, unknown, Pick<Declared, 'kind' | 'name'>>>>;

/** The internal interface of a client. */
export interface AnyClient extends Caller {
  readonly account: string;
  /** The platform, for example `bluesky`. */
  readonly platformName: string;
  /** Whether the platform bills reads. */
  readonly billsReads: boolean;
  /** Whether the platform allows only few searches a day, top lists included. */
  readonly limitsSearches: boolean;
  /** The length limit of a post, as far as it is known. */
  readonly textLimit: TextLimit | undefined;
  /** The defaults of posts that the operator set. */
  readonly postDefaults: PostDefaults | undefined;
  /** The capabilities of the platform, by operation. */
  readonly capabilities: Readonly<Record<string, Capability | undefined>>;
  /** Whether the platform recognizes a repeated write by its key at any later time. */
  keepsKeys(operation: string): boolean;
  /** Rejects with the error of a write that fails before its first request that writes. */
  [assertAccepts](declared: DeclaredWrite, params: unknown, options: CallOptions): Promise<void>;
  /** The parts of a write that are not available now; empty if the platform cannot tell. */
  [missingParts](params: JsonObject, options: CallOptions): Promise<readonly Omission[]>;
  [recover](declared: DeclaredWrite, params: unknown, options: RecoverOptions): Promise<Recovery<unknown> | Inconclusive>;
}

const recover = Symbol('recover');
export const assertAccepts = Symbol('assertAccepts');
export const missingParts = Symbol('missingParts');

type AnyPrimitive = (params: object, options: object) => Promise<unknown>;

interface AnyPlatform extends Omit<Platform<unknown>, 'operations' | 'recover' | 'capabilities' | 'assertAccepts'> {
  readonly operations: Readonly<Record<string, AnyPrimitive | undefined>>;
  readonly recover?: Readonly<Record<string, AnyPrimitive | undefined>>;
  readonly assertAccepts?: Readonly<Record<string, AnyPrimitive | undefined>>;
  readonly capabilities: Readonly<Record<string, Capability | undefined>>;
}

/** Creates a class whose methods are the operations of the modules `topics`, and the `iter` twins of their lists. */
export function withOperations<T extends readonly Topic[]>(
  ...topics: T
): new (options: ClientOptions<All<T>>) => AnyClient & All<T> & Twins<All<T>> {
  const names = new Set(topics.flatMap(Object.keys));

  class Client implements AnyClient {
    readonly #platform: AnyPlatform;
    readonly #clock: Clock;
    readonly #repeatable: RepeatableWrites;

    constructor(options: ClientOptions<All<T>>) {
      assertPlatform(new.target.name, options, names);
      const { platform, clock = systemClock } = options;
      this.#platform = platform as never; // primitives are looked up by the name that Port<T> gave them
      this.#clock = clock;
      this.#repeatable = repeatableWrites({ platform: platform.name, clock });
    }

    get account(): string {
      return this.#platform.account;
    }

    get platformName(): string {
      return this.#platform.name;
    }

    get billsReads(): boolean {
      return this.#platform.billsReads ?? false;
    }

    get limitsSearches(): boolean {
      return this.#platform.limitsSearches ?? false;
    }

    get textLimit(): TextLimit | undefined {
      const { textLimit } = this.#platform;
      return typeof textLimit === 'function' ? textLimit() : textLimit;
    }

    get postDefaults(): PostDefaults | undefined {
      return this.#platform.postDefaults;
    }

    get capabilities(): AnyPlatform['capabilities'] {
      return this.#platform.capabilities;
    }

    keepsKeys(operation: string): boolean {
      const { keepsKeys = false } = this.#platform;
      return typeof keepsKeys === 'function' ? keepsKeys(operation) : keepsKeys;
    }

    async [call](
      declared: DeclaredRead | DeclaredWrite,
      params: object,
      { round, ...options }: WriteOptions & RoundOptions,
    ): Promise<unknown> {
      return this.#primitive(declared, params)(params, { ...options, signal: this.#within(round, options.signal) });
    }

    async [callOnce](declared: DeclaredWrite, params: object, options: WriteOptions & { readonly key: string }): Promise<unknown> {
      const { name: operation } = declared;
      const primitive = this.#primitive(declared, params);
      // Without `since`, a platform that uses both cannot recognize the repeat.
      if (options.since !== undefined && this.keepsKeys(operation)) return primitive(params, options);
      const find = this.#platform.recover?.[operation];
      const write = { operation, params, find: find as Write['find'], send: (sent: WriteOptions) => primitive(params, sent) }; // Recoveries<T> made it so
      return this.#repeatable(write, options);
    }

    async *[walk](
      declared: DeclaredList,
      params: Walk,
      { ahead, round, reader, rows, signal }: WalkCallOptions,
    ): AsyncGenerator<Page<unknown>, void> {
      const { pages, waitTime, cursor, ...args } = params;
      const primitive = this.#primitive(declared, args) as (params: object, options: PageOptions) => Promise<Page<unknown>>; // Port<T> gave a list's primitive
      const { name: platform, account } = this.#platform;
      yield* walkPages({
        scope: { operation: declared.name, platform, account, args },
        clock: this.#clock,
        load: (upstream, options) =>
          primitive(args, { cursor: upstream, ...options, reader, rows, signal: this.#within(round, options.signal) }),
        idOf,
        pages,
        waitTime,
        cursor,
        ahead,
        signal,
      });
    }

    async [recover](declared: DeclaredWrite, params: object, options: RecoverOptions): Promise<Recovery<unknown> | Inconclusive> {
      const find = this.#platform.recover?.[declared.name];
      // A write that sets a state can be repeated.
      if (!find) return declared.effect === 'sets' ? 'absent' : 'cannotTell';
      return (await find(params, options)) as Recovery<unknown> | Inconclusive; // Recoveries<T> made it so
    }

    async [assertAccepts](declared: DeclaredWrite, params: unknown, options: CallOptions): Promise<void> {
      const parsed = parseParams(declared, params) as object; // the parameters of each write are a map
      this.#primitive(declared, parsed);
      await this.#platform.assertAccepts?.[declared.name]?.(parsed, options);
    }

    async [missingParts](params: JsonObject, options: CallOptions): Promise<readonly Omission[]> {
      return (await this.#platform.missingParts?.(params, options)) ?? [];
    }

    #within(round: object | undefined, signal: AbortSignal | undefined): AbortSignal | undefined {
      return (round && this.#platform.inRound?.(round, signal)) ?? signal;
    }

    #primitive({ name }: Pick<Declared, 'name'>, params: object): AnyPrimitive {
      const { name: platform, operations, capabilities } = this.#platform;
      const capability = capabilities[name] ?? { support: 'unsupported', reason: 'NO_ENDPOINT' };
      assertSupported(capability, { platform, operation: name, params });
      const primitive = operations[name];
      if (!primitive) throw new Error(`${platform} claims ${name} and has no primitive for it`);
      return primitive;
    }
  }

  for (const [name, method] of topics.flatMap((topic) => Object.entries(topic))) {
    if (method.declared.name !== name || name in Client.prototype) throw new Error(`operation ${name} is misnamed or declared twice`);
    Object.defineProperty(Client.prototype, name, { value: method });
    const twin = twinName(method.declared);
    if (twin !== undefined) Object.defineProperty(Client.prototype, twin, { value: pagesOf(method as never) }); // list() made it
  }
  return Client as never; // the loop above made it so
}

function idOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : undefined;
}

/** Performs an operation by its declaration, with the parameters of a rule. */
export async function perform(
  client: AnyClient,
  declared: Declared,
  input: unknown,
  options: WriteOptions & RoundOptions = {},
): Promise<unknown> {
  if (declared.kind === 'list') return readAll(client, declared, input, options);
  return client[call](declared, parseParams(declared, input), options);
}

/** Reads the pages that `input` asks for without a wait. Only the rate limiter slows it down. */
export async function readAll(
  client: AnyClient,
  declared: DeclaredList,
  input: unknown,
  options: RoundOptions = {},
): Promise<Container<unknown>> {
  return await new ContainerPromise(Container<unknown>, () => {
    const params = parseParams(declared, input) as Walk; // list() asks that its parameters are a walk's
    return client[walk](declared, { ...params, waitTime: 0 }, { ...options, ahead: true });
  });
}

/** Searches for the result of an earlier attempt at a write. */
export function recoverWrite(
  client: AnyClient,
  declared: DeclaredWrite,
  input: unknown,
  options: RecoverOptions,
): Promise<Recovery<unknown> | Inconclusive> {
  return client[recover](declared, parseParams(declared, input), options);
}

const FACTORIES = 'a function of `fanfare/adapters/…`, for example twitch({ clientId, clientSecret })';

/** Checks the platform of a client, which programs in JavaScript can leave out; throws a `ValidationError` before any request. */
export function assertPlatform(client: string, options: unknown, operations: ReadonlySet<string>): void {
  const platform = typeof options === 'object' && options !== null && 'platform' in options ? options.platform : undefined;
  const refuse = (problem: string): never => {
    throw new ValidationError(`${client}: platform ${problem}.`, { path: 'platform' });
  };
  if (platform === undefined || platform === null) return refuse(`is missing: pass the result of ${FACTORIES}`);
  if (typeof platform === 'function') return refuse(`is the function ${platform.name}: call it with its options, and pass the result`);
  if (typeof platform !== 'object' || !('operations' in platform) || !('capabilities' in platform)) {
    return refuse(`is not an adapter: pass the result of ${FACTORIES}`);
  }
  const offered = Object.keys(platform.capabilities ?? {});
  const others = offered.filter((operation) => !operations.has(operation));
  if (others.length <= offered.length / 2) return;
  const name = 'name' in platform ? String(platform.name) : 'this adapter';
  refuse(`${name} is for another client: Bot is for streaming platforms, and SocialAsync for social platforms`);
}
