import { expect, test } from 'vitest';
import { Language } from '#src/social/enumerations.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { signedIn } from '../../adapters/sandbox/signed-in.ts';

const HOUR_MS = 3_600_000;

test('the numbers of a post grow with its age and with what comes of it, and are the same at every look', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signedIn(ground, 'ada');
  const post = await social.createPost('see https://fanfare.example');

  const first = await social.getPostAnalytics(post);
  await ground.clock.advance(HOUR_MS);
  const older = await social.getPostAnalytics(post.id);
  const again = await social.getPostAnalytics(post.url ?? '');
  await ada.likePost(post);
  await ada.bookmarkPost(post);
  await ada.createPost('nice', { replyTo: post });
  const liked = await social.getPostAnalytics(post);

  expect(first).toMatchObject({ postId: post.id, impressions: 0, engagements: 0, completeness: 'full' });
  expect(older.impressions).toBeGreaterThan(0);
  expect(again).toEqual(older);
  expect(liked).toMatchObject({ likes: 1, replies: 1, bookmarks: 1, reposts: 0, quotes: 0 });
  expect(liked.impressions).toBeGreaterThan(older.impressions ?? 0);
  expect(liked.engagements).toBe(3 + (liked.profileClicks ?? 0) + (liked.urlClicks ?? 0));
});

test("the numbers of somebody else's post are not told", async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [post] = await social.getPosts('ada');

  await expect(social.getPostAnalytics(post?.id ?? '')).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(social.getPostAnalytics('none')).rejects.toMatchObject({ fault: 'missing' });
});

test('a translation says from what and into what, and who made it', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const post = await social.createPost('hello');

  const translations = await Promise.all([post.id, post.url ?? '', post].map((form) => social.translatePost(form, Language.GERMAN)));
  const same = await social.translatePost(post, Language.ENGLISH);

  const german = { postId: post.id, text: '[de] hello', sourceLanguage: 'en', targetLanguage: 'de', provider: 'sandbox' };
  expect(translations).toEqual([german, german, german]);
  expect(same.text).toBe('hello');
});

test('what people wrote has a history of one version', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [post] = await social.getPosts('ada');

  const history = await social.postEditHistory(post?.id ?? '');

  expect(history).toEqual({
    postId: post?.id,
    versions: [{ text: post?.text, createdAt: post?.createdAt, media: post?.media }],
    complete: true,
  });
});
