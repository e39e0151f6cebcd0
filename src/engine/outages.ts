import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';

/** Reads and writes of an account fail separately. */
export type Access = 'read' | 'write';

/** An account that cannot be read, or cannot be written. */
export interface Outage {
  readonly account: string;
  readonly access: Access;
  /** The first failure, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The last stored failure. */
  readonly seenMs: number;
  readonly fault: Fault;
  readonly problem: string;
}

/** The outages of all processes. */
export interface OutageStore {
  all(): Promise<readonly Outage[]>;
  /** Stores a failure. The start of a known outage stays. */
  put(outage: Outage): Promise<void>;
  end(outage: Pick<Outage, 'account' | 'access'>): Promise<void>;
  /** Ends the outages that were last seen before an instant. */
  drop(beforeMs: number): Promise<void>;
}

/** How often the time of the last failure is stored, and how often the outages of other processes are read. */
const STORED_EACH_MS = 60_000;
/** An outage without a failure since then is over: the account is no longer used. */
const FORGOTTEN_MS = 86_400_000;

/** Watches uses of an account, for example its health. */
type Watch = <T>(account: string, use: () => Promise<T>) => Promise<T>;

/** Watches reads and writes of an account. */
export type WatchAccess = <T>(account: string, use: () => Promise<T>, access: Access) => Promise<T>;

/** Stores which accounts cannot be read or written. A failed write to the database is tried again with the next failure of the account. */
export function createOutageLog({
  store,
  clock,
  log,
}: {
  readonly store: OutageStore;
  readonly clock: Clock;
  readonly log: Log;
}): WatchAccess {
  const known = new Map<string, Outage>();
  let readMs = -Infinity;

  /** Reads the outages that other processes stored, or this process before its restart. */
  async function refresh(nowMs: number): Promise<void> {
    if (nowMs - readMs < STORED_EACH_MS) return;
    readMs = nowMs;
    await store.drop(nowMs - FORGOTTEN_MS);
    const stored = await store.all();
    known.clear();
    for (const outage of stored) known.set(keyOf(outage), outage);
  }

  async function fail(about: Pick<Outage, 'account' | 'access'>, { fault, message: problem }: PlatformError): Promise<void> {
    const nowMs = clock.nowMs();
    await refresh(nowMs);
    const before = known.get(keyOf(about));
    if (before && nowMs - before.seenMs < STORED_EACH_MS) return;
    const outage = { ...about, sinceMs: before?.sinceMs ?? nowMs, seenMs: nowMs, fault, problem };
    known.set(keyOf(about), outage);
    await store.put(outage);
  }

  async function succeed(about: Pick<Outage, 'account' | 'access'>): Promise<void> {
    await refresh(clock.nowMs());
    if (known.delete(keyOf(about))) await store.end(about);
  }

  async function stored(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => log.warn({ error }, 'an outage could not be stored'));
  }

  return async (account, use, access) => {
    try {
      const result = await use();
      await stored(succeed({ account, access }));
      return result;
    } catch (error) {
      if (isAboutAccount(error)) await stored(fail({ account, access }, error));
      throw error;
    }
  };
}

/** Watches uses of accounts with both. */
export function watchWith(watch: Watch, watchAccess: WatchAccess): WatchAccess {
  return (account, use, access) => watch(account, () => watchAccess(account, use, access));
}

/** Watches all uses as reads. */
export function watchReads(watchAccess: WatchAccess): Watch {
  return (account, use) => watchAccess(account, use, 'read');
}

/** Whether a failure concerns the account or its platform, and not only the request or its target, for example one channel. */
export function isAboutAccount(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  return error.refusesAccount || !OF_REQUESTS.has(error.fault);
}

/** Faults of a single request, unless the platform refuses the account. */
const OF_REQUESTS: ReadonlySet<Fault> = new Set(['forbidden', 'missing', 'rejected', 'duplicate']);

function keyOf({ account, access }: Pick<Outage, 'account' | 'access'>): string {
  return `${access} ${account}`;
}
