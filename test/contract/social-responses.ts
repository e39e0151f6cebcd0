import { expect } from 'vitest';
import { handlesOf, idsOf, newest, faultOf, now, whole, type PromiseTest } from './social-fixture.ts';

/** Reactions and replies to posts. */
export function socialResponsesContract(promise: PromiseTest): void {
  promise(
    'a repeated like counts once, is listed, and can be removed',
    ['likePost', 'unlikePost', 'getPostLikes'],
    async ({ fixture, social }) => {
      const post = await newest(social, fixture.other);

      await social.likePost(post);
      await social.likePost(post.id);
      const during = await social.postDetail(post);
      const fans = await social.getPostLikes(post, whole);
      await social.unlikePost(post);
      const after = await social.postDetail(post);

      expect(during.counts.likes).toBe(post.counts.likes + 1);
      if (!fixture.hidesViewer) expect(during.viewer?.liked).toBe(true);
      if (!fixture.hidesViewer) expect(handlesOf(fans)).toContain(fixture.handle);
      expect(after.counts.likes).toBe(post.counts.likes);
      if (!fixture.hidesViewer) expect(after.viewer?.liked).toBe(false);
    },
  );

  promise(
    'a post is reposted, and the repost is deleted',
    ['repostPost', 'deleteRepost', 'getPostReposts'],
    async ({ fixture, social }) => {
      const post = await newest(social, fixture.other);

      await social.repostPost(post);
      const during = await social.postDetail(post);
      const passedOnBy = await social.getPostReposts(post, whole);
      const mine = await social.getPosts(fixture.handle);
      await social.deleteRepost(post);
      const after = await social.postDetail(post);

      expect(during.counts.reposts).toBe(post.counts.reposts + 1);
      if (!fixture.hidesViewer) expect(during.viewer?.reposted).toBe(true);
      expect(handlesOf(passedOnBy)).toContain(fixture.handle);
      expect(mine.items[0]).toMatchObject({ repostOf: post.id, author: { handle: fixture.handle }, text: post.text });
      expect(after.counts.reposts).toBe(post.counts.reposts);
      expect((await social.getPosts(fixture.handle)).length).toBe(0);
    },
  );

  promise(
    'a repost on a timeline stands for its post',
    ['repostPost', 'deleteRepost', 'bookmarkPost', 'getBookmarks', 'postDetail', 'createPost.replyTo'],
    async ({ fixture, social, as }) => {
      const post = await social.createPost('pass it on');
      const other = await as(fixture.other);
      await other.repostPost(post.id);
      const repost = await newest(social, fixture.other);

      await social.bookmarkPost(repost);
      const shown = await social.postDetail(repost);
      const reply = await social.createPost('Thank you!', { replyTo: repost });
      await other.deleteRepost(repost);

      expect(repost.repostOf).toBe(post.id);
      expect(idsOf(await social.getBookmarks())).toEqual([post.id]);
      expect(shown.text).toBe('pass it on');
      expect((await social.postDetail(reply)).replyTo?.postId).toBe(post.id);
      expect((await social.getPostReposts(post)).length).toBe(0);
      expect(await other.deleteRepost(repost)).toBe(true);
    },
  );

  promise(
    'a reaction to a deleted post can be removed',
    ['createPost', 'deletePost', 'likePost', 'unlikePost', 'deleteRepost'],
    async ({ social }) => {
      const post = await social.createPost('soon gone');
      await social.likePost(post);
      await social.deletePost(post);

      await expect(social.unlikePost(post)).resolves.toBe(true);
      await expect(social.deleteRepost(post)).resolves.toBe(true);
    },
  );

  promise('users who quoted a post are listed once each', ['createPost.quote', 'getPostQuotes'], async ({ fixture, social }) => {
    const post = await social.createPost('quote me');
    await social.createPost('as somebody said', { quote: post });
    await social.createPost('and said again', { quote: post });

    const quoting = await social.getPostQuotes(post, whole);

    expect(handlesOf(quoting)).toEqual([fixture.handle]);
    expect((await social.postDetail(post)).counts.quotes).toBe(2);
  });

  promise(
    'a post with `quotable: nobody` is not quoted by other accounts',
    ['createPost.quote', 'createPost.quotable'],
    async ({ fixture, social, as }) => {
      const post = await social.createPost('mine', { quotable: 'nobody' });
      const other = await as(fixture.other);
      await fixture.clock.advance(60_000);

      expect(await faultOf(other.createPost('theirs', { quote: post.url ?? post.id }))).toBe('forbidden');
    },
  );

  promise('the replies to a post are listed as threads', ['createPost.replyTo', 'getPostComments'], async ({ fixture, social }) => {
    const post = await social.createPost('a question');
    await fixture.clock.advance(1000);
    const answer = await social.createPost('an answer', { replyTo: post });
    await fixture.clock.advance(1000);
    const below = await social.createPost('what follows from it', { replyTo: answer });
    await fixture.clock.advance(1000);
    const other = await social.createPost('another answer', { replyTo: post });

    const threads = await social.getPostComments(post, whole);

    const seen = new Map(threads.items.map(({ id, root, replies }) => [id, [root.text, replies.map((one) => [one.depth, one.post.id])]]));
    expect(seen).toEqual(
      new Map<string, unknown>([
        [answer.id, ['an answer', [[1, below.id]]]],
        [other.id, ['another answer', []]],
      ]),
    );
    expect((await social.postDetail(post)).counts.replies).toBe(2);
  });

  promise('the replies of other users are listed', ['getPostComments'], async ({ fixture, social }) => {
    const posts = await social.getPosts(fixture.other, { ...whole, replies: true });
    const reply = posts.items.find(({ replyTo }) => replyTo);
    if (!reply?.replyTo) throw new Error(`${fixture.other} answered nobody`);

    const threads = await social.getPostComments(reply.replyTo.postId, whole);

    expect(threads.items.flatMap(({ id, replies }) => [id, ...replies.map(({ post }) => post.id)])).toContain(reply.id);
  });

  promise('a poll has its options and its end', ['createPost.poll'], async ({ fixture, social }) => {
    const { poll } = await social.createPost('Which one?', { poll: { options: ['this', 'that'], durationMinutes: 60 } });

    expect(poll?.options.map(({ label }) => label)).toEqual(['this', 'that']);
    expect(poll).toMatchObject({ closed: false, multiple: false });
    expect(poll?.endsAt).toEqual(new Date(now(fixture).getTime() + 3_600_000));
  });

  promise('a repeated vote counts once, and cannot be changed', ['createPost.poll', 'votePoll'], async ({ fixture, social, as }) => {
    const other = await as(fixture.other);
    const asked = await other.createPost('Which one?', { poll: { options: ['this', 'that'], durationMinutes: 60 } });

    const voted = await social.votePoll(asked.id, [1]);
    await social.votePoll(asked.id, [1]);

    expect(voted.poll?.options.map(({ votes }) => votes)).toEqual([0, 1]);
    expect((await social.postDetail(asked.id)).poll?.totalVotes).toBe(1);
    await expect(social.votePoll(asked.id, [0])).rejects.toMatchObject({ fault: 'rejected' });
  });

  promise('the posts of a thread reply to each other', ['createPost.batchCompose', 'createPost.replyTo'], async ({ fixture, social }) => {
    const first = await social.createPost('one', { batchCompose: true });
    const second = await social.createPost('two', { replyTo: first, batchCompose: true });

    expect(second.replyTo?.postId).toBe(first.id);
    expect(idsOf(await social.getPosts(fixture.handle, { replies: true }))).toEqual([second.id, first.id]);
  });
}
