import { Hono } from 'hono';
import { once } from 'node:events';
import { fetch, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { PlatformFactory } from '../context.ts';
import { startSandbox } from '../index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { trickle } from '../../test/support/slow-request.ts';
import { HOUR_MS } from '../../test/support/sandbox-world.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

describe('startSandbox', () => {
  test('serves every platform on one port', async () => {
    await using sandbox = await startSandbox();

    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox.environment).toMatchObject({
      TWITCH_API_URL: `${sandbox.url}/twitch/helix`,
      TWITCH_AUTH_URL: `${sandbox.url}/twitch/oauth2`,
      DISCORD_API_URL: expect.stringContaining(`${sandbox.url}/discord`),
      SANDBOX_URL: expect.stringContaining(`${sandbox.url}/social`),
      ASSISTANT_URL: expect.stringContaining(`${sandbox.url}/assistant`),
    });
  });

  test.each(['0.0.0.0', '192.168.1.7', '::', 'example.com'])('does not listen on %s', async (host) => {
    await expect(startSandbox({ host })).rejects.toThrow(/only on loopback addresses/);
  });

  test('rejects if the port is in use', async () => {
    await using sandbox = await startSandbox({ platforms: [] });
    using folder = temporaryFolder();

    const second = startSandbox({ platforms: [], port: Number(new URL(sandbox.url).port), file: `${folder.path}/s.sqlite` });

    await expect(second).rejects.toThrow(/EADDRINUSE/);
  });

  test('ends a request whose body never ends', async () => {
    await using sandbox = await startSandbox({ requestTimeoutMs: 100 });

    expect(await trickle(`${sandbox.url}/social/api/createPost`)).toContain('HTTP/1.1 408 ');
  });

  test.for([
    'twitch/helix/users',
    'kick/public/v1/users',
    'discord',
    'social/api/search',
    'assistant/models',
    'x/2/users/me',
    'control/now',
    'none',
  ])('refuses /%s under the name of a web page', async (path) => {
    await using sandbox = await startSandbox();
    const statusOf = async (host: string): Promise<number> => {
      const { statusCode, body } = await request(`${sandbox.url}/${path}`, { headers: { host } });
      await body.dump();
      return statusCode;
    };

    expect([await statusOf('evil.example'), await statusOf('127.0.0.1.evil.example')]).toEqual([403, 403]);
    expect(await statusOf(`localhost:${new URL(sandbox.url).port}`)).not.toBe(403);
  });

  test('uses the given clock and speed', async () => {
    const manual = new ManualClock('2026-11-20T18:00:00Z');
    await using sandbox = await startSandbox({ platforms: [], clock: manual, speed: 60 });

    await manual.advance(60_000);

    expect(sandbox.clock.nowMs()).toBe(Date.parse('2026-11-20T19:00:00Z'));
    const answer = await fetch(`${sandbox.url}/control/now`);
    expect(await answer.json()).toEqual({ now: '2026-11-20T19:00:00.000Z', speed: 60, movable: false });
  });

  test('keeps its world and its orders after a restart', async () => {
    using folder = temporaryFolder();
    const options = { platforms: [], file: `${folder.path}/sandbox.sqlite`, seed: 9, clock: new ManualClock() };
    const atMs = options.clock.nowMs() + HOUR_MS;
    const first = await startSandbox(options);
    first.world.order({ do: 'goLive', user: 'ada', title: 'Kept' }, options.clock.nowMs());
    const live = first.world.liveAt(atMs);
    await first[Symbol.asyncDispose]();

    await using second = await startSandbox(options);

    expect(second.world.liveAt(atMs)).toEqual(live);
    expect(live.map(({ title }) => title)).toContain('Kept');
  });

  test('answers unknown paths with a 404 in JSON', async () => {
    await using sandbox = await startSandbox({ platforms: [] });

    const answer = await fetch(`${sandbox.url}/nothing/here`);

    expect([answer.status, await answer.json()]).toEqual([404, { error: 'the sandbox has no route /nothing/here' }]);
  });
});

describe('WebSockets', () => {
  const echo: PlatformFactory = () => {
    const sockets = new WebSocketServer({ noServer: true });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    return {
      name: 'echo',
      routes: new Hono(),
      upgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head, (open) => sockets.emit('connection', open, request)),
      environment: () => ({}),
    };
  };

  test('reach the platform of their path', async () => {
    await using sandbox = await startSandbox({ platforms: [echo] });
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/echo/deeper?v=10`);
    await once(socket, 'open');

    socket.send('hello');
    const [data] = await once(socket, 'message');

    expect(String(data)).toBe('hello');
    socket.close();
  });

  test('are refused by platforms without WebSockets', async () => {
    await using sandbox = await startSandbox({ platforms: [echo] });

    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/twitch`);

    const [error] = await once(socket, 'error').catch((raised: unknown) => [raised]);
    expect(String(error)).toContain('404');
  });

  test('do not prevent the sandbox from stopping', async () => {
    const sandbox = await startSandbox({ platforms: [echo] });
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/echo`);
    await once(socket, 'open');
    const closed = once(socket, 'close');

    await sandbox[Symbol.asyncDispose]();

    await closed;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });
});
