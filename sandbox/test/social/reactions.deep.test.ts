import { expect, test } from 'vitest';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';

const ALL = { pages: 'all', waitTime: 0 } as const;
const HOUR_MS = 3_600_000;

const STATES = [
  { what: 'likes', on: 'likePost', off: 'unlikePost', list: 'getPostLikes', flag: 'liked' },
  { what: 'reposts', on: 'repostPost', off: 'deleteRepost', list: 'getPostReposts', flag: 'reposted' },
] as const;

test.for(STATES)('generated $what are in counts and lists, and their authors can withdraw them', async (state) => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const { what, on, off, list, flag } = state;
  const post = await popularPost(social);

  const before = await social[list](post, ALL);
  const [first] = before;
  const fan = await signIn(fixture, first?.handle ?? '');
  const seen = await fan.postDetail(post);
  await fan[off](post);
  await social[on](post);
  const after = await social[list](post.id, ALL);

  expect(new Set(before.items.map(({ id }) => id)).size).toBe(post.counts[what]);
  expect(before.length).toBe(post.counts[what]);
  expect(seen.viewer?.[flag]).toBe(true);
  expect(after.items.map(({ id }) => id)).toEqual(['fanfare', ...before.items.slice(1).map(({ id }) => id)]);
  expect((await social.postDetail(post)).counts[what]).toBe(after.length);
});

test('an account pins up to five posts, and its profile names them, the latest first', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const posts: Post[] = [];
  for (const text of ['1', '2', '3', '4', '5', '6']) posts.push(await social.createPost(text));
  const [first, ...others] = posts;

  for (const post of others) await social.pinPost(post);
  await expect(social.pinPost(first?.id ?? '')).rejects.toMatchObject({ status: 422 });
  await social.unpinPost(others[4]?.url ?? '');
  await social.pinPost(first?.id ?? '');
  const { pinnedPostIds } = await social.getUserInfo();

  expect(pinnedPostIds).toEqual([first, others[3], others[2], others[1], others[0]].map((post) => post?.id));
  expect((await social.postDetail(first?.id ?? '')).viewer?.pinned).toBe(true);
});

test('a poll counts each vote once and closes at its end', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [ada, grace] = [await signIn(fixture, 'ada'), await signIn(fixture, 'grace')];
  const startMs = fixture.clock.nowMs();
  const post = await social.createPost('tea or coffee?', { poll: { options: ['tea', 'coffee'], durationMinutes: 60 } });

  await ada.votePoll(post.id, [0]);
  await ada.votePoll(post.url ?? '', [0]);
  await expect(ada.votePoll(post, [1])).rejects.toMatchObject({ status: 422 });
  await expect(grace.votePoll(post, [0, 1])).rejects.toMatchObject({ status: 422 });
  await expect(grace.votePoll(post, [2])).rejects.toMatchObject({ status: 422 });
  const { poll } = await grace.votePoll(post, [1]);
  await fixture.clock.advance(HOUR_MS);
  const closed = await social.postDetail(post);

  expect(post.poll).toMatchObject({ totalVotes: 0, voters: 0, closed: false, multiple: false, endsAt: new Date(startMs + HOUR_MS) });
  expect(poll?.options).toEqual([
    { index: 0, label: 'tea', votes: 1 },
    { index: 1, label: 'coffee', votes: 1 },
  ]);
  expect(closed.poll).toMatchObject({ totalVotes: 2, voters: 2, closed: true });
  await expect(social.votePoll(post, [0])).rejects.toMatchObject({ status: 422 });
});

test.for([
  ['has files', { options: ['a', 'b'] }, ['x.png']],
  ['has the same option twice', { options: ['a', 'a'] }, undefined],
  ['has an option that is too long', { options: ['a', 'b'.repeat(26)] }, undefined],
] as const)('the platform refuses a poll that %s', async ([, poll, files]) => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const write = social.createPost('which?', {
    poll: { options: [...poll.options] },
    ...(files && { files: files.map((id) => ({ platform: 'sandbox', id, kind: 'image', state: 'ready' })) }),
  });

  await expect(write).rejects.toMatchObject({ status: 422 });
  expect(await fixture.postTexts()).toEqual([]);
});

/** A post with generated likes and reposts. */
async function popularPost(social: SocialAsync): Promise<Post> {
  const posts = await social.search('the', { filter: 'Latest', pages: 5, waitTime: 0 });
  const post = posts.items.find((item) => 'counts' in item && item.counts.reposts > 1 && item.counts.likes < 100);
  if (!post || !('counts' in post)) throw new Error('nobody wrote anything that people like');
  return post;
}
