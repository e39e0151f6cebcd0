import { describe, expect, test } from 'vitest';
import { openMastodon } from './open-mastodon.ts';

const MINUTE_MS = 60_000;

test('an edit of a post keeps the end of its poll', async () => {
  await using fixture = await openMastodon();
  const { id, poll } = await fixture.social.createPost('Vote', { poll: { options: ['Chess', 'Go'], durationMinutes: 60 } });
  await fixture.clock.advance(10 * MINUTE_MS);

  const edited = await fixture.social.editPost(id, 'Vote now');

  expect(edited).toMatchObject({ text: 'Vote now', poll: { endsAt: poll?.endsAt, closed: false } });
});

describe('a post cannot be edited if its poll', () => {
  test.for([
    ['is closed', 61],
    ['ends within five minutes', 57],
  ] as const)('%s', async ([, minutes]) => {
    await using fixture = await openMastodon();
    const { id, poll } = await fixture.social.createPost('Vote', { poll: { options: ['Chess', 'Go'], durationMinutes: 60 } });
    await fixture.clock.advance(minutes * MINUTE_MS);

    await expect(fixture.social.editPost(id, 'Vote now')).rejects.toMatchObject({ name: 'PlatformError', fault: 'rejected' });
    expect(await fixture.social.postDetail(id)).toMatchObject({ text: 'Vote', poll: { endsAt: poll?.endsAt } });
  });
});
