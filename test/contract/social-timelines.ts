import { expect } from 'vitest';
import { HOME_TIMELINE_TYPE_FOLLOWING, HOME_TIMELINE_TYPE_FOR_YOU } from '#src/clients/social/enumerations.ts';
import { falling, idsOf, newest, timesOf, type PromiseTest } from './social-fixture.ts';

/** Timelines, notifications and search. */
export function socialTimelinesContract(promise: PromiseTest): void {
  promise(
    'the timeline of followed users is newest first, and contains posts of the signed-in user',
    [`getHomeTimeline.timelineType=${HOME_TIMELINE_TYPE_FOLLOWING}`, 'followUser'],
    async ({ fixture, social }) => {
      await social.followUser(fixture.other);
      await social.createPost('mine');

      const home = await social.getHomeTimeline({ timelineType: HOME_TIMELINE_TYPE_FOLLOWING });

      expect(timesOf(home)).toEqual(falling(timesOf(home)));
      expect(home.items[0]?.text).toBe('mine');
      expect(idsOf(home)).toContain((await newest(social, fixture.other)).id);
    },
  );

  promise(
    'the recommended timeline has each post once',
    [`getHomeTimeline.timelineType=${HOME_TIMELINE_TYPE_FOR_YOU}`],
    async ({ social }) => {
      const home = await social.getHomeTimeline({ timelineType: HOME_TIMELINE_TYPE_FOR_YOU });

      expect(home.length).toBeGreaterThan(5);
      expect(new Set(idsOf(home)).size).toBe(home.length);
    },
  );

  promise('mentions are the posts that mention the user', ['getMentions'], async ({ fixture, social, as }) => {
    const other = await as(fixture.other);
    const before = await social.getMentions();
    await other.createPost(`Hello @${fixture.handle}!`);
    await other.createPost('Hello nobody!');

    const mentions = await social.getMentions();

    expect(mentions.length).toBe(before.length + 1);
    expect(mentions.items[0]).toMatchObject({ text: `Hello @${fixture.handle}!`, author: { handle: fixture.other } });
  });

  promise(
    'a post is bookmarked until the bookmark is removed',
    ['bookmarkPost', 'unbookmarkPost', 'getBookmarks'],
    async ({ fixture, social }) => {
      const post = await newest(social, fixture.other);
      const mine = await social.createPost('to remember');

      await social.bookmarkPost(post);
      await social.bookmarkPost(mine);
      await social.bookmarkPost(mine);
      const kept = await social.getBookmarks();
      await social.unbookmarkPost(mine);

      expect(idsOf(kept)).toEqual([mine.id, post.id]);
      if (!fixture.hidesViewer) expect((await social.postDetail(post)).viewer?.bookmarked).toBe(true);
      expect(idsOf(await social.getBookmarks())).toEqual([post.id]);
    },
  );

  promise('trends are at most twenty, with ranks from 1', ['getTrends'], async ({ fixture, social }) => {
    const trends = await social.getTrends();
    const truth = await fixture.truth?.getTrends();

    expect(trends.length).toBeGreaterThan(5);
    expect(trends.length).toBeLessThanOrEqual(20);
    expect(trends.map(({ rank }) => rank)).toEqual(trends.map((_, index) => index + 1));
    if (truth) expect(truth.map(({ name }) => name.toLowerCase())).toContain(trends[0]?.name.toLowerCase());
  });

  promise('a search finds the posts with a hashtag and no others', ['search.filter=Latest'], async ({ fixture, social }) => {
    const post = await social.createPost('We are live! #fanfaretest');
    await social.createPost('Not this one: #fanfaretesting');
    await fixture.clock.advance(1000);
    const later = await social.createPost('#FanfareTest again');

    const found = await social.search('#fanfaretest', { filter: 'Latest' });

    expect(idsOf(found)).toEqual([later.id, post.id]);
  });

  promise('a search that is resumed after a page equals an uninterrupted one', ['search.filter=Latest'], async ({ social }) => {
    const walk = { filter: 'Latest', waitTime: 0 } as const;

    const uncut = await social.search('#speedrun', { ...walk, pages: 3 });
    const first = await social.search('#speedrun', walk);
    const rest = await social.search('#speedrun', { ...walk, pages: 2, ...(first.cursor !== undefined && { cursor: first.cursor }) });

    expect(first.hasNext).toBe(true);
    expect(new Set(idsOf(uncut)).size).toBe(uncut.length);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(uncut));
    const times = uncut.items.flatMap((item) => ('text' in item ? [item.createdAt.getTime()] : []));
    expect(times).toEqual(falling(times));
  });

  promise('a search for a word finds the posts that contain it', ['search'], async ({ social }) => {
    const post = await social.createPost('A quinquagenarian plays.');

    const found = await social.search('quinquagenarian');

    expect(idsOf(found)).toEqual([post.id]);
  });

  promise('a search for media finds posts with media', ['search.filter=Media'], async ({ social }) => {
    const found = await social.search('#speedrun', { filter: 'Media' });

    expect(found.length).toBeGreaterThan(0);
    expect(found.items.filter((item) => !('text' in item) || item.media.length === 0)).toEqual([]);
  });

  promise('a topic has its posts', ['getTopic', 'getTopicPosts'], async ({ fixture, social }) => {
    const name = fixture.topic ?? 'speedrun';

    const topic = await social.getTopic(name);
    const posts = await social.getTopicPosts(topic);
    const answers = await social.getTopicPosts(topic, { replies: true });

    expect(topic.name.toLowerCase()).toBe(topic.kind === 'hashtag' ? `#${name}` : name);
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.items.filter(({ replyTo }) => replyTo)).toEqual([]);
    expect(answers.items.filter(({ text }) => !text.toLowerCase().includes(name))).toEqual([]);
  });
}
