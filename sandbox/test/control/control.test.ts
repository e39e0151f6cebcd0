import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { helixUser } from '../../../test/support/sandbox-helix.ts';
import { HOUR_MS } from '../../../test/support/sandbox-world.ts';

interface List {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor?: string;
  readonly error?: string;
}

async function ask(
  { url }: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly json: List }> {
  const answer = await fetch(`${url}/control${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as List }; // the shape of every answer of the control API
}

function start(clock = new ManualClock()): Promise<Sandbox> {
  return startSandbox({ platforms: [twitchServer], clock });
}

describe('GET /control/events', () => {
  test('lists all events in order, in pages', async () => {
    const clock = new ManualClock();
    await using sandbox = await start(clock);
    const [sinceMs, nowMs] = [clock.nowMs() - 3 * HOUR_MS, clock.nowMs()];
    const items: unknown[] = [];

    let page = await ask(sandbox, 'GET', `/events?since=${new Date(sinceMs).toISOString()}`);
    for (items.push(...page.json.items); page.json.cursor !== undefined; items.push(...page.json.items)) {
      page = await ask(sandbox, 'GET', `/events?cursor=${page.json.cursor}`);
    }

    const truth = sandbox.world.eventsBetween(sinceMs, nowMs);
    expect(items.length).toBeGreaterThan(1000);
    expect(items).toEqual(
      truth.map(({ at, kind, person, broadcastId, game, title }) => ({
        at: at.toISOString(),
        kind,
        user: { id: person.id, handle: person.handle, displayName: person.displayName },
        broadcastId,
        game: { id: game.id, name: game.name },
        title,
      })),
    );
  });

  test('lists no future events', async () => {
    const clock = new ManualClock();
    await using sandbox = await start(clock);

    const { json } = await ask(sandbox, 'GET', `/events?since=${new Date(clock.nowMs()).toISOString()}&until=2030-01-01T00:00:00Z`);

    expect(json).toEqual({ items: [] });
  });

  test.each(['?since=yesterday', '?cursor=abc'])('refuses %s', async (query) => {
    await using sandbox = await start();

    expect((await ask(sandbox, 'GET', `/events${query}`)).status).toBe(400);
  });
});

describe('POST /control/world', () => {
  test('an order changes answers and events at once', async () => {
    const clock = new ManualClock();
    await using sandbox = await start(clock);
    const helix = await helixUser(sandbox);

    const { status, json } = await ask(sandbox, 'POST', '/world', { do: 'goLive', user: 'ada', game: 'chess', viewers: 7, title: 'Now' });

    const { data } = await helix.get('/streams?user_login=ada');
    expect(status).toBe(200);
    expect(data).toMatchObject([{ game_name: 'Chess', viewer_count: 7, title: 'Now' }]);
    expect(json).toEqual({ at: new Date(clock.nowMs()).toISOString(), broadcastId: data[0]?.['id'] });
    const events = await ask(sandbox, 'GET', `/events?since=${new Date(clock.nowMs() - 1).toISOString()}`);
    expect(events.json.items.at(-1)).toMatchObject({ kind: 'wentLive', title: 'Now' });
  });

  test.each([
    [{ do: 'goLive' }, 'user: '],
    [{ do: 'dance', user: 'ada' }, 'do: '],
    [{ do: 'setViewers', user: 'ada', viewers: -1 }, 'viewers: '],
    [{ do: 'changeGame', user: 'ada' }, 'game: '],
    [{ do: 'end', user: 'ada', title: 'x' }, 'title'],
    [{ do: 'goLive', user: 'nobody_at_all' }, 'user: unknown streamer "nobody_at_all"'],
    [{ do: 'goLive', user: 'ada', game: 'Chest' }, 'game: unknown game "Chest". Did you mean "Chess"?'],
  ])('refuses %j with a reason', async (order, reason) => {
    await using sandbox = await start();

    const { status, json } = await ask(sandbox, 'POST', '/world', order);

    expect(status).toBe(400);
    expect(json.error).toContain(reason);
  });
});

describe('/control/faults', () => {
  test('a fault applies, is listed with its remaining count, and can be cleared', async () => {
    await using sandbox = await start();
    const helix = await helixUser(sandbox);

    const added = await ask(sandbox, 'POST', '/faults', {
      platform: 'twitch',
      route: '/streams',
      method: 'get',
      kind: 'status',
      status: 503,
      times: 2,
    });
    const { status } = await helix.get('/streams');
    const listed = await ask(sandbox, 'GET', '/faults');
    const cleared = await ask(sandbox, 'DELETE', '/faults?platform=twitch');

    expect([added.status, status]).toEqual([200, 503]);
    expect(listed.json.items).toEqual([{ platform: 'twitch', route: '/streams', method: 'GET', kind: 'status', status: 503, times: 1 }]);
    expect(cleared.json.items).toEqual([]);
    expect((await helix.get('/streams')).status).toBe(200);
  });

  test.each([
    [{ platform: 'twitch', kind: 'explode' }, 'kind: '],
    [{ platform: 'twitter', kind: 'status' }, 'platform: unknown platform "twitter". Allowed: twitch'],
    [{ platform: 'twitch', kind: 'status', status: 200 }, 'status: '],
    [{ platform: 'twitch', kind: 'status', often: true }, 'often'],
  ])('refuses %j with a reason', async (order, reason) => {
    await using sandbox = await start();

    const { status, json } = await ask(sandbox, 'POST', '/faults', order);

    expect(status).toBe(400);
    expect(json.error).toContain(reason);
  });
});

describe('GET /control/requests', () => {
  test('counts the requests of each route and lists the latest without secrets', async () => {
    await using sandbox = await start();
    const helix = await helixUser(sandbox);
    for (const handle of ['ada', 'grace', 'linus']) await helix.get(`/streams?user_login=${handle}`);
    await helix.get('/users?login=no%20one');
    await fetch(`${sandbox.environment['TWITCH_AUTH_URL']}/token?client_id=a&client_secret=very-secret`, { method: 'POST' });
    sandbox.faults.add({ platform: 'twitch', kind: 'resetBefore', times: 1 });
    await helix.get('/games/top').catch(() => undefined);

    const { json } = await ask(sandbox, 'GET', '/requests?platform=twitch');

    const rows = json.items.map(({ method, route, count, latest }) => [
      method,
      route,
      count,
      (latest as { status?: number }[]).at(-1)?.status,
    ]); // as written below
    expect(rows).toEqual([
      ['POST', '/twitch/oauth2/token', 2, 400],
      ['GET', '/twitch/helix/streams', 3, 200],
      ['GET', '/twitch/helix/users', 1, 400],
      ['GET', '/twitch/helix/games/top', 1, undefined],
    ]);
    expect(JSON.stringify(json)).toContain('user_login=linus');
    expect(JSON.stringify(json)).not.toContain('very-secret');
  });
});

describe('the clock', () => {
  test('a sandbox whose clients share its clock moves it', async () => {
    await using sandbox = await startSandbox({ platforms: [], clock: new ManualClock(), isClockShared: true });
    const startMs = sandbox.clock.nowMs();

    const moved = await ask(sandbox, 'POST', '/clock', { forwardMs: HOUR_MS, speed: 5 });

    expect(moved).toEqual({ status: 200, json: { now: new Date(startMs + HOUR_MS).toISOString(), speed: 5, movable: true } });
    expect((await ask(sandbox, 'GET', '/now')).json).toEqual(moved.json);
    expect(sandbox.clock.nowMs()).toBe(startMs + HOUR_MS);
  });

  test('another sandbox refuses to move it', async () => {
    await using sandbox = await start();

    const { status, json } = await ask(sandbox, 'POST', '/clock', { forwardMs: HOUR_MS });

    expect([status, json.error]).toEqual([400, expect.stringContaining('cannot be moved')]);
  });
});

describe('GET /control/streamers', () => {
  const handles = ({ json }: { readonly json: List }): readonly unknown[] =>
    json.items.map(({ user }) => (user as { handle: string }).handle); // the shape of every item

  test('lists all streamers in pages', async () => {
    await using sandbox = await start();

    const all: unknown[] = [];
    let path = '/streamers?limit=100';
    for (let cursor: string | undefined = ''; cursor !== undefined; path = `/streamers?limit=100&cursor=${cursor}`) {
      const page: Awaited<ReturnType<typeof ask>> = await ask(sandbox, 'GET', path);
      all.push(...handles(page));
      cursor = page.json.cursor;
    }

    expect(all).toEqual(sandbox.world.people.map(({ handle }) => handle));
  });

  test('lists live streamers by viewers', async () => {
    await using sandbox = await start();
    await ask(sandbox, 'POST', '/world', { do: 'goLive', user: 'ada', game: 'Chess', title: 'Rooks', viewers: 9_000_000 });

    const page = await ask(sandbox, 'GET', '/streamers?state=live&limit=100');

    expect(page.json.items[0]).toMatchObject({
      user: { handle: 'ada' },
      live: { game: { name: 'Chess' }, title: 'Rooks', viewers: 9_000_000 },
    });
    const live = sandbox.world.liveAt(sandbox.clock.nowMs()).map(({ person }) => person.handle);
    expect(handles(page)).toEqual(live.slice(0, 100));
  });

  test.for([
    ['text=ADA', 'ada'],
    ['text=chess&state=live', 'ada'],
    ['text=grace&state=offline', 'grace'],
  ] as const)('finds by name and game: %s', async ([query, handle]) => {
    await using sandbox = await start();
    await ask(sandbox, 'POST', '/world', { do: 'goLive', user: 'ada', game: 'Chess' });
    await ask(sandbox, 'POST', '/world', { do: 'end', user: 'grace' });

    expect(handles(await ask(sandbox, 'GET', `/streamers?${query}`))).toContain(handle);
  });

  test('a streamer who is live is not listed as offline', async () => {
    await using sandbox = await start();
    await ask(sandbox, 'POST', '/world', { do: 'goLive', user: 'ada' });

    expect(handles(await ask(sandbox, 'GET', '/streamers?text=ada&state=offline'))).not.toContain('ada');
  });
});

test('GET /control/world has the platforms and the games', async () => {
  await using sandbox = await start();

  const { json } = await ask(sandbox, 'GET', '/world');

  expect(json).toEqual({ platforms: ['twitch'], games: sandbox.world.games.map(({ id, name }) => ({ id, name })) });
});
