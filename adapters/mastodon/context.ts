import type { Clock } from '#src/clock.ts';
import type { PostVisibility } from '#src/social/enumerations.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { Accounts } from './accounts.ts';
import type { MastodonApi } from './api.ts';
import type { Files } from './files.ts';
import type { Instances } from './instance.ts';
import type { Statuses } from './statuses.ts';

/** What Mastodon fills, by operation. */
export type Primitives = Required<SocialPlatform['operations']>;

/** What finds out what became of a write, by operation. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

interface PostDefaults {
  readonly language?: string | undefined;
  readonly visibility?: PostVisibility | undefined;
}

/** What the operations of one account share. */
export interface MastodonContext {
  readonly api: MastodonApi;
  readonly instances: Instances;
  readonly accounts: Accounts;
  readonly statuses: Statuses;
  readonly files: Files;
  /** What a post has that says nothing else. */
  readonly defaults: PostDefaults;
  readonly clock: Clock;
}
