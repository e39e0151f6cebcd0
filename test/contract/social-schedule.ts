import { expect } from 'vitest';
import { createScheduledPost } from '#src/clients/social/schedule.ts';
import { faultOf, idsOf, now, recover, type PromiseTest } from './social-fixture.ts';

const HOUR_MS = 3_600_000;

/** Posts that the platform publishes later. */
export function socialScheduleContract(promise: PromiseTest): void {
  promise('a scheduled post is published at its time', ['createScheduledPost', 'getScheduledPosts'], async ({ fixture, social }) => {
    const later = await social.createScheduledPost('later', new Date(now(fixture).getTime() + 2 * HOUR_MS));
    const soon = await social.createScheduledPost('soon', new Date(now(fixture).getTime() + HOUR_MS));

    const waiting = await social.getScheduledPosts();
    await fixture.clock.advance(HOUR_MS + 60_000);
    const left = await social.getScheduledPosts();
    const posts = await social.getPosts(fixture.handle);

    expect(soon).toMatchObject({ platform: fixture.platform.name, text: 'soon', state: 'scheduled' });
    expect(idsOf(waiting)).toEqual([soon.id, later.id]);
    expect(idsOf(left)).toEqual([later.id]);
    expect(posts.items.map(({ text }) => text)).toEqual(['soon']);
  });

  promise('a deleted scheduled post is not published', ['createScheduledPost', 'deleteScheduledPost'], async ({ fixture, social }) => {
    const post = await social.createScheduledPost('never', new Date(now(fixture).getTime() + HOUR_MS));

    expect(await social.deleteScheduledPost(post)).toBe(true);
    expect(await social.deleteScheduledPost(post)).toBe(true);
    await fixture.clock.advance(2 * HOUR_MS);

    expect((await social.getPosts(fixture.handle)).length).toBe(0);
  });

  promise('a scheduled post is found after a lost response', ['createScheduledPost'], async ({ fixture, social }) => {
    const since = now(fixture);
    const sendAt = new Date(since.getTime() + HOUR_MS);
    fixture.loseNextAnswer();

    const fault = await faultOf(social.createScheduledPost('lost', sendAt, { key: 'k', since }));
    const recovery = await recover(social, createScheduledPost.declared, { text: 'lost', sendAt }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost', sendAt } });
  });
}
