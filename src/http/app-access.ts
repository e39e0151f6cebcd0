import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Connections } from './connections.ts';
import type { RateBudgets } from './rate-budgets.ts';

/** Options of a platform that is read as an app, without a signed-in user. */
export interface AppAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** The account's name in `fanfare.yaml`. */
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** The rate limits, which several processes can share; absent: the adapter counts its requests in memory. */
  readonly rateBudgets?: RateBudgets | undefined;
  /** The connections; absent: the adapter opens and closes its connections. */
  readonly dispatcher?: Connections | undefined;
}
