import { expect, test } from 'vitest';
import { allOf, judge, refusalOf } from './judge.ts';

const IDEMPOTENT = (key: string) => ({ requestInit: { headers: { 'Idempotency-Key': key } } });

test('a post stands with its mentions, hashtags and links, and is found by its id', async () => {
  await using judged = await judge();

  const post = await judged.masto.v1.statuses.create({
    status: 'Hi @ada, see https://www.example.com/a/very/long/path/to/somewhere #Chess\nsecond <line>\n\nnext & last',
    language: 'en',
  });

  expect(post).toMatchObject({
    createdAt: new Date(judged.clock.nowMs()).toISOString(),
    visibility: 'public',
    sensitive: false,
    spoilerText: '',
    language: 'en',
    account: { acct: 'fanfare' },
    mentions: [{ acct: 'ada', username: 'ada', url: `${judged.url}/@ada` }],
    tags: [{ name: 'chess', url: `${judged.url}/tags/chess` }],
    mediaAttachments: [],
    reblog: null,
    poll: null,
    favourited: false,
    pinned: false,
  });
  expect(post.content).toBe(
    '<p>Hi <span class="h-card" translate="no">' +
      `<a href="${judged.url}/@ada" class="u-url mention">@<span>ada</span></a></span>, see ` +
      '<a href="https://www.example.com/a/very/long/path/to/somewhere" target="_blank" rel="nofollow noopener noreferrer" translate="no">' +
      '<span class="invisible">https://www.</span><span class="ellipsis">example.com/a/very/long/path/t</span>' +
      '<span class="invisible">o/somewhere</span></a> ' +
      `<a href="${judged.url}/tags/chess" class="mention hashtag" rel="tag">#<span>Chess</span></a>` +
      '<br />second &lt;line&gt;</p><p>next &amp; last</p>',
  );
  expect(await judged.masto.v1.statuses.$select(post.id).fetch()).toEqual(post);
  expect(await judged.masto.v1.statuses.fetch({ id: [post.id, '1'] })).toEqual([post]);
  expect((await judged.stranger.v1.statuses.$select(post.id).fetch()).content).toBe(post.content);
});

test('ids grow with time and with the order of writing, also within a millisecond', async () => {
  await using judged = await judge();
  const ids: bigint[] = [];

  for (const status of ['a', 'b', 'c', 'd']) {
    ids.push(BigInt((await judged.masto.v1.statuses.create({ status })).id));
    if (status === 'b') await judged.clock.advance(1);
  }

  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(ids).size).toBe(ids.length);
});

test('a repeat with the same key within an hour is the first post again; after that it is another', async () => {
  await using judged = await judge();
  const write = (key: string) => judged.masto.v1.statuses.create({ status: 'once' }, IDEMPOTENT(key));

  const first = await write('k');
  await judged.clock.advance(59 * 60_000);
  const again = await write('k');
  const other = await write('k2');
  await judged.clock.advance(2 * 60_000);
  const late = await write('k');
  const lateAgain = await write('k');

  expect(again.id).toBe(first.id);
  expect(new Set([first.id, other.id, late.id]).size).toBe(3);
  expect(lateAgain.id).toBe(late.id);
});

test('a key of a post that was deleted since finds nothing', async () => {
  await using judged = await judge();
  const post = await judged.masto.v1.statuses.create({ status: 'gone' }, IDEMPOTENT('k'));
  await judged.masto.v1.statuses.$select(post.id).remove();

  expect(await refusalOf(judged.masto.v1.statuses.create({ status: 'gone' }, IDEMPOTENT('k')))).toEqual([404, 'Record not found']);
});

test('keys are not looked at where that is ordered, or where the server knows none', async () => {
  await using judged = await judge();
  const write = () => judged.masto.v1.statuses.create({ status: 'x' }, IDEMPOTENT('k'));

  const first = await write();
  judged.sandbox.faults.add({ platform: 'mastodon', kind: 'ignoreKey', times: 1 });
  const second = await write();
  await judged.order({ kind: 'bare' });
  const [third, fourth] = [await write(), await write()];

  expect(new Set([first.id, second.id, third.id, fourth.id]).size).toBe(4);
});

test.for([
  ['nothing', { status: ' \n ' }, 422, "Validation failed: Text can't be blank"],
  ['too much', { status: 'x'.repeat(501) }, 422, 'Validation failed: Text character limit of 500 exceeded'],
  [
    'too much behind a warning',
    { status: 'x'.repeat(400), spoilerText: 'y'.repeat(101) },
    422,
    'Validation failed: Text character limit of 500 exceeded',
  ],
  ['an answer to nothing', { status: 'x', inReplyToId: '1' }, 404, 'The post you are trying to reply to does not appear to exist.'],
  ['a quote of nothing', { status: 'x', quotedStatusId: '1' }, 404, 'The post you are trying to quote does not appear to exist.'],
  ['files that are not there', { mediaIds: ['1'] }, 422, 'Media 1 not found or already attached to another post'],
  [
    'a poll of one',
    { status: 'x', poll: { options: ['a'], expiresIn: 300 } },
    422,
    'Validation failed: Options must have more than one item',
  ],
  [
    'a poll of five',
    { status: 'x', poll: { options: ['a', 'b', 'c', 'd', 'e'], expiresIn: 300 } },
    422,
    "Validation failed: Options can't contain more than 4 items",
  ],
  [
    'a poll of the same',
    { status: 'x', poll: { options: ['a', 'a'], expiresIn: 300 } },
    422,
    'Validation failed: Options contain duplicate items',
  ],
  [
    'a short poll',
    { status: 'x', poll: { options: ['a', 'b'], expiresIn: 299 } },
    422,
    'Validation failed: Expires at duration is too short',
  ],
  [
    'a long poll',
    { status: 'x', poll: { options: ['a', 'b'], expiresIn: 2_629_747 } },
    422,
    'Validation failed: Expires at duration is too long',
  ],
] as const)('%s is refused', async ([, draft, status, message]) => {
  await using judged = await judge();

  expect(await refusalOf(judged.masto.v1.statuses.create(draft as { status: string }))).toEqual([status, message]);
});

test('addresses count 23, servers of mentioned people nothing, and a family one', async () => {
  await using judged = await judge();
  const write = (status: string) => judged.masto.v1.statuses.create({ status });

  await write(`${'x'.repeat(476)} https://example.com/${'a'.repeat(300)}`);
  await write(`${'x'.repeat(500 - 1 - '@mira'.length)} @mira@a-server-with-a-long-name.example`);
  await write('👨‍👩‍👧‍👦'.repeat(500));

  expect((await refusalOf(write(`${'x'.repeat(477)} https://example.com/${'a'.repeat(300)}`)))[0]).toBe(422);
  expect((await refusalOf(write('👨‍👩‍👧‍👦'.repeat(501))))[0]).toBe(422);
});

test('refusals are worded in the language of whoever asks, or in the one that is ordered', async () => {
  await using judged = await judge();
  const blank = async (language: string): Promise<unknown> => {
    const headers = { 'accept-language': language, 'content-type': 'application/json' };
    return (await judged.ask('/api/v1/statuses', { method: 'POST', body: '{"status":""}', headers })).json();
  };

  expect(await blank('fr, de;q=0.8')).toEqual({ error: 'Gültigkeitsprüfung ist fehlgeschlagen: Text muss ausgefüllt werden' });
  await judged.order({ locale: 'ja' });
  expect(await blank('en')).toEqual({ error: 'バリデーションに失敗しました: 本文を入力してください' });
});

test('only its author deletes a post, gets its source back, and it is gone', async () => {
  await using judged = await judge();
  const ada = await judged.as('ada');
  const post = await judged.masto.v1.statuses.create({ status: 'short-lived', spoilerText: 'cw' });
  const chosen = judged.masto.v1.statuses.$select(post.id);

  expect(await refusalOf(ada.v1.statuses.$select(post.id).remove())).toEqual([404, 'Record not found']);
  expect(await chosen.remove()).toMatchObject({ id: post.id, text: 'short-lived', spoilerText: 'cw' });

  expect(await refusalOf(chosen.fetch())).toEqual([404, 'Record not found']);
  expect(await refusalOf(chosen.remove())).toEqual([404, 'Record not found']);
});

test('an edit keeps every version, and takes away what is not sent again', async () => {
  await using judged = await judge();
  const post = await judged.masto.v1.statuses.create({ status: 'first', poll: { options: ['a', 'b'], expiresIn: 600 } });
  const chosen = judged.masto.v1.statuses.$select(post.id);

  await judged.clock.advance(1000);
  const kept = await chosen.update({ status: 'second', spoilerText: 'careful', poll: { options: ['a', 'b'], expiresIn: 600 } });
  await judged.clock.advance(1000);
  const third = await chosen.update({ status: 'third' });

  expect(kept).toMatchObject({ spoilerText: 'careful', sensitive: true, poll: { options: [{ title: 'a' }, { title: 'b' }] } });
  expect(third).toMatchObject({ poll: null, spoilerText: '', editedAt: new Date(judged.clock.nowMs()).toISOString() });
  expect((await chosen.history.list()).map(({ content, spoilerText }) => [content, spoilerText])).toEqual([
    ['<p>first</p>', ''],
    ['<p>second</p>', 'careful'],
    ['<p>third</p>', ''],
  ]);
  expect(await chosen.source.fetch()).toEqual({ id: post.id, text: 'third', spoilerText: '' });
});

test('a thread is told from its beginning, and from below each answer', async () => {
  await using judged = await judge();
  const write = (status: string, inReplyToId?: string) =>
    judged.masto.v1.statuses.create({ status, ...(inReplyToId !== undefined && { inReplyToId }) });
  const root = await write('root');
  const first = await write('first', root.id);
  const deep = await write('deep', first.id);
  const second = await write('second', root.id);

  const context = await judged.masto.v1.statuses.$select(first.id).context.fetch();
  const whole = await judged.stranger.v1.statuses.$select(root.id).context.fetch();

  expect(context.ancestors.map(({ id }) => id)).toEqual([root.id]);
  expect(context.descendants.map(({ id }) => id)).toEqual([deep.id]);
  expect(whole.descendants.map(({ id }) => id)).toEqual([first.id, deep.id, second.id]);
  expect(deep).toMatchObject({ inReplyToId: first.id, inReplyToAccountId: first.account.id });
  expect((await judged.masto.v1.statuses.$select(root.id).fetch()).repliesCount).toBe(2);
});

test('a post for followers is for them and for whom it calls, and one for few only for the latter', async () => {
  await using judged = await judge();
  const [ada, grace] = [await judged.as('ada'), await judged.as('grace')];
  const me = await judged.masto.v1.accounts.verifyCredentials();
  await ada.v1.accounts.$select(me.id).follow();
  await grace.v1.accounts.$select(me.id).unfollow();
  const forFollowers = await judged.masto.v1.statuses.create({ status: 'among us', visibility: 'private' });
  const forGrace = await judged.masto.v1.statuses.create({ status: '@grace only', visibility: 'direct' });

  const sees = async (who: typeof ada, id: string): Promise<boolean> =>
    who.v1.statuses
      .$select(id)
      .fetch()
      .then(
        () => true,
        () => false,
      );

  expect(await Promise.all([ada, grace, judged.stranger].map((who) => sees(who, forFollowers.id)))).toEqual([true, false, false]);
  expect(await Promise.all([ada, grace, judged.stranger].map((who) => sees(who, forGrace.id)))).toEqual([false, true, false]);
  const shown = await ada.v1.accounts.$select(me.id).statuses.list();
  expect(shown.map(({ id }) => id)).toEqual([forFollowers.id]);
});

test('favourites, bookmarks, boosts and pins are done once and taken back', async () => {
  await using judged = await judge();
  const { masto } = judged;
  const ada = await masto.v1.accounts.lookup({ acct: 'ada' });
  const [theirs] = await masto.v1.accounts.$select(ada.id).statuses.list({ excludeReblogs: true });
  const chosen = masto.v1.statuses.$select(theirs?.id ?? '');
  const before = await chosen.fetch();

  const liked = await chosen.favourite();
  await chosen.favourite();
  await chosen.bookmark();
  const boost = await chosen.reblog();
  const boostAgain = await chosen.reblog();
  const after = await chosen.fetch();

  expect(liked).toMatchObject({ id: before.id, favourited: true, favouritesCount: before.favouritesCount + 1 });
  expect(boost).toMatchObject({ reblog: { id: before.id, reblogged: true }, account: { acct: 'fanfare' }, content: '' });
  expect(boost.id).not.toBe(before.id);
  expect(boostAgain.id).toBe(boost.id);
  expect(after).toMatchObject({ bookmarked: true, reblogged: true, reblogsCount: before.reblogsCount + 1 });
  expect((await masto.v1.bookmarks.list()).map(({ id }) => id)).toEqual([before.id]);
  expect((await chosen.favouritedBy.list())[0]?.acct).toBe('fanfare');
  expect((await chosen.rebloggedBy.list())[0]?.acct).toBe('fanfare');
  expect(await refusalOf(chosen.pin())).toEqual([422, "Validation failed: Someone else's post cannot be pinned"]);

  await chosen.unfavourite();
  await chosen.unbookmark();
  expect(await chosen.unreblog()).toMatchObject({
    id: before.id,
    favourited: false,
    bookmarked: false,
    reblogged: false,
    reblogsCount: before.reblogsCount,
  });
});

test('at most five posts are pinned, and none that is for few', async () => {
  await using judged = await judge();
  const { masto } = judged;
  const posts = [];
  for (const status of ['a', 'b', 'c', 'd', 'e', 'f']) posts.push(await masto.v1.statuses.create({ status }));
  const direct = await masto.v1.statuses.create({ status: '@ada psst', visibility: 'direct' });

  for (const { id } of posts.slice(0, 5)) await masto.v1.statuses.$select(id).pin();

  expect((await refusalOf(masto.v1.statuses.$select(posts[5]?.id ?? '').pin()))[0]).toBe(422);
  expect((await refusalOf(masto.v1.statuses.$select(direct.id).pin()))[0]).toBe(422);
  const me = await masto.v1.accounts.verifyCredentials();
  const pinned = await masto.v1.accounts.$select(me.id).statuses.list({ pinned: true });
  expect(pinned.map(({ id }) => id)).toEqual(
    posts
      .slice(0, 5)
      .map(({ id }) => id)
      .toReversed(),
  );
});

test('a post whose visibility is late is acknowledged at once and read later', async () => {
  await using judged = await judge();
  judged.sandbox.faults.add({ platform: 'mastodon', kind: 'delayedVisibility', ms: 5000, times: 1 });

  const post = await judged.masto.v1.statuses.create({ status: 'soon' });

  expect((await refusalOf(judged.masto.v1.statuses.$select(post.id).fetch()))[0]).toBe(404);
  await judged.clock.advance(5000);
  expect((await judged.masto.v1.statuses.$select(post.id).fetch()).id).toBe(post.id);
});

test('a page goes on where the last one ended, whatever was written in between', async () => {
  await using judged = await judge();
  const me = await judged.masto.v1.accounts.verifyCredentials();
  for (let number = 0; number < 7; number++) await judged.masto.v1.statuses.create({ status: `${number}` });
  const texts: string[] = [];

  for await (const page of judged.masto.v1.accounts.$select(me.id).statuses.list({ limit: 3 })) {
    texts.push(...page.map(({ content }) => content));
    if (texts.length === 3) await judged.masto.v1.statuses.create({ status: 'new' });
  }

  expect(texts).toEqual([6, 5, 4, 3, 2, 1, 0].map((number) => `<p>${number}</p>`));
  const [oldest] = (await allOf(judged.masto.v1.accounts.$select(me.id).statuses.list({ limit: 40 }))).toReversed();
  const newer = await judged.masto.v1.accounts.$select(me.id).statuses.list({ minId: oldest?.id ?? '', limit: 2 });
  const newest = await judged.masto.v1.accounts.$select(me.id).statuses.list({ sinceId: oldest?.id ?? '', limit: 2 });
  expect(newer.map(({ content }) => content)).toEqual(['<p>2</p>', '<p>1</p>']);
  expect(newest.map(({ content }) => content)).toEqual(['<p>new</p>', '<p>6</p>']);
});
