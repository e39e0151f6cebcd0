import { expect, test } from 'vitest';
import { z } from 'zod';
import { account, jetstreamUrlOf } from '#adapters/bluesky/account.ts';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';
import { NOTIFICATION_FAULTS } from '../../support/followed-platform.ts';
import { openJetstream, watching } from './jetstream-fixture.ts';

const ADA = 'ada.sandbox.test';
const GRACE = 'grace.sandbox.test';
const POSTS = [`getPosts ${ADA},@${ADA}`, `getUserMedia ${ADA},@${ADA}`];
const ALL = ['getPosts all', 'getUserMedia all'];

/** An installation that is connected, with the poll after the connection. */
async function connected(names: readonly string[] = [ADA]) {
  const one = await openJetstream(names.map((user) => watching(user, 'getPosts', { user })));
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(ALL);
  const ada = await one.server.signIn('ada');
  return { ...one, ada, post: (text: string) => ada.post(one.server.record(text)) };
}

test('a post is a hint about the posts of its account several times within a minute, and about nothing else', async () => {
  const { server, ada, post, hints, until, taken, pass, notifications, covers, report, order } = await connected([`@${ADA}`]);
  expect([covers('social.getPosts', ADA), covers('social.getPosts', 'grace')]).toEqual([true, false]);
  expect(await report()).toMatchObject({ state: 'connected', subscriptions: 1, onlyPolled: 0 });
  expect(await order('/bluesky/jetstream')).toEqual({
    connections: [{ dids: 1, collections: ['app.bsky.feed.post', 'app.bsky.feed.repost'] }],
  });
  const { uri } = await post('A checkmate');
  await until(() => hints.length > 0);
  expect(taken()).toEqual(POSTS);
  await pass(70_000);
  expect(hints.length).toBe(6);
  taken();

  const grace = await server.signIn('grace');
  const theirs = await grace.post(server.record('Somebody else'));
  await ada.like(theirs.uri, theirs.cid);
  await pass(4_000);
  expect(taken()).toEqual([]);

  await ada.repost(theirs.uri, theirs.cid);
  await until(() => hints.length > 0);
  expect(taken()).toEqual(POSTS);
  await ada.deletePost(uri);
  await until(() => hints.length > 0);
  expect(taken()).toEqual(POSTS);
  await order('/bluesky/takedown', { user: 'ada' });
  await until(() => hints.length > 0);
  expect(notifications).toEqual(['commit', 'commit', 'commit', 'account']);
});

test('accounts follow the rules over the same connection', async () => {
  const { server, changeRules, pass, taken, order } = await connected();
  changeRules([watching('grace', 'getUserMedia', { user: GRACE }), watching('me', 'getPosts', { user: 'fanfare.sandbox.test' })]);
  await pass(4_000);
  expect(taken()).toEqual(
    expect.arrayContaining([`getUserMedia ${GRACE},@${GRACE}`, 'getPosts fanfare.sandbox.test,@fanfare.sandbox.test']),
  );
  expect(await order('/bluesky/jetstream')).toMatchObject({ connections: [{ dids: 2 }] });
  await pass(70_000);
  taken();
  const ada = await server.signIn('ada');
  await ada.post(server.record('No longer watched'));
  await pass(4_000);
  expect(taken()).toEqual([]);
  const requests = JSON.stringify(await order('/requests'));
  expect(requests.split('jetstream/subscribe?').length - 1).toBe(1);
});

test('an unknown account is only polled, and the whole network is never asked for', async () => {
  const { order, report, covers, server, taken, pass } = await connected(['nobody.sandbox.test']);
  expect(covers('social.getPosts', 'nobody.sandbox.test')).toBe(false);
  expect(examineNotifications('bluesky', await report()).at(-1)).toMatchObject({
    state: 'warning',
    what: '1 name is only polled: Bluesky has no account nobody.sandbox.test',
  });
  expect(await order('/bluesky/jetstream')).toMatchObject({ connections: [{ dids: 0 }] });
  const ada = await server.signIn('ada');
  await ada.post(server.record('Not watched'));
  await pass(4_000);
  expect([taken(), await report()]).toEqual([[], expect.not.objectContaining({ notifiedAt: expect.any(Date) })]);
});

test.for([
  ['a lost connection', {}],
  ['a closed connection', { code: 1011 }],
] as const)('after %s, everything is polled once, and the events in between are hints', async ([, code]) => {
  const one = await connected();
  await one.post('before');
  await one.pass(70_000);
  one.taken();
  await one.order('/bluesky/jetstream', code);
  await one.post('in between');
  await one.until(() => one.hints.length > 2);
  expect(one.taken()).toEqual(expect.arrayContaining([...ALL, ...POSTS]));
  await one.pass(70_000);
  one.taken();
  await one.post('after');
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(POSTS);
});

test('a silent connection is left and opened again', async () => {
  const one = await connected();
  await one.pass(62_000);
  expect(one.taken()).toEqual([]);
  await one.order('/faults', { platform: 'bluesky', kind: 'silentSocket', times: 1 });
  await one.pass(90_000);
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(ALL);
  expect(one.lines.join('')).toContain('was silent for 30 seconds');
});

test.for(NOTIFICATION_FAULTS)('a fault of the kind %s changes at most the number of hints', async (kind) => {
  const one = await connected();
  await one.order('/faults', { platform: 'bluesky', kind, ms: 10_000, times: 1 });
  await one.post('one');
  if (kind === 'swappedNotification') await one.post('two');
  await one.pass(kind === 'lateNotification' ? 12_000 : 4_000);
  expect(one.taken()).toEqual(kind === 'lostNotification' ? [] : POSTS);
  expect(one.lines.filter((line) => line.includes(' warn '))).toHaveLength(kind === 'forgedNotification' ? 1 : 0);
});

test('credentials are neither sent to Jetstream nor logged', async () => {
  const one = await connected();
  const requests = JSON.stringify(await one.order('/requests'));
  expect(requests).toContain('/bluesky/jetstream/subscribe?requireHello=true&cursor=');
  expect(requests).not.toMatch(/eyJ|password=/u);
  expect(one.lines.join('')).not.toMatch(/eyJ|did:plc/u);
});

/** The settings of accounts with these variables. */
function settings(environment: Readonly<Record<string, string>>) {
  return account.settings(z.object(account.variables).parse(environment), { zone: 'UTC' });
}

const PUBLIC = 'wss://jetstream.us-east.bsky.network/subscribe';
const OTHER = 'wss://jetstream.example/subscribe';

test.for([
  [{}, PUBLIC],
  [{ BLUESKY_URL: 'https://morel.us-east.host.bsky.network' }, PUBLIC],
  [{ BLUESKY_URL: 'https://pds.example' }, undefined],
  [{ BLUESKY_URL: 'https://bsky.social.example' }, undefined],
  [{ BLUESKY_URL: 'http://127.0.0.1:8081/bluesky' }, undefined],
  [{ BLUESKY_URL: 'https://pds.example', BLUESKY_JETSTREAM_URL: OTHER }, OTHER],
  [{ BLUESKY_JETSTREAM_URL: OTHER }, OTHER],
  [{ BLUESKY_JETSTREAM: 'off', BLUESKY_JETSTREAM_URL: OTHER }, undefined],
] as const)('with %o, the address is %s', ([environment, expected]) => {
  expect(jetstreamUrlOf(settings(environment))).toBe(expected);
});

test('an account of fanfare.yaml on a private server causes no connection to Jetstream', () => {
  expect(jetstreamUrlOf({ ...settings({}), url: 'https://pds.example' })).toBeUndefined();
});
