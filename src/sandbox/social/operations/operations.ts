import type { SocialPlatform } from '#src/social/social.ts';
import type { Meeting } from '../meeting.ts';
import { postsOperations } from './posts.ts';
import { searchOperations } from './search.ts';
import { usersOperations } from './users.ts';

/** What every declared operation does here, and how an earlier attempt at a write that creates is found. */
export interface SocialOperations {
  readonly operations: Required<SocialPlatform['operations']>;
  readonly recover: NonNullable<SocialPlatform['recover']>;
}

/** The platform, as one request meets it. */
export function socialOperations(meeting: Meeting): SocialOperations {
  const posts = postsOperations(meeting);
  return {
    operations: { ...usersOperations(meeting), ...searchOperations(meeting), ...posts.operations },
    recover: { ...posts.recover },
  };
}
