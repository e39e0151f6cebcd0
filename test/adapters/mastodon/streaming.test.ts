import { createStreamingAPIClient } from 'masto';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';
import { openMastodon } from '../../../sandbox/test/mastodon/open-mastodon.ts';
import { NOTIFICATION_FAULTS } from '../../support/followed-platform.ts';
import { openStreaming, watching } from './streaming-fixture.ts';

const HOME = { timelineType: 'HomeLatestTimeline' };

/** An installation that is connected, with the poll after the connection. */
async function connected(...options: Parameters<typeof openStreaming>) {
  const one = await openStreaming(...options);
  await one.until(() => one.hints.length > 0);
  one.taken();
  return one;
}

/** Makes the account follow others. */
const following =
  (...handles: readonly string[]) =>
  async ({ masto }: Awaited<ReturnType<typeof openMastodon>>) => {
    for (const acct of handles) {
      const { id } = await masto.v1.accounts.lookup({ acct });
      await masto.v1.accounts.$select(id).follow();
    }
  };

test('a post of a followed account is a hint about its posts and the home timeline, and nothing else', async () => {
  const rules = [
    watching('ada', 'getPosts', { user: '@Ada' }),
    watching('grace', 'getPosts', { user: 'grace' }),
    watching('home', 'getHomeTimeline', HOME),
  ];
  const { server, until, taken, hints, notifications, report, covers } = await connected(rules, following('ada', 'grace'));
  expect([
    covers('social.getPosts', 'Ada'),
    covers('social.getHomeTimeline', 'HomeLatestTimeline'),
    covers('social.getPosts', 'linus'),
  ]).toEqual([true, true, false]);
  const covered = { getHomeTimeline: ['HomeLatestTimeline'], getPosts: ['Ada', 'grace'] };
  expect(await report()).toEqual({ state: 'connected', subscriptions: 1, onlyPolled: 0, covered, notifiedAt: undefined });

  const ada = await server.as('ada');
  const post = await ada.v1.statuses.create({ status: 'A checkmate' });
  await until(() => hints.length > 0);
  const expected = ['getHomeTimeline homelatesttimeline,@homelatesttimeline', 'getPosts ada,@ada', 'getUserMedia ada,@ada'];
  expect(taken()).toEqual(expected);
  expect(notifications).toEqual(['update']);

  await ada.v1.statuses.$select(post.id).update({ status: 'A stalemate' });
  await until(() => hints.length > 0);
  expect(taken()).toEqual(expected);
  await ada.v1.statuses.$select(post.id).remove();
  await until(() => hints.length > 0);
  expect(taken()).toEqual(expected);
  expect(notifications).toEqual(['update', 'status.update', 'delete']);
});

test('mentions, direct messages, lists and hashtags are hints about their queries', async () => {
  let list = '';
  const rules = [
    watching('mentions', 'getMentions'),
    watching('inbox', 'getInbox'),
    watching('cats', 'getTopicPosts', { topic: '#Cats' }),
    watching('dogs', 'getTopicPosts', { topic: 'dogs' }),
  ];
  const { server, until, pass, taken, hints, changeRules, order } = await connected(rules, async (opened) => {
    await following('ada')(opened);
    const ada = await opened.masto.v1.accounts.lookup({ acct: 'ada' });
    ({ id: list } = await opened.masto.v1.lists.create({ title: 'Friends' }));
    await opened.masto.v1.lists.$select(list).accounts.create({ accountIds: [ada.id] });
  });
  expect(await order('/mastodon/streaming')).toEqual({
    connections: [{ user: 'fanfare', streams: expect.arrayContaining(['user:notification', 'hashtag cats', 'hashtag dogs', 'direct']) }],
  });
  const ada = await server.as('ada');
  await ada.v1.statuses.create({ status: 'My #cats' });
  await until(() => hints.length > 0);
  expect(taken()).toEqual(['getTopicPosts #cats,@#cats']);

  await ada.v1.statuses.create({ status: '@fanfare hello', visibility: 'direct' });
  await until(() => hints.length > 1);
  expect(taken().toSorted((a, b) => a.localeCompare(b))).toEqual(['getInbox all', 'getMentions all']);

  changeRules([watching('list', 'getListPosts', { list })]);
  await pass(6_000);
  expect(taken()).toEqual([`getListPosts ${list},@${list}`]);
  await ada.v1.statuses.create({ status: 'No cats' });
  await until(() => hints.length > 0);
  expect(taken()).toEqual([`getListPosts ${list},@${list}`]);

  changeRules([]);
  await pass(4_000);
  expect(await order('/mastodon/streaming')).toEqual({ connections: [] });
});

test('names that the account does not follow are only polled', async () => {
  const { report, covers } = await connected([
    watching('ada', 'getPosts', { user: 'ada' }),
    watching('me', 'getPosts', { user: 'fanfare' }),
  ]);
  expect([covers('social.getPosts', 'ada'), covers('social.getPosts', 'fanfare')]).toEqual([false, true]);
  const checks = examineNotifications('mastodon', await report());
  expect(checks.map(({ state, what }) => [state, what])).toEqual([
    ['good', 'it notifies about changes: 1 subscription; no notification has come yet'],
    ['warning', '1 name is only polled: the account does not follow ada, and Mastodon notifies about posts of followed accounts only'],
  ]);
});

test('a subscription that the server refuses leaves lists and hashtags polled', async () => {
  const { until, report, covers } = await connected([
    watching('list', 'getListPosts', { list: '999' }),
    watching('mentions', 'getMentions'),
  ]);
  await until(async () => (await report())?.onlyPolled === 1);
  expect(await report()).toMatchObject({ problem: expect.stringContaining('Not authorized to stream this list') });
  expect([covers('social.getListPosts', '999'), covers('social.getMentions', '')]).toEqual([false, true]);
});

test.for([
  ['a lost connection', {}],
  ['a closed connection', { code: 1012 }],
] as const)('after %s, everything is polled once', async ([, order]) => {
  const one = await connected([watching('mentions', 'getMentions')]);
  await one.order('/mastodon/streaming', order);
  await one.until(() => one.hints.length > 0);
  expect(one.taken().length).toBe(8);
  const ada = await one.server.as('ada');
  await ada.v1.statuses.create({ status: '@fanfare hello' });
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(['getMentions all']);
});

test('a silent connection is left and opened again', async () => {
  const one = await connected([watching('mentions', 'getMentions')]);
  await one.pass(70_000);
  expect(one.taken()).toEqual([]);
  await one.order('/faults', { platform: 'mastodon', kind: 'silentSocket', times: 1 });
  await one.pass(90_000);
  await one.until(() => one.hints.length > 0);
  expect(one.lines.join('')).toContain('was silent for 30 seconds');
});

test('a server without streaming is polled, and the doctor says so without a warning', async () => {
  const one = await openStreaming([watching('mentions', 'getMentions')], (server) => server.configure({ streaming: 'off' }));
  await one.until(async () => (await one.report())?.state === 'failed');
  expect(examineNotifications('mastodon', await one.report())).toMatchObject([
    {
      state: 'good',
      what: 'it does not notify about changes, so the rules poll at their slots: mastodon refused the connection with the status 404',
    },
  ]);
  expect(one.lines.filter((line) => line.includes(' warn '))).toEqual([]);
  await one.server.configure({ streaming: 'on' });
  await one.server.clock.advance(3_600_000);
  await one.until(() => one.hints.length > 0);
});

test.for(NOTIFICATION_FAULTS)('a fault of the kind %s changes at most the number of hints', async (kind) => {
  const one = await connected([watching('mentions', 'getMentions')]);
  await one.order('/faults', { platform: 'mastodon', kind, ms: 60_000, times: 1 });
  const ada = await one.server.as('ada');
  await ada.v1.statuses.create({ status: '@fanfare one' });
  if (kind === 'swappedNotification') await ada.v1.statuses.create({ status: '@fanfare two' });
  await one.pass(kind === 'lateNotification' ? 62_000 : 4_000);
  expect(one.taken()).toEqual(kind === 'lostNotification' ? [] : ['getMentions all']);
  expect(one.lines.filter((line) => line.includes(' warn '))).toHaveLength(kind === 'forgedNotification' ? 1 : 0);
});

test('no token is in the log or in an address', async () => {
  const one = await connected([watching('mentions', 'getMentions')]);
  await one.order('/mastodon/streaming', {});
  await one.pass(4_000);
  expect(one.lines.join('')).toContain('the connection for notifications was lost');
  expect(one.lines.join('')).not.toContain(one.server.token);
  expect(JSON.stringify(await one.order('/requests'))).not.toContain(one.server.token);
});

test('masto understands the streams of the simulated server', async () => {
  await using server = await openMastodon();
  const client = createStreamingAPIClient({ streamingApiUrl: server.url.replace(/^http/u, 'ws'), accessToken: server.token });
  using tag = client.hashtag.subscribe({ tag: 'cats' });
  const next = tag.values().next();
  const streams = async () => (await fetch(`${server.sandbox.url}/control/mastodon/streaming`)).json();
  await expect.poll(streams).toEqual({ connections: [{ user: 'fanfare', streams: ['hashtag cats'] }] });
  const ada = await server.as('ada');
  await ada.v1.statuses.create({ status: 'My #cats' });
  expect((await next).value).toMatchObject({ event: 'update', stream: ['hashtag', 'cats'], payload: { account: { acct: 'ada' } } });
  client.close();
});
