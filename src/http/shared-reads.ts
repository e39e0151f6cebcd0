import { AsyncLocalStorage } from 'node:async_hooks';
import { coalesce } from './coalesce.ts';

/** The number of responses that a client keeps during a round. Reads that share a response follow each other closely. */
const MOST_KEPT = 64;

/** Identifies a round. */
type Round = object;

const rounds = new AsyncLocalStorage<Round>();

/** Runs `work` as a round: equal reads in it share one response. */
export function shareReads<T>(work: () => Promise<T>): Promise<T> {
  return rounds.run({}, work);
}

/** The response to the read that `keyOf` names: the one that the round already has, or a new one from `read`. */
type SharedRead<T> = (
  keyOf: () => string,
  read: (signal: AbortSignal | undefined) => Promise<T>,
  signal: AbortSignal | undefined,
) => Promise<T>;

/** Creates the shared reads of one client. Outside a round, each read has its own response. A failure is shared only while it is under way. */
export function sharedReads<T>(): SharedRead<T> {
  const byRound = new WeakMap<Round, Map<string, (signal: AbortSignal | undefined) => Promise<T>>>();

  return async (keyOf, read, signal) => {
    const round = rounds.getStore();
    if (!round) return read(signal);
    const key = keyOf();
    const kept = byRound.get(round) ?? new Map<string, (signal: AbortSignal | undefined) => Promise<T>>();
    byRound.set(round, kept);
    const known = kept.get(key) ?? readOnce(read);
    // The latest use is the last entry.
    kept.delete(key);
    kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return known(signal);
  };
}

/** Reads until one read succeeds, and returns its response from then on. */
function readOnce<T>(read: (signal: AbortSignal | undefined) => Promise<T>): (signal: AbortSignal | undefined) => Promise<T> {
  let found: { readonly response: T } | undefined;
  const run = coalesce(async (signal) => (found = { response: await read(signal) }));
  return async (signal) => (found ?? (await run(signal))).response;
}
