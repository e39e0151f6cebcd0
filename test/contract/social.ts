import { describe } from 'vitest';
import { socialInsightContract } from './social-insight.ts';
import { socialListsContract } from './social-lists.ts';
import { onFixture, type OpenSocial } from './social-fixture.ts';
import { socialMediaContract } from './social-media.ts';
import { socialMessagesContract } from './social-messages.ts';
import { socialPostsContract } from './social-posts.ts';
import { socialResponsesContract } from './social-responses.ts';
import { socialScheduleContract } from './social-schedule.ts';
import { socialTimelinesContract } from './social-timelines.ts';
import { socialUsersContract } from './social-users.ts';
import { socialWarningsContract } from './social-warnings.ts';

export type { OpenSocial, SocialFixture } from './social-fixture.ts';

const TOPICS = [
  ['posts', socialPostsContract],
  ['users', socialUsersContract],
  ['timelines', socialTimelinesContract],
  ['responses', socialResponsesContract],
  ['media', socialMediaContract],
  ['scheduled posts', socialScheduleContract],
  ['content warnings', socialWarningsContract],
  ['messages', socialMessagesContract],
  ['lists', socialListsContract],
  ['analytics, translations and versions', socialInsightContract],
] as const;

/** The promises of every social adapter. Tests of unsupported operations are skipped with the reason. */
export function socialContract(open: OpenSocial): void {
  const promise = onFixture(open);
  describe.for(TOPICS)('%s', ([, declare]) => {
    declare(promise);
  });
}
