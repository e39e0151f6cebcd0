import { fetch } from 'undici';
import { expect, test } from 'vitest';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { fileWith, PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)>';

test('generated posts contain pictures, polls and quotes, and the pictures load', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const posts = await latest(social);

  const pictures = posts.flatMap(({ media }) => media);
  const quoted = posts.flatMap((post) => (post.quoted?.state === 'accepted' ? [post.quoted] : []));
  const picture = await fetch(pictures[0]?.url ?? '');
  const original = await social.postDetail(quoted[0]?.postId ?? '');

  expect(picture.status).toBe(200);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(pictures.every(({ altText, state }) => altText && state === 'ready')).toBe(true);
  expect(original.text).toBe(quoted[0]?.text);
  expect(original.counts.quotes).toBeGreaterThan(0);
  expect(posts.some(({ poll }) => poll)).toBe(true);
  expect((await fetch(`${fixture.sandbox.url}/social/media/picture-none`)).status).toBe(404);
});

test('generated votes arrive until the poll closes', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const open = (await latest(social)).filter(({ poll }) => poll && !poll.closed);

  await fixture.clock.advance(DAY_MS);
  const closed = await Promise.all(open.map((post) => social.postDetail(post)));
  await fixture.clock.advance(DAY_MS / 2);
  const later = await Promise.all(open.map((post) => social.postDetail(post)));

  const votesOf = (posts: readonly Post[]): readonly number[] => posts.map(({ poll }) => poll?.totalVotes ?? 0);
  expect(closed.every(({ poll }) => poll?.closed)).toBe(true);
  expect(votesOf(later)).toEqual(votesOf(closed));
  expect(votesOf(closed).some((votes, index) => votes > (votesOf(open)[index] ?? 0))).toBe(true);
});

test('a page shows pictures, polls and quotes with escaped text', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const path = fileWith(PNG, { folder, name: 'card.png' });
  const card = await social.createPost(HOSTILE, { files: [[path, `"${HOSTILE}`]], place: 'sao-paulo' });
  const poll = await social.createPost('which?', { poll: { options: [HOSTILE.slice(0, 25), 'b'] }, quote: card });

  const page = await (await fetch(`${fixture.sandbox.url}/social`)).text();

  expect(page).toContain(`<img src="${card.media[0]?.url}" alt="&quot;&lt;img src=x onerror=alert(1)&gt;" />`);
  expect(page).toContain('<blockquote dir="auto">&lt;img src=x onerror=alert(1)&gt;</blockquote>');
  expect(page).toContain('<span dir="auto">&lt;img src=x onerror=alert(</span>');
  expect(page).toContain('São Paulo');
  expect(page).not.toContain('<img src=x');
  expect((await fetch(poll.url ?? '')).status).toBe(200);
});

/** Generated posts from several pages. */
async function latest(social: SocialAsync): Promise<readonly Post[]> {
  const { items } = await social.search('?', { filter: 'Latest', pages: 10, waitTime: 0 });
  return items.filter((item): item is Post => 'text' in item);
}
