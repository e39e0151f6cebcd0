import type { Dispatcher } from 'undici';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';

/** What it takes to read a platform as an app, without anybody's sign-in. */
export interface AppAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** The account's name in `fanfare.yaml`. */
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Where connections come from; without one the adapter has its own. */
  readonly dispatcher?: Dispatcher | undefined;
}
