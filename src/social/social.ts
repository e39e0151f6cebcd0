import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as assistant from './assistant.ts';
import * as communities from './communities.ts';
import * as follows from './follows.ts';
import * as insight from './insight.ts';
import * as lists from './lists.ts';
import * as messages from './messages.ts';
import * as posts from './posts.ts';
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

/** Reads and writes on a social platform, as its signed-in user. */
export class SocialAsync extends withOperations(...socialTopics) {}
