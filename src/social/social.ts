import { systemClock, type Clock } from '#src/clock.ts';
import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as assistant from './assistant.ts';
import * as communities from './communities.ts';
import * as follows from './follows.ts';
import * as insight from './insight.ts';
import * as lists from './lists.ts';
import * as messages from './messages.ts';
import { withOwnSide } from './own/own-side.ts';
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

/** The topics that platforms have: all but the assistant, which is ours. */
export const platformTopics = socialTopics.filter((topic) => topic !== assistant);

type Operations = typeof users &
  typeof follows &
  typeof search &
  typeof timelines &
  typeof posts &
  typeof responses &
  typeof reactions &
  typeof insight &
  typeof schedule &
  typeof messages &
  typeof communities &
  typeof lists &
  typeof topics &
  typeof assistant;

/** What a social adapter fills. */
export type SocialPlatform = Platform<Operations>;

/** What a social adapter fills of one topic, as of `typeof users`: what `iter…` walks it does not fill. */
export type PrimitivesOf<Topic> = Pick<
  Required<SocialPlatform['operations']>,
  Extract<Exclude<keyof Topic, `iter${string}`>, keyof SocialPlatform['operations']>
>;

export interface SocialOptions extends Providers {
  /** An adapter, as `sandbox({ … })`. */
  readonly platform: SocialPlatform;
  readonly clock?: Clock | undefined;
}

/** Reads and writes on a social platform, as its signed-in user. */
export class SocialAsync extends withOperations(...socialTopics) {
  /** What the platform lacks and a provider has, the provider does. */
  constructor({ platform, clock = systemClock, ...providers }: SocialOptions) {
    super({ platform: withOwnSide(platform, providers, clock), clock });
  }
}
