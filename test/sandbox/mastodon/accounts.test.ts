import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { directoryOf } from '#src/sandbox/mastodon/directory.ts';
import { peopleOf } from '#src/sandbox/social/people.ts';
import type { WorldPerson } from '#src/sandbox/world/world.ts';
import { allOf, judge, refusalOf, type Judged } from './judge.ts';

/** Somebody who lets only followers read. */
function shy({ sandbox: { world } }: Judged): WorldPerson {
  const people = peopleOf(world);
  const names = directoryOf({ people, home: () => 'http://here' });
  const person = world.people.find((one) => people.isProtected(one.id) && names.domainOf(one) === undefined);
  if (!person) throw new Error('nobody is shy');
  return person;
}

/** Somebody whose account is on another server, by the name that this server has for them. */
function elsewhere({ sandbox: { world } }: Judged): { readonly acct: string; readonly handle: string } {
  const names = directoryOf({ people: peopleOf(world), home: () => 'http://here' });
  const person = world.people.find((one) => names.domainOf(one) !== undefined);
  if (!person) throw new Error('nobody is elsewhere');
  return { acct: names.acctOf(person), handle: person.handle };
}

test('somebody is found by name, by id, in a batch and by a search', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;

  const ada = await accounts.lookup({ acct: 'ada' });
  const grace = await accounts.lookup({ acct: '@grace' });

  expect(ada).toMatchObject({
    username: 'ada',
    acct: 'ada',
    displayName: 'Ada',
    locked: false,
    url: `${judged.url}/@ada`,
    createdAt: expect.stringMatching(/T00:00:00.000Z$/),
  });
  expect(await accounts.$select(ada.id).fetch()).toEqual(ada);
  expect(await accounts.fetch({ id: [ada.id, '1', grace.id] })).toEqual([ada, grace]);
  expect((await accounts.search.list({ q: 'ada' }))[0]).toEqual(ada);
  expect((await judged.masto.v2.search.list({ q: `${judged.url}/@ada`, resolve: true })).accounts).toEqual([ada]);
  expect(await refusalOf(accounts.lookup({ acct: 'nobody_at_all' }))).toEqual([404, 'Record not found']);
  expect(await refusalOf(accounts.$select('1').fetch())).toEqual([404, 'Record not found']);
  expect((await fetch(ada.avatar)).headers.get('content-type')).toBe('image/jpeg');
});

test('somebody elsewhere is called by their server, too, and found by that name alone', async () => {
  await using judged = await judge();
  const { acct, handle } = elsewhere(judged);

  const account = await judged.masto.v1.accounts.lookup({ acct });

  expect(account).toMatchObject({ acct, username: handle, url: `https://${acct.split('@')[1]}/@${handle}` });
  expect((await refusalOf(judged.masto.v1.accounts.lookup({ acct: handle })))[0]).toBe(404);
  expect((await judged.masto.v2.search.list({ q: `@${acct}`, type: 'accounts', resolve: true })).accounts).toEqual([account]);
  const post = await judged.masto.v1.statuses.create({ status: `hello @${acct}, not @${handle}` });
  expect(post.mentions.map((mention) => mention.acct)).toEqual([acct]);
});

test('followers come page by page, each once, and are not paged by their own ids', async () => {
  await using judged = await judge();
  const ada = await judged.masto.v1.accounts.lookup({ acct: 'ada' });
  const response = await judged.ask(`/api/v1/accounts/${ada.id}/followers?limit=10`);
  const [, next = ''] = /[?&]max_id=(\d+)/.exec(response.headers.get('link') ?? '') ?? [];

  const all = await allOf(judged.masto.v1.accounts.$select(ada.id).followers.list({ limit: 10 }));

  expect(all).toHaveLength(ada.followersCount);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.map(({ id }) => id)).not.toContain(next);
  expect(response.headers.get('link')).toMatch(/rel="next".*rel="prev"/);
});

test('a follow holds, tells of new posts where that is wanted, and is taken back', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;
  const ada = await accounts.lookup({ acct: 'ada' });
  const chosen = accounts.$select(ada.id);

  const followed = await chosen.follow({ notify: true });
  const quiet = await chosen.follow({ notify: false, reblogs: false });
  const gone = await chosen.unfollow();

  expect(followed).toMatchObject({ id: ada.id, following: true, notifying: true, showingReblogs: true, requested: false });
  expect(quiet).toMatchObject({ following: true, notifying: false, showingReblogs: false });
  expect(gone).toMatchObject({ following: false, notifying: false });
  expect(await accounts.relationships.fetch({ id: [ada.id] })).toEqual([gone]);
  const me = await accounts.verifyCredentials();
  expect((await refusalOf(accounts.$select(me.id).follow()))[0]).toBe(404);
});

test('somebody who chooses their followers is asked, and agrees a while later', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;
  const account = await accounts.lookup({ acct: shy(judged).handle });

  const asked = await accounts.$select(account.id).follow({ notify: true });
  await judged.clock.advance(30_000);
  const [agreed] = await accounts.relationships.fetch({ id: [account.id] });

  expect(account.locked).toBe(true);
  expect(asked).toMatchObject({ requested: true, following: false });
  expect(agreed).toMatchObject({ requested: false, following: true, notifying: true });
});

test('a block ends following both ways, and nobody follows across it', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;
  const grace = await judged.as('grace');
  const [me, her] = [await accounts.verifyCredentials(), await accounts.lookup({ acct: 'grace' })];
  await grace.v1.accounts.$select(me.id).follow();
  await accounts.$select(her.id).follow();

  const blocked = await accounts.$select(her.id).block();

  expect(blocked).toMatchObject({ blocking: true, following: false, followedBy: false });
  expect((await judged.masto.v1.blocks.list()).map(({ acct }) => acct)).toEqual(['grace']);
  expect(await refusalOf(grace.v1.accounts.$select(me.id).follow())).toEqual([403, 'This action is not allowed']);
  expect((await grace.v1.accounts.relationships.fetch({ id: [me.id] }))[0]).toMatchObject({ blockedBy: true });
  expect(await accounts.$select(her.id).unblock()).toMatchObject({ blocking: false });
});

test('who is muted is out of sight at home and in notifications, and on the list of the muted', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;
  const ada = await judged.as('ada');
  const her = await accounts.lookup({ acct: 'ada' });
  await accounts.$select(her.id).follow();
  const post = await ada.v1.statuses.create({ status: 'for @fanfare' });
  const shown = async () => [
    (await judged.masto.v1.timelines.home.list({ limit: 40 })).some(({ id }) => id === post.id),
    (await judged.masto.v1.notifications.list({ types: ['mention'] })).some(({ status }) => status?.id === post.id),
  ];

  expect(await shown()).toEqual([true, true]);
  expect(await accounts.$select(her.id).mute()).toMatchObject({ muting: true });
  expect(await shown()).toEqual([false, false]);
  expect((await judged.masto.v1.mutes.list()).map(({ acct }) => acct)).toEqual(['ada']);
  await accounts.$select(her.id).unmute();
  expect(await shown()).toEqual([true, true]);
});

test('familiar followers are those whom the viewer follows', async () => {
  await using judged = await judge();
  const { accounts } = judged.masto.v1;
  const ada = await accounts.lookup({ acct: 'ada' });
  const [one, two] = await accounts
    .$select(ada.id)
    .followers.list({ limit: 40 })
    .then((all) => all.filter(({ locked }) => !locked));
  for (const follower of [one, two]) await accounts.$select(follower?.id ?? '').follow();

  const answer = await judged.ask(`/api/v1/accounts/familiar_followers?id[]=${ada.id}`);

  const [familiar] = (await answer.json()) as { id: string; accounts: { id: string }[] }[]; // the entity of the documentation
  expect(familiar?.id).toBe(ada.id);
  expect(new Set(familiar?.accounts.map(({ id }) => id))).toEqual(new Set([one?.id, two?.id]));
});

test('suggestions are people whom one does not follow', async () => {
  await using judged = await judge();

  const suggestions = await judged.masto.v2.suggestions.list({ limit: 5 });

  expect(suggestions).toHaveLength(5);
  expect(suggestions[0]).toMatchObject({ source: 'global', account: { acct: expect.any(String) } });
});

test('what somebody wrote is cut by its kind', async () => {
  await using judged = await judge();
  const { masto } = judged;
  const me = await masto.v1.accounts.verifyCredentials();
  const ada = await masto.v1.accounts.lookup({ acct: 'ada' });
  const [theirs] = await masto.v1.accounts.$select(ada.id).statuses.list({ excludeReblogs: true });
  const root = await masto.v1.statuses.create({ status: 'root #mine' });
  const own = await masto.v1.statuses.create({ status: 'on my own', inReplyToId: root.id });
  const answer = await masto.v1.statuses.create({ status: 'answer', inReplyToId: theirs?.id ?? '' });
  const boost = await masto.v1.statuses.$select(theirs?.id ?? '').reblog();
  const list = async (filter: object): Promise<readonly string[]> =>
    (await masto.v1.accounts.$select(me.id).statuses.list(filter)).map(({ id }) => id).toSorted();

  expect(await list({})).toEqual([root, own, answer, boost].map(({ id }) => id).toSorted());
  expect(await list({ excludeReplies: true })).toEqual([root, own, boost].map(({ id }) => id).toSorted());
  expect(await list({ excludeReblogs: true })).toEqual([root, own, answer].map(({ id }) => id).toSorted());
  expect(await list({ tagged: 'Mine' })).toEqual([root.id]);
  expect(await list({ onlyMedia: true })).toEqual([]);
});
