import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Connections } from './connections.ts';
import type { RateBudgets } from './rate-budgets.ts';

/** The options that the adapters of all platforms with an HTTP API have. */
export interface AdapterOptions {
  /** The account's name in `fanfare.yaml`. */
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** The rate limits, which several processes can share; absent: the adapter counts its requests in memory. */
  readonly rateBudgets?: RateBudgets | undefined;
  /** The connections; absent: the adapter opens and closes its connections. */
  readonly dispatcher?: Connections | undefined;
}
