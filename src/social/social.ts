import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as posts from './posts.ts';
import * as search from './search.ts';
import * as users from './users.ts';

/** The topics of `SocialAsync`: every export is an operation. */
export const socialTopics = [users, posts, search] as const;

/** What a social adapter fills. */
export type SocialPlatform = Platform<typeof users & typeof posts & typeof search>;

/** Reads and writes on a social platform, as its signed-in user. */
export class SocialAsync extends withOperations(users, posts, search) {}
