import { systemClock, type Clock } from '#src/clock.ts';
import { assertPlatform, withOperations } from '#src/clients/operation/client.ts';
import type { PlatformOf } from '#src/clients/operation/platform.ts';
import * as assistant from './assistant.ts';
import * as communities from './communities.ts';
import * as follows from './follows.ts';
import * as insight from './insight.ts';
import * as lists from './lists.ts';
import * as messages from './messages.ts';
import { withFallbacks } from './fallbacks/with-fallbacks.ts';
import * as posts from './posts.ts';
import type { Providers } from './providers.ts';
import * as reactions from './reactions.ts';
import * as responses from './responses.ts';
import * as schedule from './schedule.ts';
import * as search from './search.ts';
import * as timelines from './timelines.ts';
import * as topics from './topics.ts';
import * as users from './users.ts';

/** The topics of `SocialAsync`: every export is an operation. */
export const socialTopics = [
  users,
  follows,
  search,
  timelines,
  posts,
  responses,
  reactions,
  insight,
  schedule,
  messages,
  communities,
  lists,
  topics,
  assistant,
] as const;

/** The topics of platforms: all but the assistant, which Fanfare provides. */
export const platformTopics = socialTopics.filter((topic) => topic !== assistant);

/** The operations of a social adapter. */
export type SocialPlatform = PlatformOf<typeof socialTopics>;

/** The operations of a social adapter for one topic, for example `typeof users`. */
export type PrimitivesOf<Topic> = Pick<Required<SocialPlatform['operations']>, Extract<keyof Topic, keyof SocialPlatform['operations']>>;

export interface SocialOptions extends Providers {
  /** An adapter, for example `sandbox({ … })`. */
  readonly platform: SocialPlatform;
  readonly clock?: Clock | undefined;
}

const OPERATIONS = new Set(socialTopics.flatMap(Object.keys));

/** Reads and writes on a social platform, as its signed-in user. */
export class SocialAsync extends withOperations(...socialTopics) {
  /** Providers replace operations that the platform lacks. */
  constructor(options: SocialOptions) {
    assertPlatform('SocialAsync', options, OPERATIONS);
    const { platform, clock = systemClock, ...providers } = options;
    super({ platform: withFallbacks(platform, providers, clock), clock });
  }
}
