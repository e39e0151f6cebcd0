import { expect, test } from 'vitest';
import { openJournal } from '../../journal-sqlite.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const MINUTE_MS = 60_000;

test('a post has at most 500 graphemes', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const post = await social.createPost('👩‍👩‍👧'.repeat(500));

  expect(post.text).toBe('👩‍👩‍👧'.repeat(500));
  await expect(social.createPost('a'.repeat(501))).rejects.toMatchObject({ fault: 'rejected', status: 422 });
  await expect(social.createPost(`https://fanfare.example/${'a'.repeat(500)}`)).rejects.toMatchObject({ status: 422 });
  expect(await fixture.postTexts()).toHaveLength(1);
});

test('a post has its place, and a missing place is refused', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const { place } = await social.createPost('hello', { place: 'lisbon' });
  const again = await social.createPost('hello again', { place });

  expect(place).toEqual({ id: 'lisbon', name: 'Lisbon', fullName: 'Lisbon, Portugal', country: 'Portugal', countryCode: 'PT' });
  expect(again.place).toEqual(place);
  await expect(social.createPost('hello', { place: 'atlantis' })).rejects.toMatchObject({ fault: 'missing' });
});

test('an edit changes the post and keeps earlier versions, and a repeated edit adds no version', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const startMs = fixture.clock.nowMs();
  const post = await social.createPost('one');
  await fixture.clock.advance(MINUTE_MS);

  await social.editPost(post.id, 'two');
  await fixture.clock.advance(MINUTE_MS);
  await social.editPost(post.url ?? '', 'two');
  const edited = await social.editPost(post, 'three #late');
  const history = await Promise.all([post.id, post.url ?? '', post].map((form) => social.postEditHistory(form)));

  expect(edited).toMatchObject({
    id: post.id,
    text: 'three #late',
    entities: [{ type: 'hashtag', start: 6, end: 11 }],
    createdAt: new Date(startMs),
    editedAt: new Date(startMs + 2 * MINUTE_MS),
  });
  expect(history[0]).toEqual({
    postId: post.id,
    versions: [
      { text: 'one', createdAt: new Date(startMs), media: [] },
      { text: 'two', createdAt: new Date(startMs + MINUTE_MS), media: [] },
      { text: 'three #late', createdAt: new Date(startMs + 2 * MINUTE_MS), media: [] },
    ],
    complete: true,
  });
  expect(history.slice(1)).toEqual([history[0], history[0]]);
  expect(await fixture.postTexts()).toEqual(['three #late']);
});

test('an account cannot edit, pin or delete a post of another account', async () => {
  await using fixture = await openSocial();
  const ada = await signIn(fixture, 'ada');
  const post = await new SocialAsync(fixture).createPost('mine');

  await expect(ada.editPost(post, 'yours')).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(ada.pinPost(post)).rejects.toMatchObject({ fault: 'forbidden' });
  await expect(ada.deletePost(post)).rejects.toMatchObject({ fault: 'forbidden' });

  expect(await fixture.postTexts()).toEqual(['mine']);
});

test('a deleted post is missing, and its quotes and replies show this', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const post = await social.createPost('first');
  const quote = await social.createPost('look', { quote: post.url });
  const answer = await social.createPost('answer', { replyTo: post });

  expect(quote.quoted).toEqual({ postId: post.id, state: 'accepted', text: 'first' });
  expect(await social.deletePost(post.url ?? '')).toBe(true);

  await expect(social.postDetail(post)).rejects.toMatchObject({ fault: 'missing' });
  expect((await social.postDetail(quote)).quoted).toEqual({ postId: post.id, state: 'unavailable' });
  expect(await social.postDetail(answer)).toMatchObject({ conversationId: post.id, replyTo: { postId: post.id } });
});

test('edits, likes, votes and pins survive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  async function write(): Promise<Post> {
    await using fixture = await openSocial({ file });
    const social = new SocialAsync(fixture);
    const post = await social.createPost('which?', { poll: { options: ['a', 'b'] }, filter: 'Nobody', place: 'seoul' });
    await social.editPost(post, 'which one?');
    await social.likePost(post);
    await social.pinPost(post);
    return await social.votePoll(post, [1]);
  }

  const before = await write();
  await using fixture = await openSocial({ file });
  const after = await new SocialAsync(fixture).postDetail(before.id);

  const { url, author, ...facts } = before;
  expect(after).toMatchObject(facts);
  expect(after).toMatchObject({ text: 'which one?', viewer: { liked: true, pinned: true }, poll: { totalVotes: 1 } });
  expect(new URL(url ?? '').pathname).toBe(new URL(after.url ?? '').pathname);
  expect(author.handle).toBe(after.author.handle);
});

test('a journal from before posts had more than a text is readable', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const journal = openJournal({ file });
  const createdAtMs = Date.parse('2026-11-20T17:00:00Z');
  journal.put('social.posts', 'own-7', {
    id: 'own-7',
    authorId: 'fanfare',
    text: 'old',
    createdAtMs,
    visibleAtMs: createdAtMs,
    likes: 0,
    reposts: 0,
    key: 'k',
  });
  journal.close();
  await using fixture = await openSocial({ file });
  const social = new SocialAsync(fixture);

  const old = await social.postDetail('own-7');
  const next = await social.createPost('new');

  expect(old).toMatchObject({ text: 'old', media: [], createdAt: new Date(createdAtMs) });
  expect(next.id).toBe('own-8');
  expect((await social.createPost('old', { key: 'k' })).id).toBe('own-7');
});
