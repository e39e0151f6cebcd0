import { describe, expect, test } from 'vitest';
import type { FaultOrder } from '../../faults.ts';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { helixUser, type HelixUser } from '../../../test/support/sandbox-helix.ts';

interface Scene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly helix: HelixUser;
  readonly clock: ManualClock;
}

async function scene(): Promise<Scene> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [twitchServer], clock });
  return { sandbox, clock, helix: await helixUser(sandbox), [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

const many = (name: string, count: number): string => Array.from({ length: count }, (_, index) => `${name}=${index}`).join('&');

describe('requests that Helix refuses', () => {
  test.each([
    ['/streams?first=101', 'The parameter "first" was malformed: the value must be less than or equal to 100'],
    ['/streams?first=0', 'The parameter "first" was malformed: the value must be greater than or equal to 1'],
    ['/streams?first=many', 'The parameter "first" was malformed'],
    [`/streams?${many('user_id', 101)}`, 'The parameter "user_id" was malformed'],
    [`/streams?${many('user_login', 101)}`, 'The parameter "user_login" was malformed'],
    [`/streams?${many('game_id', 101)}`, 'The parameter "game_id" was malformed'],
    ['/streams?user_id=ada', 'the value must match the regular expression /^[0-9]*$/'],
    ['/streams?user_login=not+a+name', 'Malformed query params.'],
    ['/streams?after=%21%21', 'The parameter "after" was malformed'],
    ['/streams?after=e30%3D', 'The parameter "after" was malformed'],
    ['/streams?type=radio', 'The parameter "type" was malformed'],
    ['/users', 'Must provide'],
    ['/users?login=ada&login=not+a+name', 'Invalid login names, emails or IDs in request'],
    [`/users?${many('id', 51)}&${many('login', 50)}`, 'the number of values must be less than or equal to 100'],
    ['/teams', 'Must provide either name or id'],
    ['/teams?name=nightshift&id=6358', 'Must provide either name or id'],
    ['/schedule', 'Missing required parameter "broadcaster_id"'],
    ['/schedule?broadcaster_id=1', 'The ID in broadcaster_id is not valid'],
    ['/games', 'Missing required parameter'],
    [`/games?${many('id', 101)}`, 'The parameter "id" was malformed'],
    ['/videos', 'exactly one of'],
    ['/videos?user_id=1&game_id=2', 'exactly one of'],
    ['/videos?user_id=1&sort=best', 'The parameter "sort" was malformed'],
    ['/videos?user_id=1&period=year', 'The parameter "period" was malformed'],
    ['/clips?broadcaster_id=1&game_id=2', 'exactly one of'],
    ['/clips?broadcaster_id=1&started_at=yesterday', 'The parameter "started_at" was malformed'],
    ['/search/channels', 'Missing required parameter "query"'],
    ['/search/channels?query=a&live_only=perhaps', 'The parameter "live_only" was malformed'],
    ['/search/categories?query=', 'Missing required parameter "query"'],
    ['/channels/followers', 'Missing required parameter "broadcaster_id"'],
  ])('GET %.60s', async (path, message) => {
    await using here = await scene();

    const answer = await here.helix.get(path);

    expect(answer.body).toEqual({ error: 'Bad Request', status: 400, message: expect.stringContaining(message) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('ratelimit-limit')).toBe('800');
  });

  test.each(['/videos?id=1', '/teams?name=nobody', '/no/such/endpoint'])('GET %s is not found', async (path) => {
    await using here = await scene();

    expect(await here.helix.get(path)).toMatchObject({ status: 404, body: { error: 'Not Found', status: 404 } });
  });
});

describe('pages', () => {
  test('of one walk show the same instant', async () => {
    await using here = await scene();
    const truth = here.sandbox.world.liveAt(here.clock.nowMs()).map(({ id }) => id);
    const ids: unknown[] = [];

    let cursor: string | undefined;
    do {
      const page = await here.helix.get(`/streams?first=100${cursor === undefined ? '' : `&after=${cursor}`}`);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.cursor;
      await here.clock.advance(5000);
    } while (cursor !== undefined);

    expect(ids).toEqual(truth);
  });

  test('of an old cursor show the current world', async () => {
    await using here = await scene();
    const { cursor } = await here.helix.get('/streams?first=1');

    await here.clock.advance(3_600_000);
    const { data } = await here.helix.get(`/streams?first=100&after=${cursor}`);

    const truth = here.sandbox.world.liveAt(here.clock.nowMs()).map(({ id }) => id);
    expect(data.map(({ id }) => id)).toEqual(truth.slice(1, 101));
  });

  test('can go backwards', async () => {
    await using here = await scene();
    const first = await here.helix.get('/games/top?first=5');
    const second = await here.helix.get(`/games/top?first=5&after=${first.cursor}`);

    const back = await here.helix.get(`/games/top?first=5&before=${second.cursor}`);

    expect(back.data).toEqual(first.data);
    expect(second.data).not.toEqual(first.data);
  });

  test('have twenty items by default, and no cursor at the end', async () => {
    await using here = await scene();

    const [streams, games, found] = [
      await here.helix.get('/streams'),
      await here.helix.get('/games/top?first=100'),
      await here.helix.get('/search/categories?query=chess'),
    ];

    expect([streams.data.length, streams.cursor === undefined]).toEqual([20, false]);
    expect(games.cursor).toBeUndefined();
    expect(found.body).toMatchObject({ data: [{ name: 'Chess' }], pagination: {} });
  });
});

describe('faults in lists', () => {
  async function pagesWith(
    here: Scene,
    order: Omit<FaultOrder, 'platform'>,
    count: number,
  ): Promise<readonly Awaited<ReturnType<HelixUser['get']>>[]> {
    here.sandbox.faults.add({ platform: 'twitch', route: '/streams', ...order });
    const pages: Awaited<ReturnType<HelixUser['get']>>[] = [];
    for (let index = 0; index < count; index++) {
      const cursor = pages.at(-1)?.cursor;
      pages.push(await here.helix.get(`/streams?first=100${cursor === undefined ? '' : `&after=${cursor}`}`));
    }
    return pages;
  }

  test('endlessCursor: every page has the same cursor', async () => {
    await using here = await scene();

    const pages = await pagesWith(here, { kind: 'endlessCursor' }, 4);

    expect(new Set(pages.map(({ cursor }) => cursor)).size).toBe(1);
    expect(pages[0]?.cursor).toBeDefined();
  });

  test('emptyList: one page is empty', async () => {
    await using here = await scene();

    const pages = await pagesWith(here, { kind: 'emptyList', times: 1 }, 2);

    expect(pages.map(({ status, data }) => [status, data.length])).toEqual([
      [200, 0],
      [200, 100],
    ]);
  });

  test('shortList: half of the items are missing', async () => {
    await using here = await scene();
    const truth = here.sandbox.world.liveAt(here.clock.nowMs()).map(({ id }) => id);

    const [page] = await pagesWith(here, { kind: 'shortList', times: 1 }, 1);

    expect(page?.data.map(({ id }) => id)).toEqual(truth.slice(0, 100).filter((_, index) => index % 2 === 0));
  });

  test('repeatedItem: a page begins with the last item of the previous page', async () => {
    await using here = await scene();
    const truth = here.sandbox.world.liveAt(here.clock.nowMs()).map(({ id }) => id);

    const pages = await pagesWith(here, { kind: 'repeatedItem', times: 1 }, 3);

    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(ids).toEqual([...truth.slice(0, 100), ...truth.slice(99, 299)]);
  });

  test('delayedVisibility: the answer shows an earlier instant', async () => {
    await using here = await scene();
    const truth = here.sandbox.world.liveAt(here.clock.nowMs() - 60_000).map(({ id }) => id);

    const [page] = await pagesWith(here, { kind: 'delayedVisibility', ms: 60_000 }, 1);

    expect(page?.data.map(({ id }) => id)).toEqual(truth.slice(0, 100));
  });
});
