import { expect, test } from 'vitest';
import type { PostConversationFilters } from '#src/clients/social/enumerations.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxGround } from '../../../test/adapters/sandbox/open-social.ts';
import { signedIn } from '../../../test/adapters/sandbox/signed-in.ts';

/** For each filter: the audience in the record, and the action that lets ada reply. */
const INVITATIONS: readonly {
  readonly filter: PostConversationFilters;
  readonly replyAudience: string;
  readonly invite: (ground: SandboxGround) => Promise<unknown>;
}[] = [
  { filter: 'Community', replyAudience: 'following', invite: async (ground) => new SocialAsync(ground).followUser('ada') },
  { filter: 'Followers', replyAudience: 'followers', invite: async (ground) => (await signedIn(ground, 'ada')).followUser('fanfare') },
];

test.for(INVITATIONS)('with $filter, only the selected people can reply', async ({ filter, replyAudience, invite }) => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signedIn(ground, 'ada');
  const post = await social.createPost('who?', { filter });

  await expect(ada.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await invite(ground);
  const answer = await ada.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe(replyAudience);
  expect(await ground.postTexts()).toEqual(['who?', 'me']);
  expect((await social.postDetail(post)).counts.replies).toBe(1);
  expect(answer.replyTo).toEqual({ postId: post.id, userId: 'fanfare' });
});

test('with ByInvitation, only mentioned people can reply', async () => {
  await using ground = await openSocial();
  const post = await new SocialAsync(ground).createPost('what do you say, @ada?', { filter: 'ByInvitation' });
  const [ada, grace] = [await signedIn(ground, 'ada'), await signedIn(ground, 'grace')];

  await expect(grace.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await ada.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('mentioned');
  expect((await ground.postTexts()).slice(1)).toEqual(['me']);
});

test('with Verified, only verified people can reply', async () => {
  await using ground = await openSocial();
  const star = ground.sandbox.world.people.toSorted((a, b) => b.followerCount - a.followerCount)[0]?.handle ?? '';
  const post = await new SocialAsync(ground).createPost('who?', { filter: 'Verified' });
  const [ada, verified] = [await signedIn(ground, 'ada'), await signedIn(ground, star)];

  await expect(ada.createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  const answer = await verified.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('verified');
  expect(answer.author.handle).toBe(star);
});

test('with Subscribers, only paying subscribers can reply', async () => {
  await using ground = await openSocial();
  const ada = await signedIn(ground, 'ada');
  const [subscriber] = await ada.getUserSubscribers('ada');
  const post = await ada.createPost('who?', { filter: 'Subscribers' });
  const patron = await signedIn(ground, subscriber?.handle ?? '');

  await expect(new SocialAsync(ground).createPost('me', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  const answer = await patron.createPost('me', { replyTo: post });

  expect(post.replyAudience).toBe('subscribers');
  expect(answer.author.id).toBe(subscriber?.id);
});

test('with Nobody, only the author can reply, also below replies', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signedIn(ground, 'ada');

  const post = await social.createPost('done', { filter: 'Nobody' });
  const more = await social.createPost('one more thing', { replyTo: post });

  await expect(ada.createPost('but', { replyTo: post })).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(ada.createPost('but', { replyTo: more })).rejects.toMatchObject({ fault: 'forbidden' });
  await ada.createPost('quoted, then', { quote: post });
  expect(await ground.postTexts()).toEqual(['done', 'one more thing', 'quoted, then']);
});
