import { describe, expect, test } from 'vitest';
import { allOf, judge, refusalOf } from './judge.ts';

describe('timelines', () => {
  test('home has what those wrote and passed on whom one follows, and what one wrote oneself', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const [ada, grace] = [await judged.as('ada'), await judged.as('grace')];
    const her = await masto.v1.accounts.lookup({ acct: 'ada' });
    await masto.v1.accounts.$select(her.id).follow();
    const own = await masto.v1.statuses.create({ status: 'own' });
    const theirs = await ada.v1.statuses.create({ status: 'theirs' });
    const stranger = await grace.v1.statuses.create({ status: 'a stranger’s' });
    const boost = await ada.v1.statuses.$select(stranger.id).reblog();
    const answer = await ada.v1.statuses.create({ status: 'to a stranger', inReplyToId: stranger.id });

    const home = (await allOf(masto.v1.timelines.home.list({ limit: 40 }))).map(({ id }) => id);

    expect(home).toEqual(expect.arrayContaining([own.id, theirs.id, boost.id]));
    expect(home).not.toContain(stranger.id);
    expect(home).not.toContain(answer.id);
    await masto.v1.accounts.$select(her.id).follow({ reblogs: false });
    expect((await masto.v1.timelines.home.list({ limit: 40 })).map(({ id }) => id)).not.toContain(boost.id);
  });

  test('the public one has what everybody sees, and is cut to here or elsewhere', async () => {
    await using judged = await judge();
    const posts = await judged.masto.v1.timelines.public.list({ limit: 40 });
    const remote = await judged.masto.v1.timelines.public.list({ remote: true, limit: 40 });
    const local = await judged.stranger.v1.timelines.public.list({ local: true, limit: 40 });
    const unlisted = await judged.masto.v1.statuses.create({ status: 'quietly', visibility: 'unlisted' });

    expect(posts).toHaveLength(40);
    expect(posts.every(({ visibility, inReplyToId }) => visibility === 'public' && inReplyToId === null)).toBe(true);
    expect(remote.every(({ account }) => account.acct.includes('@'))).toBe(true);
    expect(local.some(({ account }) => account.acct.includes('@'))).toBe(false);
    expect((await judged.masto.v1.timelines.public.list()).map(({ id }) => id)).not.toContain(unlisted.id);
  });

  test('that of a hashtag has the posts with it, any others that are asked for, and none that are not', async () => {
    await using judged = await judge();
    const { statuses } = judged.masto.v1;
    const both = await statuses.create({ status: '#Judged and #dismissed' });
    const one = await statuses.create({ status: '#judged' });
    const other = await statuses.create({ status: '#dismissed' });
    const ask = async (query: string): Promise<readonly string[]> => {
      const answer = await judged.ask(`/api/v1/timelines/tag/judged${query}`);
      return ((await answer.json()) as { id: string }[]).map(({ id }) => id); // statuses all
    };

    expect(await ask('')).toEqual([one.id, both.id]);
    expect(await ask('?any[]=dismissed')).toEqual([other.id, one.id, both.id]);
    expect(await ask('?all[]=dismissed')).toEqual([both.id]);
    expect(await ask('?none[]=dismissed')).toEqual([one.id]);
  });
});

describe('what is talked about', () => {
  test('hashtags with their week, at most twenty, and posts by how they are liked', async () => {
    await using judged = await judge({ lively: true });

    const tags = await judged.masto.v1.trends.tags.list({ limit: 100 });
    const rest = await judged.ask('/api/v1/trends/tags?limit=5&offset=5');
    const posts = await judged.stranger.v1.trends.statuses.list({ limit: 40 });

    expect(tags).toHaveLength(20);
    expect(tags[0]?.history).toHaveLength(7);
    expect(Number(tags[0]?.history?.[0]?.uses)).toBeGreaterThan(0);
    expect(((await rest.json()) as { name: string }[]).map(({ name }) => name)).toEqual(tags.slice(5, 10).map(({ name }) => name)); // tags all
    expect(rest.headers.get('link')).toMatch(/offset=10>; rel="next"/);
    expect(posts.length).toBeGreaterThan(10);
    const tag = await judged.masto.v1.tags.$select(tags[0]?.name ?? '').fetch();
    expect(tag).toMatchObject({ name: tags[0]?.name, following: false });
    expect(await judged.masto.v1.tags.$select(tag.name).follow()).toMatchObject({ following: true });
  });
});

describe('search', () => {
  test('finds people, hashtags and texts, and goes on behind an offset', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const first = await masto.v1.statuses.create({ status: 'a peculiarword' });
    const second = await masto.v1.statuses.create({ status: 'another PeculiarWord #peculiartag' });

    const all = await masto.v2.search.list({ q: 'peculiar' });
    const texts = await masto.v2.search.list({ q: 'peculiarword', type: 'statuses', limit: 1, offset: 1 });
    const tags = await masto.v2.search.list({ q: '#peculiart', type: 'hashtags' });

    expect(all.statuses.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(texts).toMatchObject({ accounts: [], statuses: [{ id: first.id }], hashtags: [] });
    expect(tags.hashtags.map(({ name }) => name)).toEqual(['peculiartag']);
  });

  test('a server without an index of texts finds none, but a post by its address', async () => {
    await using judged = await judge();
    const { masto } = judged;
    await judged.order({ fullText: false });
    const post = await masto.v1.statuses.create({ status: 'a peculiarword' });

    expect((await masto.v2.search.list({ q: 'peculiarword', type: 'statuses' })).statuses).toEqual([]);
    expect((await masto.v2.search.list({ q: post.url ?? '', resolve: true })).statuses).toEqual([post]);
    expect((await masto.v2.search.list({ q: post.uri, resolve: true })).statuses).toEqual([post]);
    expect((await masto.v2.search.list({ q: (post.url ?? '').replace('@fanfare', '@ada'), resolve: true })).statuses).toEqual([]);
  });

  test('who did not sign in finds no texts, resolves nothing and does not page', async () => {
    await using judged = await judge();
    await judged.masto.v1.statuses.create({ status: 'a peculiarword' });
    const { search } = judged.stranger.v2;

    expect((await search.list({ q: 'peculiarword' })).statuses).toEqual([]);
    expect((await search.list({ q: 'ada' })).accounts.length).toBeGreaterThan(0);
    expect((await refusalOf(search.list({ q: 'ada', resolve: true })))[0]).toBe(401);
    expect((await refusalOf(search.list({ q: 'ada', offset: 1 })))[0]).toBe(401);
    expect((await refusalOf(search.list({ q: '' })))[0]).toBe(400);
  });
});

describe('notifications', () => {
  test('one hears of mentions, favourites, boosts, follows and of those one wants to hear of', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const ada = await judged.as('ada');
    const [me, her] = [await masto.v1.accounts.verifyCredentials(), await masto.v1.accounts.lookup({ acct: 'ada' })];
    await ada.v1.accounts.$select(me.id).unfollow();
    const mine = await masto.v1.statuses.create({ status: 'mine' });
    await masto.v1.accounts.$select(her.id).follow({ notify: true });
    const step = async (happens: () => PromiseLike<unknown>): Promise<void> => {
      await judged.clock.advance(1000);
      await happens();
    };

    await step(() => ada.v1.statuses.create({ status: 'hello @fanfare' }));
    await step(() => ada.v1.statuses.$select(mine.id).favourite());
    await step(() => ada.v1.statuses.$select(mine.id).reblog());
    await step(() => ada.v1.accounts.$select(me.id).follow());
    await step(() => ada.v1.statuses.create({ status: 'just so' }));

    const heard = await masto.v1.notifications.list({ accountId: her.id });
    const recent = heard.filter(({ createdAt }) => Date.parse(createdAt) > judged.clock.nowMs() - 10_000);
    expect(recent.map(({ type }) => type)).toEqual(['status', 'follow', 'reblog', 'favourite', 'mention']);
    expect(recent[4]?.status?.content).toContain('hello');
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
    expect((await masto.v1.notifications.list({ types: ['status'], limit: 80 })).every(({ type }) => type === 'status')).toBe(true);
    expect((await masto.v1.notifications.list({ excludeTypes: ['follow'], accountId: her.id })).some(({ type }) => type === 'follow')).toBe(
      false,
    );
    expect((await masto.v1.notifications.$select(recent[0]?.id ?? '').fetch()).type).toBe('status');
    await masto.v1.notifications.$select(recent[0]?.id ?? '').dismiss();
    expect((await refusalOf(masto.v1.notifications.$select(recent[0]?.id ?? '').fetch()))[0]).toBe(404);
    await masto.v1.notifications.clear();
    expect(await masto.v1.notifications.list()).toEqual([]);
  });

  test('lists of them go on behind the last id', async () => {
    await using judged = await judge({ lively: true });
    const whole = await judged.masto.v1.notifications.list({ types: ['mention'], limit: 80 });

    const paged = await allOf(judged.masto.v1.notifications.list({ types: ['mention'], limit: 7 }));

    expect(whole.length).toBeGreaterThan(7);
    expect(paged.slice(0, whole.length)).toEqual(whole);
  });
});

describe('conversations', () => {
  test('a direct post begins one, is answered, and is read and taken away', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const ada = await judged.as('ada');
    const post = await masto.v1.statuses.create({ status: '@ada shall we?', visibility: 'direct' });

    const [mine] = await masto.v1.conversations.list();
    await judged.clock.advance(1000);
    const answer = await ada.v1.statuses.create({ status: '@fanfare yes', visibility: 'direct', inReplyToId: post.id });
    const [after] = await masto.v1.conversations.list();
    const [theirs] = await ada.v1.conversations.list();

    expect(mine).toMatchObject({ unread: false, accounts: [{ acct: 'ada' }], lastStatus: { id: post.id, visibility: 'direct' } });
    expect(after).toMatchObject({ id: mine?.id, unread: true, lastStatus: { id: answer.id } });
    expect(theirs).toMatchObject({ accounts: [{ acct: 'fanfare' }] });
    expect(await masto.v1.conversations.$select(after?.id ?? '').read()).toMatchObject({ unread: false });
    await masto.v1.conversations.$select(after?.id ?? '').remove();
    expect((await masto.v1.conversations.list()).map(({ id }) => id)).not.toContain(after?.id);
  });

  test('people wrote to the account once, and answer what it writes to them', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const letters = await allOf(masto.v1.conversations.list({ limit: 10 }));
    const [letter] = letters;

    await masto.v1.statuses.create({
      status: `@${letter?.accounts[0]?.acct} Thank you!`,
      visibility: 'direct',
      inReplyToId: letter?.lastStatus?.id ?? '',
    });
    await judged.clock.advance(60_000);
    const [talk] = await masto.v1.conversations.list();

    expect(letters).toHaveLength(24);
    expect(talk).toMatchObject({
      id: letter?.id,
      unread: true,
      lastStatus: { inReplyToAccountId: expect.any(String), visibility: 'direct' },
    });
    const context = await masto.v1.statuses.$select(letter?.lastStatus?.id ?? '').context.fetch();
    expect(context.descendants).toHaveLength(2);
    expect(
      await judged.stranger.v1.statuses
        .$select(letter?.lastStatus?.id ?? '')
        .fetch()
        .then(
          () => 'seen',
          () => 'hidden',
        ),
    ).toBe('hidden');
  });
});

describe('lists', () => {
  test('are made, renamed, filled with those whom one follows, read and deleted', async () => {
    await using judged = await judge();
    const { masto } = judged;
    const ada = await judged.as('ada');
    const her = await masto.v1.accounts.lookup({ acct: 'ada' });
    const list = await masto.v1.lists.create({ title: 'chess' });
    const chosen = masto.v1.lists.$select(list.id);
    const add = () => chosen.accounts.create({ accountIds: [her.id] });

    expect(list).toMatchObject({ title: 'chess', repliesPolicy: 'list', exclusive: false });
    expect(await refusalOf(add())).toEqual([404, 'Record not found']);
    await masto.v1.accounts.$select(her.id).follow();
    await add();
    expect(await refusalOf(add())).toEqual([422, 'Validation failed: Account has already been taken']);
    expect((await chosen.accounts.list()).map(({ acct }) => acct)).toEqual(['ada']);
    const post = await ada.v1.statuses.create({ status: 'e4' });
    expect((await masto.v1.timelines.list.$select(list.id).list())[0]?.id).toBe(post.id);
    expect(await chosen.update({ title: 'tactics', exclusive: true })).toMatchObject({ title: 'tactics', exclusive: true });
    expect(await masto.v1.lists.list()).toMatchObject([{ id: list.id, title: 'tactics' }]);
    expect((await masto.v1.timelines.home.list()).some(({ id }) => id === post.id)).toBe(false);
    await chosen.accounts.remove({ accountIds: [her.id] });
    expect(await chosen.accounts.list()).toEqual([]);
    await chosen.remove();
    expect((await refusalOf(chosen.fetch()))[0]).toBe(404);
    expect(await refusalOf(masto.v1.lists.create({ title: ' ' }))).toEqual([422, "Validation failed: Title can't be blank"]);
  });

  test("are nobody else's", async () => {
    await using judged = await judge();
    const ada = await judged.as('ada');
    const { id } = await judged.masto.v1.lists.create({ title: 'mine' });

    expect((await refusalOf(ada.v1.lists.$select(id).fetch()))[0]).toBe(404);
    expect(await ada.v1.lists.list()).toEqual([]);
  });
});

test('what many did is told once, by the grouped notifications', async () => {
  await using judged = await judge();
  const mine = await judged.masto.v1.statuses.create({ status: 'mine' });
  for (const user of ['ada', 'grace']) await (await judged.as(user)).v1.statuses.$select(mine.id).favourite();

  const { notificationGroups, accounts, statuses } = await judged.masto.v2.notifications.list({ types: ['favourite'] });

  expect(notificationGroups).toMatchObject([
    { groupKey: `favourite-${mine.id}`, notificationsCount: 2, type: 'favourite', statusId: mine.id },
  ]);
  expect(new Set(accounts.map(({ acct }) => acct))).toEqual(new Set(['ada', 'grace']));
  expect(statuses.map(({ id }) => id)).toEqual([mine.id]);
  await judged.order({ kind: '4.2' });
  expect((await refusalOf(judged.masto.v2.notifications.list()))[0]).toBe(404);
});
