import { coalesce } from './coalesce.ts';

/** The number of responses that a client keeps during a round. Reads that share a response follow each other closely. */
const MOST_KEPT = 64;

/** The rounds of signals from `inRound`. Adapters pass the signal of a call to each of its requests. */
const rounds = new WeakMap<AbortSignal, object>();

/** The signal of a call in a round: it aborts with `signal`, and equal reads with signals of the same round share one response. */
export function inRound(round: object, signal?: AbortSignal): AbortSignal {
  const within = AbortSignal.any(signal ? [signal] : []);
  rounds.set(within, round);
  return within;
}

/** The response to the read that `keyOf` names: the first response in the round, or a new one from `read`. Only a read in a round has a key. */
type SharedRead<T> = (
  keyOf: () => string,
  read: (signal: AbortSignal | undefined, key?: string) => Promise<T>,
  signal: AbortSignal | undefined,
) => Promise<T>;

/** Creates the shared reads of one client: equal requests, not the polls of rules, which the planner merges. Outside a round, each read has its own response. A failure is shared only while it is under way. */
export function sharedReads<T>(): SharedRead<T> {
  const byRound = new WeakMap<object, Map<string, (signal: AbortSignal | undefined) => Promise<T>>>();

  return async (keyOf, read, signal) => {
    const round = signal && rounds.get(signal);
    if (!round) return read(signal);
    const key = keyOf();
    const kept = byRound.get(round) ?? new Map<string, (signal: AbortSignal | undefined) => Promise<T>>();
    byRound.set(round, kept);
    const known = kept.get(key) ?? readOnce((its) => read(its, key));
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
