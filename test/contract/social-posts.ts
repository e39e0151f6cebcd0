import { expect } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import { asRead, falling, faultOf, idsOf, newest, now, recover, timesOf, whole, type PromiseTest } from './social-fixture.ts';

const HOSTILE = '@everyone [free](https://evil.example) \u202Egnp.exe <script>alert(1)</script> Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤a̴̵̞ "\' \\ 😀👩‍👩‍👧 \n second line';

/** Posts and their recovery. */
export function socialPostsContract(promise: PromiseTest): void {
  promise('a post exists on the platform with its exact text, as in its record', ['createPost'], async ({ fixture, social }) => {
    const post = await social.createPost(HOSTILE);

    expect(await fixture.postTexts()).toEqual([HOSTILE]);
    expect(post).toMatchObject({ platform: fixture.platform.name, text: HOSTILE, createdAt: now(fixture) });
    expect(post.author.handle).toBe(fixture.handle);
    expect(URL.canParse(post.url ?? '')).toBe(true);
    expect(await newest(social, fixture.handle)).toEqual(asRead(post, fixture));
  });

  promise('a post is found by its id and by its address', ['postDetail'], async ({ fixture, social }) => {
    const post = await social.createPost('here');

    expect(await social.postDetail(post.id)).toEqual(asRead(post, fixture));
    expect(await social.postDetail(post.url ?? '')).toEqual(asRead(post, fixture));
    await expect(social.postDetail('no-such-post')).rejects.toMatchObject({ fault: 'missing' });
  });

  promise('mentions, hashtags and links have their range in UTF-16 code units', ['createPost'], async ({ fixture, social }) => {
    const text = `👩‍👩‍👧 @${fixture.other} plays #chess at https://www.twitch.tv/ada?t=1 now`;
    const { entities, text: shown } = await social.createPost(text);

    const marked = entities.map(({ type, start, end }) => [type, shown.slice(start, end)]);
    expect(marked).toEqual([
      ['mention', `@${fixture.other}`],
      ['hashtag', '#chess'],
      ['url', expect.stringMatching(/twitch\.tv\/ada/)],
    ]);
  });

  promise('a repeated write with the same key creates one post', ['createPost'], async ({ fixture, social }) => {
    const first = await social.createPost('once', { key: 'k1', since: now(fixture) });
    const second = fixture.knowsNoKeys ? first : await social.createPost('once', { key: 'k1', since: now(fixture) });
    const other = await social.createPost(fixture.knowsNoKeys ? 'twice' : 'once', { key: 'k2', since: now(fixture) });

    expect(second.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect((await fixture.postTexts()).length).toBe(2);
  });

  promise('a post is found after a lost response, and no second post is created', ['createPost'], async ({ fixture, social }) => {
    const since = now(fixture);
    fixture.loseNextAnswer();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const recovery = await recover(social, createPost.declared, { text: 'lost' }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
    expect(await fixture.postTexts()).toEqual(['lost']);
  });

  promise(
    'a repeat with the key alone, after a lost response, creates no second record',
    ['createPost', 'createList', 'getLists'],
    async ({ fixture, social }) => {
      const writes = [() => social.createPost('lost', { key: 'k' }), () => social.createList('Lost', { key: 'k' })];

      for (const write of writes) {
        fixture.loseNextAnswer();
        expect(await faultOf(write())).toBe('unanswered');
        await fixture.clock.advance(60_000);
        const { id } = await write();
        await fixture.clock.advance(60_000);
        expect((await write()).id).toBe(id);
      }

      expect(await fixture.postTexts()).toEqual(['lost']);
      expect((await social.getLists()).items.map(({ name }) => name)).toEqual(['Lost']);
    },
  );

  promise('a post is known to be absent after a lost request', ['createPost'], async ({ fixture, social }) => {
    const since = now(fixture);
    await social.createPost('lost', { key: 'another', since });
    fixture.loseNextRequest();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const taken = new Set([(await newest(social, fixture.handle)).id]);
    const lostAt = now(fixture);
    await fixture.clock.advance(fixture.settlesWithinMs ?? 0);
    const recovery = await recover(social, createPost.declared, { text: 'lost' }, { key: 'k', since, lostAt, taken });

    expect(fault).toBe('unanswered');
    // If a repeat would be a second post, the outcome stays open.
    expect(recovery).toBe(fixture.absence ?? (fixture.knowsNoKeys ? 'cannotTell' : 'absent'));
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

  promise('an edited post has its new text and its versions', ['editPost', 'postEditHistory'], async ({ fixture, social }) => {
    const post = await social.createPost('first');
    await fixture.clock.advance(60_000);

    const edited = await social.editPost(post, 'second');
    const { versions } = await social.postEditHistory(post);

    expect(edited.id === post.id).toBe(!fixture.editsAreNewPosts);
    expect(edited).toMatchObject({ text: 'second', createdAt: post.createdAt, editedAt: now(fixture) });
    expect(versions.map(({ text, createdAt }) => [text, createdAt])).toEqual([
      ['first', post.createdAt],
      ['second', now(fixture)],
    ]);
    expect(await fixture.postTexts()).toEqual(['second']);
  });

  promise('a deleted post is gone, and a second deletion succeeds', ['deletePost'], async ({ fixture, social }) => {
    const post = await social.createPost('short-lived');
    await social.createPost('stays');

    expect(await social.deletePost(post)).toBe(true);
    expect(await social.deletePost(post)).toBe(true);

    expect(await fixture.postTexts()).toEqual(['stays']);
    expect((await social.getPosts(fixture.handle)).items.map(({ text }) => text)).toEqual(['stays']);
  });

  promise('a post of another user cannot be deleted', ['deletePost'], async ({ fixture, social }) => {
    await expect(social.deletePost(await newest(social, fixture.other))).rejects.toMatchObject({ fault: 'forbidden' });
  });

  promise('posts are listed newest first, each once', ['getPosts'], async ({ fixture, social }) => {
    const posts = await social.getPosts(fixture.other, whole);

    expect(posts.length).toBeGreaterThan(10);
    expect(new Set(idsOf(posts)).size).toBe(posts.length);
    expect(timesOf(posts)).toEqual(falling(timesOf(posts)));
  });

  promise('replies are listed only on request', ['getPosts'], async ({ fixture, social }) => {
    const without = await social.getPosts(fixture.other, whole);
    const all = await social.getPosts(fixture.other, { ...whole, replies: true });

    expect(all.items.some(({ replyTo }) => replyTo)).toBe(true);
    expect(idsOf(without)).toEqual(idsOf(all.items.filter(({ replyTo }) => !replyTo)));
  });

  promise('the posts of a user equal those of the world', ['getPosts'], async ({ fixture, social }) => {
    const posts = await social.getPosts(fixture.other, { ...whole, replies: true });
    const truth = await fixture.truth?.getPosts(fixture.other, { ...whole, replies: true });

    const texts = posts.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text);
    if (truth) expect(texts).toEqual(truth.items.filter(({ repostOf }) => repostOf === undefined).map(({ text }) => text));
    expect(new Set(posts.items.map(({ author }) => author.handle))).toEqual(new Set([fixture.other]));
  });
}
