import { fetch } from 'undici';
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

test.each([true, false])('an edit of a post keeps whether its poll hides the votes until the end: %s', async (isHidden) => {
  await using fixture = await openMastodon();
  const created = await fetch(`${fixture.url}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Vote', poll: { options: ['Chess', 'Go'], expires_in: 3_600, hide_totals: isHidden } }),
  });
  const { id } = (await created.json()) as { id: string }; // as Mastodon documents it
  const votes = async () => (await fixture.social.postDetail(id)).poll?.options.map((option) => option.votes);
  const before = await votes();

  await fixture.social.editPost(id, 'Vote now');

  const expected = isHidden ? [undefined, undefined] : [0, 0];
  expect([before, await votes()]).toEqual([expected, expected]);
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
