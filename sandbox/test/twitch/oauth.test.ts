import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { helixUser } from '../../../test/support/sandbox-helix.ts';
import { DAY_MS } from '../../../test/support/sandbox-world.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { controlApi } from '../../../test/support/control-api.ts';

const platforms = [twitchServer];

async function auth({ environment }: Sandbox, path: string, init: Parameters<typeof fetch>[1] = {}): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${environment['TWITCH_AUTH_URL']}${path}`, init);
  return [answer.status, await answer.json()];
}

function askToken(sandbox: Sandbox, change: Readonly<Record<string, string | undefined>> = {}): ReturnType<typeof auth> {
  const { TWITCH_CLIENT_ID: client_id, TWITCH_CLIENT_SECRET: client_secret } = sandbox.environment;
  const form = { client_id, client_secret, grant_type: 'client_credentials', ...change };
  const fields = Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));
  return auth(sandbox, '/token', { method: 'POST', body: new URLSearchParams(fields) });
}

describe('tokens', () => {
  test('are issued for client credentials and validated', async () => {
    await using sandbox = await startSandbox({ platforms, clock: new ManualClock() });

    const [status, token] = await askToken(sandbox);

    expect([status, token]).toEqual([
      200,
      { access_token: expect.stringMatching(/^[a-z0-9]{30}$/), expires_in: 5_184_000, token_type: 'bearer' },
    ]);
    const { access_token: value } = token as { access_token: string }; // the line above
    for (const scheme of ['OAuth', 'Bearer']) {
      const valid = await auth(sandbox, '/validate', { headers: { authorization: `${scheme} ${value}` } });
      expect(valid).toEqual([200, { client_id: sandbox.environment['TWITCH_CLIENT_ID'], scopes: [], expires_in: expect.any(Number) }]);
    }
  });

  test.each([
    [{ client_secret: 'wrong' }, 403, 'invalid client secret'],
    [{ client_secret: undefined }, 400, 'missing client secret'],
    [{ client_id: 'wrong' }, 400, 'invalid client'],
    [{ client_id: undefined }, 400, 'missing client id'],
    [{ grant_type: undefined }, 400, 'missing grant type'],
    [{ grant_type: 'password' }, 400, 'invalid grant type'],
  ])('are refused for %j', async (change, status, message) => {
    await using sandbox = await startSandbox({ platforms });

    expect(await askToken(sandbox, change)).toEqual([status, { status, message }]);
  });

  test('that were not issued are not valid', async () => {
    await using sandbox = await startSandbox({ platforms });

    expect(await auth(sandbox, '/validate', { headers: { authorization: 'OAuth made-up' } })).toEqual([
      401,
      { status: 401, message: 'invalid access token' },
    ]);
    expect(await auth(sandbox, '/validate')).toEqual([401, { status: 401, message: 'missing authorization token' }]);
  });

  test('expire after sixty days', async () => {
    const clock = new ManualClock();
    await using sandbox = await startSandbox({ platforms, clock });
    const helix = await helixUser(sandbox);

    await clock.advance(60 * DAY_MS);

    expect(await helix.get('/streams')).toMatchObject({ status: 401, message: 'Invalid OAuth token' });
  });

  test('survive a restart', async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/sandbox.sqlite`;
    const first = await startSandbox({ platforms, file });
    const { token } = await helixUser(first);
    await first[Symbol.asyncDispose]();

    await using second = await startSandbox({ platforms, file });

    expect((await auth(second, '/validate', { headers: { authorization: `OAuth ${token}` } }))[0]).toBe(200);
  });

  test('are revoked by their owner and by the control API', async () => {
    await using sandbox = await startSandbox({ platforms });
    const [one, two, three] = [await helixUser(sandbox), await helixUser(sandbox), await helixUser(sandbox)];
    const revoke = (body: object) => controlApi(sandbox.url)('/twitch/revoke', body);
    const form = new URLSearchParams({ client_id: sandbox.environment['TWITCH_CLIENT_ID'] ?? '', token: one.token });

    const revoked = await fetch(`${sandbox.environment['TWITCH_AUTH_URL']}/revoke`, { method: 'POST', body: form });
    const statusesOfOne = [revoked.status, (await one.get('/streams')).status, (await two.get('/streams')).status];
    const byControl = await revoke({ token: two.token });
    const statusesOfTwo = [(await two.get('/streams')).status, (await three.get('/streams')).status];
    const all = await revoke({});

    expect(statusesOfOne).toEqual([200, 401, 200]);
    expect([byControl, ...statusesOfTwo]).toEqual([{ revoked: 1 }, 401, 200]);
    expect([all, (await three.get('/streams')).status]).toEqual([{ revoked: 1 }, 401]);
  });
});

describe('every call of Helix', () => {
  test.each([
    ['no token', {}, 'OAuth token is missing'],
    ['an unknown token', { authorization: 'Bearer made-up' }, 'Invalid OAuth token'],
  ])('with %s is a 401 of Twitch', async (_, headers, message) => {
    await using sandbox = await startSandbox({ platforms });
    const helix = await helixUser(sandbox);

    const { body, status } = await helix.get('/streams', headers);

    expect([status, body]).toEqual([401, { error: 'Unauthorized', status: 401, message }]);
  });

  test('needs the client id of the token', async () => {
    await using sandbox = await startSandbox({ platforms });
    const helix = await helixUser(sandbox);
    const authorization = `Bearer ${helix.token}`;

    const [none, other] = [
      await helix.get('/streams', { authorization }),
      await helix.get('/streams', { authorization, 'client-id': 'other' }),
    ];

    expect([none.status, none.message]).toEqual([401, 'Client ID is missing']);
    expect([other.status, other.message]).toEqual([401, 'Client ID and OAuth token do not match']);
  });

  test('costs one of 800 points per minute', async () => {
    const clock = new ManualClock();
    await using sandbox = await startSandbox({ platforms, clock });
    const helix = await helixUser(sandbox);
    const nowSeconds = clock.nowMs() / 1000;

    const first = await helix.get('/games?name=Chess');
    for (let count = 1; count < 800; count++) await helix.get('/games?name=Chess');
    const refused = await helix.get('/games?name=Chess');
    await clock.advance(750);
    const later = await helix.get('/games?name=Chess');

    expect(rates(first)).toEqual(['800', '799', String(nowSeconds + 1)]);
    expect([refused.status, ...rates(refused)]).toEqual([429, '800', '0', String(nowSeconds + 60)]);
    expect(refused.body).toMatchObject({ error: 'Too Many Requests', status: 429 });
    expect([later.status, later.headers.get('ratelimit-remaining')]).toEqual([200, '9']);
  });

  test('under the fault rateLimit has the reset time of Twitch', async () => {
    const clock = new ManualClock();
    await using sandbox = await startSandbox({ platforms, clock });
    const helix = await helixUser(sandbox);
    sandbox.faults.add({ platform: 'twitch', kind: 'rateLimit', ms: 30_000, times: 1 });

    const limited = await helix.get('/streams');

    expect([limited.status, ...rates(limited)]).toEqual([429, '800', '0', String(clock.nowMs() / 1000 + 30)]);
  });
});

function rates({ headers }: { readonly headers: { get(name: string): string | null } }): readonly (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
}
