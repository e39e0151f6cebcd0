import { expect } from 'vitest';
import { createPost } from '#src/social/posts.ts';
import { asRead, falling, faultOf, idsOf, newest, now, recover, timesOf, whole, type PromiseTest } from './social-fixture.ts';

const HOSTILE = '@everyone [free](https://evil.example) \u202Egnp.exe <script>alert(1)</script> Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤a̴̵̞ "\' \\ 😀👩‍👩‍👧 \n second line';

/** A written post exists once, until it is deleted. */
export function posts(promise: PromiseTest): void {
  promise('a post exists on the platform with its exact text, as in its record', ['createPost'], async ({ ground, social }) => {
    const post = await social.createPost(HOSTILE);

    expect(await ground.standing()).toEqual([HOSTILE]);
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

  promise('what a text calls, names and links to is known, by UTF-16', ['createPost'], async ({ ground, social }) => {
    const text = `👩‍👩‍👧 @${ground.other} plays #chess at https://www.twitch.tv/ada?t=1 now`;
    const { entities, text: stands } = await social.createPost(text);

    const marked = entities.map(({ type, start, end }) => [type, stands.slice(start, end)]);
    expect(marked).toEqual([
      ['mention', `@${ground.other}`],
      ['hashtag', '#chess'],
      ['url', expect.stringMatching(/twitch\.tv\/ada/)],
    ]);
  });

  promise('a write that is repeated with its key makes one post', ['createPost'], async ({ ground, social }) => {
    const first = await social.createPost('once', { key: 'k1', since: now(ground) });
    const second = ground.knowsNoKeys ? first : await social.createPost('once', { key: 'k1', since: now(ground) });
    const other = await social.createPost(ground.knowsNoKeys ? 'twice' : 'once', { key: 'k2', since: now(ground) });

    expect(second.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect((await ground.standing()).length).toBe(2);
  });

  promise('a post whose answer was lost is found again, and no second one is made', ['createPost'], async ({ ground, social }) => {
    const since = now(ground);
    ground.loseNextAnswer();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const recovery = await recover(social, createPost.declared, { text: 'lost' }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
    expect(await ground.standing()).toEqual(['lost']);
  });

  promise('a post that never arrived is known to be absent', ['createPost'], async ({ ground, social }) => {
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

  promise('a reply says what it answers', ['createPost.replyTo'], async ({ social }) => {
    const post = await social.createPost('first');

    const reply = await social.createPost('second', { replyTo: post });

    expect(reply.replyTo).toMatchObject({ postId: post.id });
    await expect(social.createPost('third', { replyTo: 'no-such-post' })).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('a quote says what it shows', ['createPost.quote'], async ({ social }) => {
    const post = await social.createPost('first');

    const quote = await social.createPost('second', { quote: post.id });

    expect(quote.quoted).toMatchObject({ postId: post.id, state: 'accepted' });
    expect(quote.text).toBe('second');
  });

  promise('an edited post has its new text, and how it stood before', ['editPost', 'postEditHistory'], async ({ ground, social }) => {
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
    expect(await ground.standing()).toEqual(['second']);
  });

  promise('a post that was deleted is gone, and deleting it again is no failure', ['deletePost'], async ({ ground, social }) => {
    const post = await social.createPost('short-lived');
    await social.createPost('stays');

    expect(await social.deletePost(post)).toBe(true);
    expect(await social.deletePost(post)).toBe(true);

    expect(await ground.standing()).toEqual(['stays']);
    expect((await social.getPosts(ground.handle)).items.map(({ text }) => text)).toEqual(['stays']);
  });

  promise("somebody else's post cannot be deleted", ['deletePost'], async ({ ground, social }) => {
    await expect(social.deletePost(await newest(social, ground.other))).rejects.toMatchObject({ fault: 'forbidden' });
  });

  promise('posts come newest first, each once', ['getPosts'], async ({ ground, social }) => {
    const posts = await social.getPosts(ground.other, whole);

    expect(posts.length).toBeGreaterThan(10);
    expect(new Set(idsOf(posts)).size).toBe(posts.length);
    expect(timesOf(posts)).toEqual(falling(timesOf(posts)));
  });

  promise('replies are left out unless they are asked for', ['getPosts'], async ({ ground, social }) => {
    const without = await social.getPosts(ground.other, whole);
    const all = await social.getPosts(ground.other, { ...whole, replies: true });

    expect(all.items.some(({ replyTo }) => replyTo)).toBe(true);
    expect(idsOf(without)).toEqual(idsOf(all.items.filter(({ replyTo }) => !replyTo)));
  });

  promise('somebody wrote what they wrote', ['getPosts'], async ({ ground, social }) => {
    const posts = await social.getPosts(ground.other, { ...whole, replies: true });
    const truth = await ground.truth?.getPosts(ground.other, { ...whole, replies: true });

    const texts = posts.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text);
    if (truth) expect(texts).toEqual(truth.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text));
    expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set([ground.other]));
  });
}
