import type * as assistant from '#src/social/assistant.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { Meeting } from '../meeting.ts';
import { bookmarksOperations } from './bookmarks.ts';
import { communitiesOperations } from './communities.ts';
import { followsOperations } from './follows.ts';
import { insightOperations } from './insight.ts';
import { listsOperations } from './lists.ts';
import { mediaOperations } from './media.ts';
import { messagesOperations } from './messages.ts';
import { postsOperations } from './posts.ts';
import { reactionsOperations } from './reactions.ts';
import { responsesOperations } from './responses.ts';
import { scheduleOperations } from './schedule.ts';
import { searchOperations } from './search.ts';
import { timelinesOperations } from './timelines.ts';
import { topicsOperations } from './topics.ts';
import { usersOperations } from './users.ts';

/** What every declared operation does here, and how an earlier attempt at a write that creates is found. */
export interface SocialOperations {
  readonly operations: Required<Omit<SocialPlatform['operations'], keyof typeof assistant>>;
  readonly recover: NonNullable<SocialPlatform['recover']>;
}

/** The platform, as one request meets it. */
export function socialOperations(meeting: Meeting): SocialOperations {
  const posts = postsOperations(meeting);
  const media = mediaOperations(meeting);
  const schedule = scheduleOperations(meeting);
  const messages = messagesOperations(meeting);
  const lists = listsOperations(meeting);
  return {
    operations: {
      ...usersOperations(meeting),
      ...followsOperations(meeting),
      ...searchOperations(meeting),
      ...timelinesOperations(meeting),
      ...bookmarksOperations(meeting),
      ...topicsOperations(meeting),
      ...communitiesOperations(meeting),
      ...lists.operations,
      ...posts.operations,
      ...media.operations,
      ...schedule.operations,
      ...reactionsOperations(meeting),
      ...responsesOperations(meeting),
      ...insightOperations(meeting),
      ...messages.operations,
    },
    recover: { ...posts.recover, ...media.recover, ...schedule.recover, ...messages.recover, ...lists.recover },
  };
}
