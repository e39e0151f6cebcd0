import type { ApiResponseError } from 'twitter-api-v2';
import { describe, expect, test } from 'vitest';
import { scene, type Answer, type Scene } from './scene.ts';

const rates = ({ headers }: Answer, prefix = 'x-rate-limit') =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`${prefix}-${name}`)));
const resetMs = ({ headers }: Answer, prefix = 'x-rate-limit') => Number(headers.get(`${prefix}-reset`)) * 1000;

async function tokens(here: Scene): Promise<{ readonly token: string; readonly app: string }> {
  return { token: (await here.session()).accessToken, app: here.environment['X_BEARER_TOKEN'] ?? '' };
}

describe('how often one may ask', () => {
  test('is told in every answer, for the app and for each account and each route by itself', async () => {
    await using here = await scene();
    const { token, app } = await tokens(here);
    const person = here.sandbox.world.people[0];
    const other = (await here.session({ user: person?.handle ?? '' })).accessToken;

    const first = await here.send('GET', '/2/users/by/username/fanfare', { token });
    const second = await here.send('GET', '/2/users/by/username/fanfare', { token });
    const byApp = await here.send('GET', '/2/users/by/username/fanfare', { token: app });
    const byOther = await here.send('GET', '/2/users/by/username/fanfare', { token: other });
    const refused = await here.send('GET', '/2/users/by?usernames=a%20b', { token });

    expect([first, second, byApp, byOther, refused].map((answer) => rates(answer))).toEqual([
      [900, 899],
      [900, 898],
      [300, 299],
      [900, 899],
      [900, 899],
    ]);
    expect(Math.abs(resetMs(first) - (here.clock.nowMs() + 15 * 60_000))).toBeLessThan(1000);
  });

  test('who has used it up waits for the reset, and both clients say until when', async () => {
    await using here = await scene();
    const { token } = await tokens(here);
    const { v2 } = here.twitterApi(token);
    for (let sent = 0; sent < 75; sent++) await v2.me();

    const refused: ApiResponseError = (await v2.me().catch((error: ApiResponseError) => error)) as ApiResponseError; // the next line looks at it
    await expect(here.xdk({ accessToken: token }).users.getMe()).rejects.toMatchObject({
      status: 429,
      data: { title: 'Too Many Requests', status: 429, type: 'about:blank' },
    });

    expect(refused).toMatchObject({ code: 429, rateLimitError: true, rateLimit: { limit: 75, remaining: 0 } });
    await here.clock.advance((refused.rateLimit?.reset ?? 0) * 1000 - here.clock.nowMs());
    expect((await v2.me()).data.username).toBe('fanfare');
  });

  test('writes are counted for a day, too', async () => {
    await using here = await scene();
    const { token } = await tokens(here);

    const posted = await here.send('POST', '/2/tweets', { token, json: { text: 'One' } });
    const message = await here.send('POST', `/2/dm_conversations/with/${here.sandbox.world.people[0]?.id}/messages`, {
      token,
      json: { text: 'Hi' },
    });

    expect(rates(posted)).toEqual([100, 99]);
    expect(rates(posted, 'x-app-limit-24hour')).toEqual([10_000, 9999]);
    expect(rates(message, 'x-user-limit-24hour')).toEqual([1440, 1439]);
    expect(Math.abs(resetMs(message, 'x-user-limit-24hour') - (here.clock.nowMs() + 86_400_000))).toBeLessThan(1000);
  });

  test('the archive is searched once a second, and a limit can be ordered', async () => {
    await using here = await scene();
    const { token, app } = await tokens(here);
    const search = () => here.send('GET', '/2/tweets/search/all?query=game', { token: app });

    const both = [await search(), await search()].map(({ status }) => status);
    await here.clock.advance(1000);
    await here.control('/settings', { limits: [{ route: '/tweets', most: 1 }] });
    const posts = [
      await here.send('POST', '/2/tweets', { token, json: { text: '1' } }),
      await here.send('POST', '/2/tweets', { token, json: { text: '2' } }),
    ];

    expect(both).toEqual([200, 429]);
    expect((await search()).status).toBe(200);
    expect(posts.map(({ status }) => status)).toEqual([201, 429]);
  });

  test('a fault of the gate looks the same, and a status is a problem', async () => {
    await using here = await scene();
    const { token } = await tokens(here);
    here.sandbox.faults.add({ platform: 'x', kind: 'rateLimit', ms: 60_000, times: 1 });
    const limited = await here.send('GET', '/2/users/me', { token });
    here.sandbox.faults.add({ platform: 'x', kind: 'status', status: 503, times: 1 });
    const broken = await here.send('GET', '/2/users/me', { token });

    expect(limited).toMatchObject({ status: 429, body: { title: 'Too Many Requests', status: 429 } });
    expect(Math.abs(resetMs(limited) - (here.clock.nowMs() + 60_000))).toBeLessThan(1000);
    expect(broken).toMatchObject({ status: 503, body: { status: 503 } });
  });
});

describe('what is paid for', () => {
  test('the posts of the month are read: another 429, whose windows are healthy', async () => {
    await using here = await scene();
    const { token, app } = await tokens(here);
    await here.control('/settings', { usageCap: 10 });
    const search = () => here.send('GET', '/2/tweets/search/recent?query=game', { token: app });

    const [first, second] = [await search(), await search()];

    expect(first.status).toBe(200);
    expect(second).toMatchObject({
      status: 429,
      body: {
        title: 'UsageCapExceeded',
        period: 'Monthly',
        scope: 'Product',
        detail: 'Usage cap exceeded: Monthly product cap',
        type: expect.stringMatching(/\/usage-capped$/),
      },
    });
    expect(rates(second)).toEqual([450, 448]);
    expect((await here.send('GET', '/2/usage/tweets', { token: app })).body).toMatchObject({
      data: { project_cap: '10', project_usage: '10' },
    });
    // Writing and looking at people reads no posts.
    expect((await here.send('POST', '/2/tweets', { token, json: { text: 'One' } })).status).toBe(201);
    expect((await here.send('GET', '/2/users/me', { token })).status).toBe(200);
    await here.control('/settings', { usageCap: null });
    expect((await search()).status).toBe(200);
  });

  test('without credits nothing goes', async () => {
    await using here = await scene();
    await here.control('/settings', { creditsDepleted: true });
    const x = await here.xdkOf();

    await expect(x.posts.create({ text: 'Free?' })).rejects.toMatchObject({ status: 402, data: { title: 'CreditsDepleted' } });
    expect(await here.control('/posts')).toEqual({ items: [] });
  });
});
