import { expect, test } from 'vitest';
import type { PostConversationFilters } from '#src/clients/social/enumerations.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';

/** For each filter: the audience in the record, and the action that lets ada reply. */
const INVITATIONS: readonly {
  readonly filter: PostConversationFilters;
  readonly replyAudience: string;
  readonly invite: (fixture: SandboxFixture) => Promise<unknown>;
}[] = [
  { filter: 'Community', replyAudience: 'following', invite: async (fixture) => new SocialAsync(fixture).followUser('ada') },
  { filter: 'Followers', replyAudience: 'followers', invite: async (fixture) => (await signIn(fixture, 'ada')).followUser('fanfare') },
];

test.for(INVITATIONS)('with $filter, only the selected people can reply', async ({ filter, replyAudience, invite }) => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  const post = await social.createPost('who?', { filter });

  await expect(ada.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await invite(fixture);
  const answer = await ada.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe(replyAudience);
  expect(await fixture.postTexts()).toEqual(['who?', 'me']);
  expect((await social.postDetail(post)).counts.replies).toBe(1);
  expect(answer.replyTo).toEqual({ postId: post.id, userId: 'fanfare' });
});

test('with ByInvitation, only mentioned people can reply', async () => {
  await using fixture = await openSocial();
  const post = await new SocialAsync(fixture).createPost('what do you say, @ada?', { filter: 'ByInvitation' });
  const [ada, grace] = [await signIn(fixture, 'ada'), await signIn(fixture, 'grace')];

  await expect(grace.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await ada.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('mentioned');
  expect((await fixture.postTexts()).slice(1)).toEqual(['me']);
});

test('with Verified, only verified people can reply', async () => {
  await using fixture = await openSocial();
  const star = fixture.sandbox.world.people.toSorted((a, b) => b.followerCount - a.followerCount)[0]?.handle ?? '';
  const post = await new SocialAsync(fixture).createPost('who?', { filter: 'Verified' });
  const [ada, verified] = [await signIn(fixture, 'ada'), await signIn(fixture, star)];

  await expect(ada.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  const answer = await verified.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('verified');
  expect(answer.author.handle).toBe(star);
});

test('with Subscribers, only paying subscribers can reply', async () => {
  await using fixture = await openSocial();
  const ada = await signIn(fixture, 'ada');
  const [subscriber] = await ada.getUserSubscribers('ada');
  const post = await ada.createPost('who?', { filter: 'Subscribers' });
  const patron = await signIn(fixture, subscriber?.handle ?? '');

  await expect(new SocialAsync(fixture).createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  const answer = await patron.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('subscribers');
  expect(answer.author.id).toBe(subscriber?.id);
});

test('with Nobody, only the author can reply, also below replies', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');

  const post = await social.createPost('done', { filter: 'Nobody' });
  const more = await social.createPost('one more thing', { replyTo: post });

  await expect(ada.createPost('but', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(ada.createPost('but', { replyTo: more })).rejects.toMatchObject({ fault: 'forbidden' });
  await ada.createPost('quoted, then', { quote: post });
  expect(await fixture.postTexts()).toEqual(['done', 'one more thing', 'quoted, then']);
});
