import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const HOUR_MS = 3_600_000;

test('a scheduled post becomes a post at its time', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const sendAt = new Date(fixture.clock.nowMs() + HOUR_MS);

  const scheduled = await social.createScheduledPost('later', sendAt, {
    poll: { options: ['a', 'b'], durationMinutes: 60 },
    place: 'seoul',
  });
  const waiting = await social.getScheduledPosts();
  const before = await social.getPosts('fanfare');
  await fixture.clock.advance(HOUR_MS);
  const after = await social.getPosts('fanfare');

  expect(scheduled).toEqual({
    platform: 'sandbox',
    id: scheduled.id,
    origin: 'remote',
    sendAt,
    text: 'later',
    media: [],
    state: 'scheduled',
  });
  expect(waiting.items).toEqual([scheduled]);
  expect(before.length).toBe(0);
  expect(after.items).toMatchObject([
    { text: 'later', createdAt: sendAt, place: { id: 'seoul' }, poll: { endsAt: new Date(sendAt.getTime() + HOUR_MS), closed: false } },
  ]);
  expect((await social.getScheduledPosts()).length).toBe(0);
  expect(await fixture.postTexts()).toEqual(['later']);
});

test('scheduled posts are sorted by time, and other accounts do not see them', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  const at = (hours: number): Date => new Date(fixture.clock.nowMs() + hours * HOUR_MS);

  const late = await social.createScheduledPost('late', at(3));
  const soon = await social.createScheduledPost('soon', at(1));
  await expect(social.createScheduledPost('gone', at(0))).rejects.toMatchObject({ status: 422 });

  expect((await social.getScheduledPosts()).items).toEqual([soon, late]);
  expect((await ada.getScheduledPosts()).length).toBe(0);
  await expect(social.postDetail(soon.id)).rejects.toMatchObject({ fault: 'missing' });
});

test('a scheduled post that became due while the sandbox was stopped has its scheduled time', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const sendAt = new Date('2026-11-20T19:00:00Z');
  async function schedule(): Promise<void> {
    await using fixture = await openSocial({ file });
    await new SocialAsync(fixture).createScheduledPost('while away', sendAt);
  }

  await schedule();
  await using fixture = await openSocial({ file });
  await fixture.clock.advance(3 * HOUR_MS);
  const [post] = await new SocialAsync(fixture).getPosts('fanfare');

  expect(post).toMatchObject({ text: 'while away', createdAt: sendAt });
});
