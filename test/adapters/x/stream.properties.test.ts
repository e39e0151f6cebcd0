import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { x } from '#adapters/x/index.ts';
import { readStreamLine } from '#adapters/x/stream/read-line.ts';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';
import { NOTIFICATION_FAULTS } from '../../support/followed-platform.ts';
import { fc, runs } from '../../support/property.ts';
import { openStream, watching } from './stream-fixture.ts';

const POSTS = ['getPosts ada,@ada', 'getUserMedia ada,@ada'];
const ALL = ['getPosts all', 'getUserMedia all'];
const ADA = watching('ada', 'getPosts', { user: '@Ada' });

/** An installation that is connected, with the poll after the connection. */
async function connected(options: Partial<Parameters<typeof openStream>[0]> = {}) {
  const one = await openStream({ rules: [ADA], ...options });
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(ALL);
  return one;
}

test('a post is a hint about the posts of its account twice, and about nothing else', async () => {
  const { server, post, hints, until, taken, pass, notifications, covers, report, state } = await connected();
  expect([covers('social.getPosts', 'ada'), covers('social.getPosts', 'grace')]).toEqual([true, false]);
  expect(await report()).toMatchObject({ state: 'connected', subscriptions: 1, onlyPolled: 0 });
  expect(await state()).toEqual({
    connections: 1,
    rules: [{ value: 'from:ada -is:reply', tag: expect.stringMatching(/^fanfare \S{12}$/u) }],
  });

  const { body } = await post('A checkmate');
  await until(() => hints.length > 0);
  expect(taken()).toEqual(POSTS);
  await pass(20_000);
  expect(hints.length).toBe(2);
  taken();

  const id = String((body as { readonly data: { readonly id: string } }).data.id); // the answer to a write
  await post('A reply', { reply: { in_reply_to_tweet_id: id } });
  await post('Somebody else', {}, (await server.session({ user: 'grace' })).accessToken);
  await pass(4_000);
  expect([taken(), notifications]).toEqual([[], ['post']]);
});

test('a hint is given again after the last of several posts', async () => {
  const { post, hints, until, taken, pass } = await connected();
  await post('the first');
  await until(() => hints.length > 0);
  await pass(12_000);
  taken();
  await post('the second');
  await until(() => hints.length > 0);
  taken();
  await pass(10_000);
  expect(hints).toEqual([]);
  await pass(6_000);
  expect(taken()).toEqual(POSTS);
});

test('rules follow the names, and end with them', async () => {
  const { changeRules, pass, taken, state } = await connected();
  changeRules([watching('grace', 'getUserMedia', { user: 'grace' }), watching('url', 'getPosts', { user: 'https://x.com/linus' })]);
  await pass(6_000);
  expect(taken()).toEqual(['getPosts grace,@grace', 'getUserMedia grace,@grace']);
  expect(await state()).toMatchObject({ connections: 1, rules: [{ value: 'from:grace -is:reply' }] });
  changeRules([]);
  await pass(6_000);
  expect(await state()).toEqual({ connections: 0, rules: [] });
});

test('rules of other installations stay, and their posts are no hints', async () => {
  const foreign = { add: [{ value: 'from:grace -is:reply', tag: 'other' }, { value: 'chess' }] };
  const one = await openStream({
    rules: [ADA, watching('grace', 'getPosts', { user: 'grace' })],
    prepare: (server) =>
      server.send('POST', '/2/tweets/search/stream/rules', { token: server.environment['X_BEARER_TOKEN'] ?? '', json: foreign }),
  });
  await one.until(() => one.hints.length > 0);
  one.taken();
  expect(one.covers('social.getPosts', 'grace')).toBe(false);
  expect(examineNotifications('x', await one.report()).at(-1)).toMatchObject({
    state: 'warning',
    what: '1 name is only polled: X takes no rule for grace: it is not a handle, or another installation has this rule',
  });
  await one.post('I like chess', {}, (await one.server.session({ user: 'grace' })).accessToken);
  await one.pass(4_000);
  expect([one.taken(), one.notifications]).toEqual([[], ['foreign']]);
  one.changeRules([]);
  await one.pass(6_000);
  expect((await one.state()).rules.map(({ value }) => value)).toEqual(['from:grace -is:reply', 'chess']);
});

test('a restart keeps the rules of the installation, and removes those that are no longer watched', async () => {
  const one = await connected();
  const [{ tag } = { tag: null }] = (await one.state()).rules;
  await one.changeStreamRules({ add: [{ value: 'from:linus -is:reply', tag }] });
  await one.server.control('/stream', {});
  await one.until(() => one.hints.length > 0);
  expect((await one.state()).rules).toEqual([{ value: 'from:ada -is:reply', tag }]);
});

test('if the plan has no room for all rules, the first names have them', async () => {
  const names = ['ada', 'grace', 'linus', 'fanfare', 'midnightowl'];
  const one = await openStream({
    rules: names.map((user) => watching(user, 'getPosts', { user })),
    prepare: (server) => server.control('/settings', { mostStreamRules: 3 }),
  });
  await one.until(() => one.hints.length > 0);
  expect((await one.state()).rules.map(({ value }) => value)).toEqual(names.slice(0, 3).map((name) => `from:${name} -is:reply`));
  expect(names.map((name) => one.covers('social.getPosts', name))).toEqual([true, true, true, false, false]);
  expect(await one.report()).toMatchObject({ onlyPolled: 2, problem: expect.stringContaining('Rules must be fewer than 4') });
});

test('a silent stream is left and opened again', async () => {
  const one = await connected();
  await one.pass(62_000);
  expect(one.taken()).toEqual([]);
  one.fault('silentSocket');
  await one.pass(60_000);
  await one.until(() => one.hints.length > 0);
  expect(one.taken()).toEqual(ALL);
  expect(one.lines.join('')).toContain('x was silent for 30 seconds');
});

test('while another installation has the stream, the next attempt waits for a minute', async () => {
  const taken = new AbortController();
  const one = await openStream({
    rules: [ADA],
    prepare: ({ url, environment }) =>
      fetch(`${url}/2/tweets/search/stream`, {
        headers: { authorization: `Bearer ${environment['X_BEARER_TOKEN']}` },
        signal: taken.signal,
      }),
  });
  await one.until(async () => (await one.report())?.state === 'failed');
  expect(await one.report()).toMatchObject({ problem: expect.stringContaining('429') });
  taken.abort();
  await one.pass(50_000);
  expect(one.hints).toEqual([]);
  await one.pass(14_000);
  await one.until(() => one.hints.length > 0);
});

test.for(NOTIFICATION_FAULTS)('a fault of the kind %s changes at most the number of hints', async (kind) => {
  const one = await connected();
  one.fault(kind, { ms: 10_000 });
  await one.post('one');
  if (kind === 'swappedNotification') await one.post('two');
  await one.pass(kind === 'lateNotification' ? 12_000 : 4_000);
  expect(one.taken()).toEqual(kind === 'lostNotification' ? [] : POSTS);
  expect(one.lines.filter((line) => line.includes(' warn '))).toHaveLength(kind === 'forgedNotification' ? 1 : 0);
});

test('each post is booked once, and a budget that is used up ends the stream', async () => {
  const one = await openStream({ rules: [ADA], monthUsd: 0.011 });
  const spentUsd = async () => (await one.spending?.spent())?.spentUsd;
  await one.until(() => one.hints.length > 0);
  one.fault('repeatedNotification');
  await one.post('one');
  await one.pass(4_000);
  expect(await spentUsd()).toBe(0.005);
  await one.post('two');
  await one.pass(4_000);
  expect(await spentUsd()).toBe(0.01);
  await one.post('three');
  await one.until(async () => (await one.report())?.state === 'failed');
  expect(await one.report()).toMatchObject({
    fault: 'quotaExhausted',
    problem: expect.stringContaining('the budget of the account x is used up'),
  });
  expect((await one.state()).connections).toBe(0);
});

test('the stream is off without the option, and no token is logged', async () => {
  await using platform = x({ bearerToken: 'b' });
  expect(platform.notifier).toBeUndefined();
  const one = await connected();
  await one.server.control('/stream', {});
  await one.pass(4_000);
  expect(one.lines.join('')).toContain('the connection for notifications was lost');
  expect(one.lines.join('')).not.toContain(one.bearerToken);
});

test('no line throws, and the end of a stream names a short reason', () => {
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        {
          data: fc.record({ id: fc.constantFrom('7', 7, 'a') }),
          matching_rules: fc.anything(),
          errors: fc.array(fc.record({ title: fc.string() })),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))),
  );
  fc.assert(
    fc.property(line, (text) => {
      const read = readStreamLine(text);
      const isShort = read?.kind !== 'end' || read.reason.length <= 60;
      expect([undefined, '7'].includes(read?.kind === 'post' ? read.id : undefined) && isShort).toBe(true);
    }),
    { numRuns: runs(100, 5_000) },
  );
});
