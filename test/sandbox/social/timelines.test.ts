import { expect, test } from 'vitest';
import { HOME_TIMELINE_TYPE_FOLLOWING, HOME_TIMELINE_TYPE_FOR_YOU } from '#src/social/enumerations.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { ALL, chatterNow, publicChatterNow, signIn } from '../../support/sandbox-people.ts';

const MINUTE_MS = 60_000;

test('the latest home timeline is all that those wrote whom one follows, and oneself, newest first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const latest = { timelineType: HOME_TIMELINE_TYPE_FOLLOWING, ...ALL } as const;
  const empty = await social.getHomeTimeline(latest);
  const followed = [await social.followUser('ada'), await social.followUser('barbara')];
  const own = await social.createPost('Here I am.');

  const timeline = await social.getHomeTimeline(latest);

  const authors = new Set(followed.map(({ id }) => id));
  const held = chatterNow(ground).filter(({ authorId, community, onTimeline }) => authors.has(authorId) && (!community || onTimeline));
  expect(empty.items).toEqual([]);
  expect(timeline.items.map(({ id }) => id)).toEqual([own.id, ...held.map(({ id }) => id)]);
  expect(held.length).toBeGreaterThan(20);

  await social.unfollowUser('ada');

  expect((await social.getHomeTimeline(latest)).items.filter(({ author }) => author.handle === 'ada')).toEqual([]);
});

test('the other home timeline has what others like, those whom one follows further up, and each post once', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const { id } = await social.getUserInfo('ada');
  const wanted = { timelineType: HOME_TIMELINE_TYPE_FOR_YOU, pages: 10, waitTime: 0 } as const;
  const ofAda = async (): Promise<number> => (await social.getHomeTimeline(wanted)).items.filter(({ author }) => author.id === id).length;

  const before = await ofAda();
  await social.followUser(id);
  const after = await ofAda();
  const timeline = await social.getHomeTimeline(wanted);

  expect(after).toBeGreaterThan(before);
  expect(new Set(timeline.items.map((post) => post.id)).size).toBe(200);
  expect((await social.getHomeTimeline()).items).toEqual(timeline.items.slice(0, 20));
});

test('mentions are the posts of others that call one by the handle, newest first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [ada, grace] = await Promise.all([signIn(ground, 'ada'), signIn(ground, 'grace')]);
  const first = await ada.createPost('Thank you, @fanfare!');
  await ground.clock.advance(MINUTE_MS);
  const second = await grace.createPost('@FANFARE is late again');
  await grace.createPost('mail@fanfare.example and @fanfares are none');
  await social.createPost('I am @fanfare');

  const mentions = await social.getMentions(ALL);

  expect(mentions.items.map(({ id }) => id)).toEqual([second.id, first.id]);

  await social.blockUser('grace');

  expect((await social.getMentions(ALL)).items.map(({ id }) => id)).toEqual([first.id]);
});

test('bookmarks are kept for oneself, the latest first, and shown by the posts', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signIn(ground, 'ada');
  const [one, two, three] = (await social.search('the', { filter: 'Latest' })).items.filter((post) => 'author' in post);
  if (!one || !two || !three) throw new Error('too few posts');

  const kept = [await social.bookmarkPost(one), await social.bookmarkPost(two.url ?? ''), await social.bookmarkPost(three.id)];
  await social.bookmarkPost(one.id);
  const bookmarks = await social.getBookmarks(ALL);

  expect(kept).toEqual([true, true, true]);
  expect(bookmarks.items.map(({ id }) => id)).toEqual([three.id, two.id, one.id]);
  expect(bookmarks.items.map(({ viewer }) => viewer?.bookmarked)).toEqual([true, true, true]);
  expect((await ada.getBookmarks(ALL)).items).toEqual([]);
  expect((await ada.postDetail(one)).viewer?.bookmarked).toBe(false);

  for (const form of [two, two.url ?? '', two.id]) expect(await social.unbookmarkPost(form)).toBe(true);

  expect((await social.getBookmarks(ALL)).items.map(({ id }) => id)).toEqual([three.id, one.id]);
  await expect(social.bookmarkPost('none')).rejects.toMatchObject({ fault: 'missing' });
});

test('a bookmark of a post that is gone or hidden by now is not shown', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signIn(ground, 'ada');
  const [deleted, hidden] = [await ada.createPost('one'), await ada.createPost('two')];
  for (const post of [deleted, hidden]) await social.bookmarkPost(post);

  await ada.deletePost(deleted);
  const left = await social.getBookmarks(ALL);
  await ada.blockUser('fanfare');
  const none = await social.getBookmarks(ALL);

  expect([left, none].map(({ items }) => items.map(({ id }) => id))).toEqual([[hidden.id], []]);
});

test('post notifications are the new posts of those who are switched on, and no replies', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [ada, grace] = await Promise.all([signIn(ground, 'ada'), signIn(ground, 'grace')]);
  await ada.createPost('before');
  await ground.clock.advance(MINUTE_MS);

  expect(await social.enableUserNotification('@ada')).toBe(true);
  const first = await ada.createPost('first');
  await grace.createPost('from somebody else');
  await ada.createPost('a reply', { replyTo: first });
  await ground.clock.advance(MINUTE_MS);
  const second = await ada.createPost('second');
  const notified = await social.getPostNotifications(ALL);

  const written = notified.items.filter(({ text }) => ['first', 'second'].includes(text));
  expect(written.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(notified.items.filter(({ author, replyTo, text }) => author.handle !== 'ada' || replyTo || text === 'before')).toEqual([]);
  expect((await social.getUserInfo('ada')).viewer?.notifying).toBe(true);

  expect(await social.disableUserNotification('ada')).toBe(true);

  expect((await social.getPostNotifications(ALL)).items).toEqual([]);
});

test('trends are the twenty hashtags in the most posts of the last day', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const sinceMs = ground.clock.nowMs() - 24 * 60 * MINUTE_MS;
  const counts = new Map<string, number>();
  for (const { text, createdAtMs } of publicChatterNow(ground)) {
    const tags = text.toLowerCase().match(/#\w*[a-z]\w*/g) ?? [];
    if (createdAtMs > sinceMs) for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }

  const trends = await social.getTrends();

  expect(trends.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(trends.map(({ postCount }) => postCount)).toEqual([...counts.values()].toSorted((a, b) => b - a).slice(0, 20));
  for (const { name, postCount } of trends) expect(counts.get(name.toLowerCase()), name).toBe(postCount);
});

test('what many write about becomes a trend', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const { postCount: most = 0 } = (await social.getTrends())[0] ?? {};

  for (let post = 0; post <= most; post += 1) await social.createPost(`#Zanzibar ${post}, #zanzibar`);
  const [first] = await social.getTrends();

  expect(first).toMatchObject({ rank: 1, kind: 'hashtag', postCount: most + 1 });
  expect(first?.name.toLowerCase()).toBe('#zanzibar');
});
