import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { kickWorld } from '../../kick/channels.ts';
import { kickServer } from '../../kick/server.ts';
import { startSandbox, type Sandbox } from '../../index.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly data: readonly Readonly<Record<string, unknown>>[]; readonly pagination?: { readonly next_cursor: string } };
}

interface Scene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  get(path: string, token?: string): Promise<Answer>;
}

async function scene(): Promise<Scene> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [kickServer], clock });
  const { KICK_CLIENT_ID = '', KICK_CLIENT_SECRET = '', KICK_AUTH_URL = '', KICK_API_URL = '' } = sandbox.environment;
  const form = { client_id: KICK_CLIENT_ID, client_secret: KICK_CLIENT_SECRET, grant_type: 'client_credentials' };
  const response = await fetch(`${KICK_AUTH_URL}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: issued } = (await response.json()) as { access_token: string }; // tests below check the shape
  return {
    sandbox,
    clock,
    async get(path, token = issued) {
      const answer = await fetch(`${KICK_API_URL}/public${path}`, { headers: { authorization: `Bearer ${token}` } });
      return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // the shape of every answer
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

describe('Kick refuses', () => {
  test.for([
    ['/v1/channels', 400],
    ['/v1/channels?slug=ada&broadcaster_user_id=1', 400],
    ['/v1/channels?slug=nobody-of-this-name', 400],
    ['/v1/channels?slug=this-slug-is-longer-than-it-may-be', 400],
    ['/v1/channels?broadcaster_user_id=ada', 400],
    [`/v1/channels?${'broadcaster_user_id=1&'.repeat(51)}`, 400],
    ['/v2/livestreams?limit=1001', 400],
    ['/v2/livestreams?limit=0', 400],
    ['/v2/livestreams?cursor=made-up', 400],
    [`/v2/livestreams?${'category_id=1&'.repeat(26)}`, 400],
    ['/v1/videos', 404],
  ] as const)('GET %.50s', async ([path, status]) => {
    await using here = await scene();

    const answer = await here.get(path);

    expect(answer).toEqual({ status, body: { message: expect.any(String), data: {} } });
  });

  test('unknown and revoked tokens', async () => {
    await using here = await scene();

    expect((await here.get('/v2/livestreams', 'made-up')).status).toBe(401);
    await fetch(`${here.sandbox.url}/control/kick/revoke`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    expect((await here.get('/v2/livestreams')).status).toBe(401);
  });

  test('a wrong secret', async () => {
    await using here = await scene();
    const form = { client_id: here.sandbox.environment['KICK_CLIENT_ID'] ?? '', client_secret: 'wrong', grant_type: 'client_credentials' };

    const answer = await fetch(`${here.sandbox.environment['KICK_AUTH_URL']}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });

    expect([answer.status, await answer.json()]).toEqual([401, { error: 'invalid_client' }]);
  });
});

describe('the world on Kick', () => {
  test('some people have a channel and are live at the same time as on Twitch', async () => {
    await using here = await scene();
    const { world } = here.sandbox;
    const there = kickWorld(world);
    const live = world.liveAt(here.clock.nowMs()).filter(({ person }) => there.channelOf(person));

    const { body } = await here.get('/v2/livestreams?limit=1000');

    expect(there.channels.length / world.people.length).toBeCloseTo(0.3, 1);
    expect(new Set(body.data.map(({ title }) => title))).toEqual(new Set(live.map(({ title }) => title)));
    expect(body.data.length).toBe(live.length);
    const starts = body.data.map(({ started_at: at }) => String(at));
    expect(starts).toEqual(starts.toSorted());
  });

  test('slugs and ids are unique, and a channel is found by both', async () => {
    await using here = await scene();
    const there = kickWorld(here.sandbox.world);

    expect(new Set(there.channels.map(({ slug }) => slug)).size).toBe(there.channels.length);
    expect(new Set(there.channels.map(({ userId }) => userId)).size).toBe(there.channels.length);
    const [channel] = there.channels;
    const bySlug = await here.get(`/v1/channels?slug=${channel?.slug}`);
    const byId = await here.get(`/v1/channels?broadcaster_user_id=${channel?.userId}`);
    expect(bySlug.body.data).toMatchObject([{ slug: channel?.slug, broadcaster_user_id: channel?.userId }]);
    expect(byId).toEqual(bySlug);
  });

  test('pages of one walk show the same instant', async () => {
    await using here = await scene();
    const truth = (await here.get('/v2/livestreams?limit=1000')).body.data.map(({ id }) => id);
    const ids: unknown[] = [];

    let cursor = '';
    do {
      const { body } = await here.get(`/v2/livestreams?limit=20${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }) => id));
      cursor = body.pagination?.next_cursor ?? '';
      await here.clock.advance(3000);
    } while (cursor !== '');

    expect(ids).toEqual(truth);
  });

  test('pictures load', async () => {
    await using here = await scene();
    const { body } = await here.get('/v2/livestreams?limit=1');

    const picture = await fetch(String(body.data[0]?.['thumbnail']));

    expect(picture.headers.get('content-type')).toBe('image/jpeg');
  });
});
