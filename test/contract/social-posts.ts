import { expect } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import { asRead, falling, faultOf, idsOf, newest, now, recover, timesOf, whole, type PromiseTest } from './social-fixture.ts';

const HOSTILE = '@everyone [free](https://evil.example) \u202Egnp.exe <script>alert(1)</script> Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤a̴̵̞ "\' \\ 😀👩‍👩‍👧 \n second line';

/** Posts and their recovery. */
export function socialPostsContract(promise: PromiseTest): void {
  promise('a post exists on the platform with its exact text, as in its record', ['createPost'], async ({ ground, social }) => {
    const post = await social.createPost(HOSTILE);

    expect(await ground.postTexts()).toEqual([HOSTILE]);
    expect(post).toMatchObject({ platform: ground.platform.name, text: HOSTILE, createdAt: now(ground) });
    expect(post.author.handle).toBe(ground.handle);
    expect(URL.canParse(post.url ?? '')).toBe(true);
    expect(await newest(social, ground.handle)).toEqual(asRead(post, ground));
  });

  promise('a post is found by its id and by its address', ['postDetail'], async ({ ground, social }) => {
    const post = await social.createPost('here');

    expect(await social.postDetail(post.id)).toEqual(asRead(post, ground));
    expect(await social.postDetail(post.url ?? '')).toEqual(asRead(post, ground));
    await expect(social.postDetail('no-such-post')).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('mentions, hashtags and links have their range in UTF-16 code units', ['createPost'], async ({ ground, social }) => {
    const text = `👩‍👩‍👧 @${ground.other} plays #chess at https://www.twitch.tv/ada?t=1 now`;
    const { entities, text: shown } = await social.createPost(text);

    const marked = entities.map(({ type, start, end }) => [type, shown.slice(start, end)]);
    expect(marked).toEqual([
      ['mention', `@${ground.other}`],
      ['hashtag', '#chess'],
      ['url', expect.stringMatching(/twitch\.tv\/ada/)],
    ]);
  });

  promise('a repeated write with the same key creates one post', ['createPost'], async ({ ground, social }) => {
    const first = await social.createPost('once', { key: 'k1', since: now(ground) });
    const second = ground.knowsNoKeys ? first : await social.createPost('once', { key: 'k1', since: now(ground) });
    const other = await social.createPost(ground.knowsNoKeys ? 'twice' : 'once', { key: 'k2', since: now(ground) });

    expect(second.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect((await ground.postTexts()).length).toBe(2);
  });

  promise('a post is found after a lost response, and no second post is created', ['createPost'], async ({ ground, social }) => {
    const since = now(ground);
    ground.loseNextAnswer();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const recovery = await recover(social, createPost.declared, { text: 'lost' }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
    expect(await ground.postTexts()).toEqual(['lost']);
  });

  promise('a post is known to be absent after a lost request', ['createPost'], async ({ ground, social }) => {
    const since = now(ground);
    await social.createPost('lost', { key: 'another', since });
    ground.loseNextRequest();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const taken = new Set([(await newest(social, ground.handle)).id]);
    const lostAt = now(ground);
    await ground.clock.advance(ground.settlesWithinMs ?? 0);
    const recovery = await recover(social, createPost.declared, { text: 'lost' }, { key: 'k', since, lostAt, taken });

    expect(fault).toBe('unanswered');
    // If a repeat would be a second post, the outcome stays open.
    expect(recovery).toBe(ground.absence ?? (ground.knowsNoKeys ? 'cannotTell' : 'absent'));
  });

  promise('a reply names the post that it replies to', ['createPost.replyTo'], async ({ social }) => {
    const post = await social.createPost('first');

    const reply = await social.createPost('second', { replyTo: post });

    expect(reply.replyTo).toMatchObject({ postId: post.id });
    await expect(social.createPost('third', { replyTo: 'no-such-post' })).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('a quote names the quoted post', ['createPost.quote'], async ({ social }) => {
    const post = await social.createPost('first');

    const quote = await social.createPost('second', { quote: post.id });

    expect(quote.quoted).toMatchObject({ postId: post.id, state: 'accepted' });
    expect(quote.text).toBe('second');
  });

  promise('an edited post has its new text and its versions', ['editPost', 'postEditHistory'], async ({ ground, social }) => {
    const post = await social.createPost('first');
    await ground.clock.advance(60_000);

    const edited = await social.editPost(post, 'second');
    const { versions } = await social.postEditHistory(post);

    expect(edited.id === post.id).toBe(!ground.editsAreNewPosts);
    expect(edited).toMatchObject({ text: 'second', createdAt: post.createdAt, editedAt: now(ground) });
    expect(versions.map(({ text, createdAt }) => [text, createdAt])).toEqual([
      ['first', post.createdAt],
      ['second', now(ground)],
    ]);
    expect(await ground.postTexts()).toEqual(['second']);
  });

  promise('a deleted post is gone, and a second deletion succeeds', ['deletePost'], async ({ ground, social }) => {
    const post = await social.createPost('short-lived');
    await social.createPost('stays');

    expect(await social.deletePost(post)).toBe(true);
    expect(await social.deletePost(post)).toBe(true);

    expect(await ground.postTexts()).toEqual(['stays']);
    expect((await social.getPosts(ground.handle)).items.map(({ text }) => text)).toEqual(['stays']);
  });

  promise('a post of another user cannot be deleted', ['deletePost'], async ({ ground, social }) => {
    await expect(social.deletePost(await newest(social, ground.other))).rejects.toMatchObject({ fault: 'forbidden' });
  });

  promise('posts are listed newest first, each once', ['getPosts'], async ({ ground, social }) => {
    const posts = await social.getPosts(ground.other, whole);

    expect(posts.length).toBeGreaterThan(10);
    expect(new Set(idsOf(posts)).size).toBe(posts.length);
    expect(timesOf(posts)).toEqual(falling(timesOf(posts)));
  });

  promise('replies are listed only on request', ['getPosts'], async ({ ground, social }) => {
    const without = await social.getPosts(ground.other, whole);
    const all = await social.getPosts(ground.other, { ...whole, replies: true });

    expect(all.items.some(({ replyTo }) => replyTo)).toBe(true);
    expect(idsOf(without)).toEqual(idsOf(all.items.filter(({ replyTo }) => !replyTo)));
  });

  promise('the posts of a user equal those of the world', ['getPosts'], async ({ ground, social }) => {
    const posts = await social.getPosts(ground.other, { ...whole, replies: true });
    const truth = await ground.truth?.getPosts(ground.other, { ...whole, replies: true });

    const texts = posts.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text);
    if (truth) expect(texts).toEqual(truth.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text));
    expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set([ground.other]));
  });
}
