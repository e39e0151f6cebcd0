import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capabilities } from '#adapters/x/capabilities.ts';
import { meter, priceOf, priceOfOperation } from '#adapters/x/spending.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { monthlySpending, type MonthlySpending } from '#src/clients/operation/spending.ts';
import { PlatformError } from '#src/errors.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { recover } from '../../contract/social-fixture.ts';
import { openX } from './open-x.ts';
import { ME, one, postRow, problem, rows, scriptX, userRow } from './script-x.ts';

async function openSpending(monthUsd: number, file?: string): Promise<MonthlySpending & AsyncDisposable> {
  const store = await openStore({ file });
  const spending = monthlySpending({ platform: 'x', account: 'x', monthUsd, sums: store.spentSums, clock: new ManualClock() });
  return { ...spending, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

const usdOf = async (spending: MonthlySpending): Promise<number> => (await spending.spent()).spentUsd;
/** A budget that is never used up. */
const KEYS = { tokens: undefined, apiKey: 'k', apiSecret: 's', accessToken: 't', accessSecret: 'u' };
const created = { status: 201, json: { data: { id: '9', text: 'hello' } } };

describe('the spending of an account', () => {
  test('counts each row once per day', async () => {
    await using spending = await openSpending(20);
    await using x = await scriptX(
      [
        ['GET /2/users/42/tweets?max_results=100&exclude=replies', rows([postRow('1'), postRow('2')])],
        ['GET /2/users/42/tweets?max_results=100&exclude=replies', rows([postRow('2'), postRow('3')])],
        ['GET /2/tweets/3', one(postRow('3'))],
        ['GET /2/tweets/3', one(postRow('3'))],
      ],
      { spending, ...KEYS },
    );
    const spent: number[] = [];

    await x.social.getPosts('42');
    spent.push(await usdOf(spending));
    await x.social.getPosts('42');
    spent.push(await usdOf(spending));
    await x.social.postDetail('3');
    spent.push(await usdOf(spending));
    x.clock.set(x.clock.nowMs() + 24 * 3600_000);
    await x.social.postDetail('3');
    spent.push(await usdOf(spending));

    expect(spent).toEqual([0.01, 0.015, 0.015, 0.02]);
  });

  test('is small for a read that needs few rows', async () => {
    await using x = await scriptX(
      [
        ['GET /2/users/42/tweets?max_results=10&exclude=replies', rows([postRow('1')])],
        ['GET /2/users/search?max_results=10&query=ada', rows([userRow('ada')])],
        ['GET /2/tweets/search/recent?max_results=11&query=chess&sort_order=relevancy', rows([postRow('1')])],
        ['GET /2/tweets/search/recent?max_results=100&query=chess&sort_order=relevancy', rows([postRow('1')])],
      ],
      KEYS,
    );

    await x.social.getPosts('42', { rows: 6 });
    await x.social.search('ada', { filter: 'People', rows: 6 });
    await x.social.search('chess', { rows: 11 });
    await x.social.search('chess', { rows: 1_000 });

    expect(x.server.seen).toHaveLength(4);
  });

  test('survives a restart: rows of today are not billed again, on a new day they are', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    const spent: number[] = [];

    for (const [hours, found] of [
      [0, ['1', '2']],
      [1, ['2', '3']],
      [24, ['3']],
    ] as const) {
      const asked = ['GET /2/users/42/tweets?max_results=100&exclude=replies', rows(found.map((id) => postRow(id)))] as const;
      await using spending = await openSpending(20, file);
      await using x = await scriptX([asked], { spending, ...KEYS });
      x.clock.set(x.clock.nowMs() + hours * 3600_000);
      await x.social.getPosts('42');
      spent.push(await usdOf(spending));
    }

    expect(spent).toEqual([0.01, 0.015, 0.02]);
  });

  test.for([
    ['a post', 'hello', 0.015],
    ['one with a link', 'see https://example.org/a', 0.2],
    ['one with the name of a host, which X makes a link of', 'see example.org', 0.2],
  ] as const)('is the price of %s', async ([, text, usd]) => {
    await using spending = await openSpending(20);
    await using x = await scriptX([ME, ['POST /2/tweets', created]], { spending });

    await x.social.createPost(text);

    // The other request reads the account.
    expect(Math.round(((await usdOf(spending)) - 0.01) * 1000) / 1000).toBe(usd);
  });

  test('does not count refused requests', async () => {
    await using spending = await openSpending(20);
    await using x = await scriptX([['GET /2/tweets/5', problem(404, { title: 'Not Found Error' })]], { spending });

    await expect(x.social.postDetail('5')).rejects.toMatchObject({ fault: 'missing' });

    expect(await usdOf(spending)).toBe(0);
  });

  describe('of reads during an outage of X', () => {
    const DAY_MS = 24 * 3600_000;

    async function open() {
      const spending = await openSpending(20);
      const clock = new ManualClock();
      const { ask } = meter({ spending, clock, log: undefined });
      const spent = async (user: string, error: PlatformError): Promise<number> => {
        const billed = { endpoint: 'GET /2/users/:id/tweets', url: `/2/users/${user}/tweets`, query: { max_results: 100 } };
        await expect(ask(billed, () => Promise.reject(error))).rejects.toBe(error);
        return usdOf(spending);
      };
      return { clock, spent, [Symbol.asyncDispose]: () => spending[Symbol.asyncDispose]() };
    }

    test('does not count errors, which X does not bill', async () => {
      await using meters = await open();

      expect(await meters.spent('42', new PlatformError('x: 503', { platform: 'x', fault: 'unavailable', status: 503 }))).toBe(0);
      expect(await meters.spent('42', new PlatformError('x: no JSON', { platform: 'x', fault: 'malformed', status: 200 }))).toBe(0.5);
    });

    test('counts the same read without a response once a day, because X bills a row once a day', async () => {
      await using meters = await open();
      const lost = new PlatformError('x: no response', { platform: 'x', fault: 'unanswered' });
      const all = [await meters.spent('42', lost), await meters.spent('42', lost), await meters.spent('43', lost)];
      meters.clock.set(meters.clock.nowMs() + DAY_MS);
      all.push(await meters.spent('42', lost));

      expect(all).toEqual([0.5, 0.5, 1, 1.5]);
    });
  });

  test('counts the highest cost if there is no response', async () => {
    await using spending = await openSpending(20);
    await using x = await scriptX([ME, ['POST /2/tweets', { status: 503 }]], { spending });

    await expect(x.social.createPost('hello')).rejects.toMatchObject({ fault: 'unanswered' });

    expect(await usdOf(spending)).toBe(0.025);
  });

  test('does not count a lost post that a search finds to be absent', async () => {
    await using spending = await openSpending(20);
    await using fixture = await openX({ spending });
    const { social, clock } = fixture;
    await social.createPost('something else');
    const since = new Date(clock.nowMs());
    const beforeUsd = await usdOf(spending);
    const find = () => recover(social, createPost.declared, { text: 'see example.org' }, { key: 'k', since, lostAt: since });

    fixture.loseNextRequest();
    await expect(social.createPost('see example.org', { since, key: 'k' })).rejects.toMatchObject({ fault: 'unanswered' });
    const lostUsd = await usdOf(spending);
    await clock.advance(16 * 60_000);
    const outcome = await find();

    expect(Math.round((lostUsd - beforeUsd) * 1000) / 1000).toBe(0.2);
    expect(outcome).toBe('absent');
    expect((await usdOf(spending)) - beforeUsd).toBeLessThan(0.05);
  });
});

describe('a used-up monthly budget', () => {
  test('blocks reads and posts, and the error names the remedy', async () => {
    await using spending = await openSpending(0.004);
    await using x = await scriptX([], { spending });
    const refused = { fault: 'quotaExhausted', message: expect.stringContaining('raise budgets.x.month in fanfare.yaml') as string };

    await expect(x.social.postDetail('5')).rejects.toMatchObject(refused);
    await expect(x.social.createPost('hello')).rejects.toMatchObject(refused);
    await expect(x.social.getPosts('42')).rejects.toMatchObject(refused);

    expect(x.server.seen).toEqual([]);
  });

  test('ends an iteration between two pages, with a cursor to continue', async () => {
    await using spending = await openSpending(1);
    const page = 'GET /2/users/42/followers?max_results=100';
    await using x = await scriptX([[page, rows([userRow('ada', { id: '1' })], { next: 'n1' })]], { spending });

    const walk = x.social.getUserFollowers('42', { pages: 2, waitTime: 0 });

    await expect(walk).rejects.toMatchObject({ fault: 'quotaExhausted', cursor: expect.any(String) as string });
  });
});

describe('prices', () => {
  test('every request of an operation has a price, except uploads', () => {
    const endpoints = Object.values(capabilities).flatMap(({ endpoints: some = [] }) => some);

    expect([...new Set(endpoints)].filter((endpoint) => !priceOf(endpoint))).toEqual([
      'POST /2/media/upload',
      'POST /2/media/upload/initialize',
      'POST /2/media/upload/:id/append',
      'POST /2/media/upload/:id/finalize',
      'GET /2/media/upload',
    ]);
  });

  test.for([
    ['getPosts', true, { usd: 0.005, row: 'post', rows: 100 }],
    ['getUserFollowers', true, { usd: 0.01, row: 'user', rows: 100 }],
    ['getMentions', true, { usd: 0.005, row: 'post', rows: 100 }],
    ['search', true, { usd: 0.005, row: 'post', rows: 100 }],
    ['postDetail', false, { usd: 0.005, row: 'post', rows: 1 }],
    ['createPost', false, { usd: 0.015, usdWithLink: 0.2 }],
    ['sendMessage', false, { usd: 0.015 }],
    ['deletePost', false, { usd: 0.01 }],
  ] as const)('the price of %s follows from its requests', ([name, isList, price]) => {
    const { endpoints = [] } = capabilities[name];

    expect(priceOfOperation(endpoints, { isList, wantsUsers: false })).toMatchObject(price);
  });
});
