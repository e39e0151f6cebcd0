import type * as assistant from '#src/social/assistant.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { SocialRequest } from '../request.ts';
import { bookmarksOperations, reactionsOperations } from './reactions.ts';
import { communitiesOperations, followsOperations, usersOperations } from './users.ts';
import { insightOperations, mediaOperations, postsOperations, scheduleOperations } from './posts.ts';
import { listsOperations } from './lists.ts';
import { messagesOperations } from './messages.ts';
import { responsesOperations, searchOperations, timelinesOperations, topicsOperations } from './timelines.ts';

/** The implementation of every declared operation, and the recovery of earlier writes. */
export interface SocialOperations {
  readonly operations: Required<Omit<SocialPlatform['operations'], keyof typeof assistant>>;
  readonly recover: NonNullable<SocialPlatform['recover']>;
}

/** The platform, as one request meets it. */
export function socialOperations(request: SocialRequest): SocialOperations {
  const posts = postsOperations(request);
  const media = mediaOperations(request);
  const schedule = scheduleOperations(request);
  const messages = messagesOperations(request);
  const lists = listsOperations(request);
  return {
    operations: {
      ...usersOperations(request),
      ...followsOperations(request),
      ...searchOperations(request),
      ...timelinesOperations(request),
      ...bookmarksOperations(request),
      ...topicsOperations(request),
      ...communitiesOperations(request),
      ...lists.operations,
      ...posts.operations,
      ...media.operations,
      ...schedule.operations,
      ...reactionsOperations(request),
      ...responsesOperations(request),
      ...insightOperations(request),
      ...messages.operations,
    },
    recover: { ...posts.recover, ...media.recover, ...schedule.recover, ...messages.recover, ...lists.recover },
  };
}
