import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../index.ts';
import { twitchServer } from '../../twitch/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

function start(): Promise<Sandbox> {
  return startSandbox({ platforms: [twitchServer], clock: new ManualClock() });
}

describe('access to the control API', () => {
  const json = { 'content-type': 'application/json' };
  const order = JSON.stringify({ do: 'goLive', user: 'ada' });

  test.for([
    ['POST', { 'content-type': 'text/plain' }, 415],
    ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['POST', { 'content-type': 'text/plain; charset=application/json' }, 415],
    ['POST', {}, 415],
    ['POST', { ...json, origin: 'https://evil.example' }, 403],
    ['POST', { ...json, origin: 'http://127.0.0.1.evil.example' }, 403],
    ['POST', { ...json, origin: 'null' }, 403],
    ['POST', { ...json, host: 'evil.example' }, 403],
    ['DELETE', { origin: 'https://evil.example' }, 403],
  ] as const)('a web page cannot order: %s with %j', async ([method, headers, status]) => {
    await using sandbox = await start();
    const path = method === 'POST' ? '/control/world' : '/control/faults';

    const answer = await request(`${sandbox.url}${path}`, { method, headers, body: method === 'POST' ? order : null });
    await answer.body.dump();

    expect(answer.statusCode).toBe(status);
    expect(sandbox.world.liveAt(sandbox.clock.nowMs()).some(({ person }) => person.handle === 'ada')).toBe(false);
  });

  test('a web page cannot read through another host name', async () => {
    await using sandbox = await start();

    const answer = await request(`${sandbox.url}/control/events`, { headers: { host: 'evil.example' } });

    expect(answer.statusCode).toBe(403);
    expect(await answer.body.text()).not.toContain('items');
  });

  test.for([{}, { origin: 'http://localhost:3000' }, { 'content-type': 'application/json; charset=utf-8' }])(
    'local programs and pages can order: %j',
    async (headers) => {
      await using sandbox = await start();

      const answer = await request(`${sandbox.url}/control/world`, { method: 'POST', headers: { ...json, ...headers }, body: order });
      await answer.body.dump();

      expect(answer.statusCode).toBe(200);
    },
  );
});
