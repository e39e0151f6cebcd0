import { describe } from 'vitest';
import { asksAround } from './social-insight.ts';
import { keepsLists } from './social-lists.ts';
import { onGround, type OpenSocial } from './social-fixture.ts';
import { carriesMedia } from './social-media.ts';
import { exchangesMessages } from './social-messages.ts';
import { posts } from './social-posts.ts';
import { respondsToPosts } from './social-responses.ts';
import { schedules } from './social-schedule.ts';
import { readsTimelines } from './social-timelines.ts';
import { knowsUsers } from './social-users.ts';

export type { OpenSocial, SocialGround } from './social-fixture.ts';

const TOPICS = [
  ['posts', posts],
  ['users', knowsUsers],
  ['timelines', readsTimelines],
  ['responses', respondsToPosts],
  ['media', carriesMedia],
  ['a schedule', schedules],
  ['messages', exchangesMessages],
  ['lists', keepsLists],
  ['insight', asksAround],
] as const;

/** The promises of every social adapter. Tests of unsupported operations are skipped with the reason. */
export function isSocial(open: OpenSocial): void {
  const promise = onGround(open);
  describe.for(TOPICS)('%s', ([, declare]) => {
    declare(promise);
  });
}
