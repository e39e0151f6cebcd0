import type { Clock } from '#src/clock.ts';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import type { Accounts } from './operations/accounts.ts';
import type { MastodonApi } from './client.ts';
import type { Files } from './operations/media.ts';
import type { Instances } from './instance.ts';
import type { Statuses } from './operations/statuses.ts';

/** The operations of Mastodon. */
export type Primitives = Required<SocialPlatform['operations']>;

/** Reconciliation of lost writes, by operation. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

/** The parameters of a post. */
export type Draft = Parameters<Primitives['createPost']>[0];

interface PostDefaults {
  readonly language?: string | undefined;
  readonly visibility?: PostVisibility | undefined;
}

/** The dependencies of the operations of one account. */
export interface AccountContext {
  readonly api: MastodonApi;
  readonly instances: Instances;
  readonly accounts: Accounts;
  readonly statuses: Statuses;
  readonly files: Files;
  /** Defaults of a post. */
  readonly defaults: PostDefaults;
  readonly clock: Clock;
}
