import { describe, expect, onTestFinished, test } from 'vitest';
import { faultEffects } from '#sandbox/faults.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { feedServer } from '#sandbox/feeds/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { openStore } from '#src/store/store.ts';
import { describeApi } from '#src/web/api/description.ts';
import { FAULT_KINDS } from '#src/web/api/sandbox-records.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperations } from '../../support/operations.ts';
import { servePages } from '../../support/pages.ts';
import { openSite } from '../open-site.ts';
import { differencesFromSchema } from './answer-checks.ts';

const HOUR_MS = 3_600_000;
const json = { 'content-type': 'application/json' };

interface Opened {
  readonly sandbox: Sandbox;
  readonly get: (path: string) => Promise<Answer>;
  readonly send: (method: 'POST' | 'DELETE', path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function open({ isClockShared = true } = {}): Promise<Opened> {
  const sandbox = await startSandbox({ platforms: [twitchServer, feedServer], clock: new ManualClock(), isClockShared });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const { repeatedRequests } = await openStore();
  const { routes } = await openSite({ sandboxOrigin: sandbox.url, operations: { ...noOperations, repeatedRequests } });
  const read = async (answer: Response | Promise<Response>): Promise<Answer> => {
    const response = await answer;
    return { status: response.status, body: (await response.json()) as Answer['body'] }; // the API answers objects
  };
  return {
    sandbox,
    get: (path) => read(routes.request(path)),
    send: (method, path, body, headers = {}) =>
      read(routes.request(path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) })),
  };
}

/** The schema of the successful answer of an operation. */
function schemaOf(path: string, method: 'get' | 'post' | 'delete') {
  const { responses } = describeApi({ hasSandbox: true }).paths[path]?.[method] ?? {};
  const schema = responses?.['200']?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${method} ${path} has no answer`);
  return schema;
}

describe('with real accounts', () => {
  test.for(['/api/sandbox', '/api/sandbox/streamers', '/api/sandbox/world', '/api/sandbox/discord', '/api/sandbox/discord/interactions'])(
    '%s does not exist',
    async (path) => {
      const { routes } = await openSite();
      expect((await routes.request(path)).status).toBe(404);
      expect((await routes.request(path, { method: 'POST', headers: json, body: '{}' })).status).toBe(404);
    },
  );

  test('the description has no operation of the sandbox', async () => {
    const { routes } = await openSite();
    expect(await (await routes.request('/api/openapi.json')).text()).not.toMatch(/sandbox\/|"Sandbox/u);
  });
});

test('the description of a sandbox has its operations', async () => {
  const { get } = await open();
  const { body } = await get('/api/openapi.json');
  expect(Object.keys(body['paths'] as object)).toEqual(expect.arrayContaining(['/api/sandbox', '/api/sandbox/faults', '/api/rules'])); // an object
});

test('the kinds of faults are those of the sandbox', () => {
  expect([...FAULT_KINDS].toSorted()).toEqual(Object.keys(faultEffects).toSorted());
});

test('reads the clock, the platforms, the games and the faults', async () => {
  const { sandbox, get } = await open();
  sandbox.faults.add({ platform: 'twitch', kind: 'status', status: 503, times: 2 });

  const { status, body } = await get('/api/sandbox');

  expect([status, body]).toEqual([
    200,
    {
      now: new Date(sandbox.clock.nowMs()).toISOString(),
      speed: 1,
      movable: true,
      platforms: ['twitch', 'feeds'],
      games: sandbox.world.games.map(({ name }) => name),
      faults: [{ platform: 'twitch', kind: 'status', status: 503, times: 2 }],
    },
  ]);
  expect(differencesFromSchema(body, schemaOf('/api/sandbox', 'get'))).toEqual([]);
});

test('a streamer goes live, changes the game and ends', async () => {
  const { sandbox, get, send } = await open();

  const live = await send('POST', '/api/sandbox/world', { do: 'goLive', user: 'ada', game: 'Chess', title: 'Rooks', viewers: 9_000_000 });
  const listed = await get('/api/sandbox/streamers?text=ada&state=live&limit=1');
  await send('POST', '/api/sandbox/world', { do: 'changeGame', user: 'ada', game: 'Minecraft' });
  const [changed] = sandbox.world.liveAt(sandbox.clock.nowMs());
  await send('POST', '/api/sandbox/world', { do: 'end', user: 'ada' });

  expect(live).toMatchObject({ status: 200, body: { broadcastId: expect.any(String) } });
  expect(listed.body['items']).toMatchObject([{ user: { handle: 'ada' }, live: { game: { name: 'Chess' }, viewers: 9_000_000 } }]);
  expect(differencesFromSchema(listed.body, schemaOf('/api/sandbox/streamers', 'get'))).toEqual([]);
  expect(changed).toMatchObject({ person: { handle: 'ada' }, game: { name: 'Minecraft' } });
  expect((await get('/api/sandbox/streamers?text=ada&state=live')).body['items']).toEqual([]);
});

test('a repeat with the same key changes nothing', async () => {
  const { sandbox, send } = await open();
  const order = { do: 'goLive', user: 'ada' };

  const first = await send('POST', '/api/sandbox/world', order, { 'idempotency-key': 'k1' });
  const again = await send('POST', '/api/sandbox/world', order, { 'idempotency-key': 'k1' });

  expect(again).toEqual(first);
  expect(sandbox.world.findBroadcast(String(first.body['broadcastId']), sandbox.clock.nowMs())).toBeDefined();
  expect((await send('POST', '/api/sandbox/world', { do: 'end', user: 'ada' }, { 'idempotency-key': 'k1' })).status).toBe(422);
});

test('adds faults and ends them', async () => {
  const { sandbox, send } = await open();

  const added = await send('POST', '/api/sandbox/faults', { platform: 'twitch', kind: 'delay', ms: 2000 });
  await send('POST', '/api/sandbox/faults', { platform: 'feeds', kind: 'status', status: 500, times: 1 });
  const left = await send('DELETE', '/api/sandbox/faults', { platform: 'twitch' });

  expect(added.body).toEqual({ items: [{ platform: 'twitch', kind: 'delay', ms: 2000 }] });
  expect(left.body).toEqual({ items: [{ platform: 'feeds', kind: 'status', status: 500, times: 1 }] });
  expect((await send('DELETE', '/api/sandbox/faults', {})).body).toEqual({ items: [] });
  expect(sandbox.faults.all()).toEqual([]);
});

test('moves the clock', async () => {
  const { sandbox, send } = await open();
  const startMs = sandbox.clock.nowMs();

  const { status, body } = await send('POST', '/api/sandbox/clock', { speed: 5, forwardMs: HOUR_MS });

  expect([status, body]).toEqual([200, { now: new Date(startMs + HOUR_MS).toISOString(), speed: 5, movable: true }]);
});

test('publishes an article', async () => {
  const { send } = await open();
  const { status, body } = await send('POST', '/api/sandbox/articles', { feed: 'blog.example', title: 'Patch notes' });
  expect([status, body]).toEqual([200, { article: expect.any(String) }]);
});

describe('a refusal of the sandbox is a problem:', () => {
  test.for([
    ['/api/sandbox/world', { do: 'goLive', user: 'adda' }, 'Did you mean "ada"?'],
    ['/api/sandbox/world', { do: 'goLive', user: 'ada', game: 'Ches' }, 'Did you mean "Chess"?'],
    ['/api/sandbox/world', { do: 'end', user: 'ada', title: 'Bye' }, 'title: unknown field'],
    ['/api/sandbox/faults', { platform: 'twich', kind: 'status' }, 'Did you mean "twitch"?'],
    ['/api/sandbox/articles', { feed: 'https://fanfare.example/', title: 'x' }, 'feed'],
  ] as const)('%s %j', async ([path, body, text]) => {
    const { send } = await open();
    expect(await send('POST', path, body)).toMatchObject({
      status: 409,
      body: { code: 'sandboxRefused', detail: expect.stringContaining(text) },
    });
  });

  test('the clock of a sandbox in another process', async () => {
    const { send } = await open({ isClockShared: false });
    expect(await send('POST', '/api/sandbox/clock', { speed: 5 })).toMatchObject({ status: 409, body: { code: 'sandboxRefused' } });
  });
});

test.for([
  ['/api/sandbox/world', { do: 'format', user: 'ada' }],
  ['/api/sandbox/world', { do: 'end', user: 'ada', path: '/discord' }],
  ['/api/sandbox/faults', { platform: 'twitch', kind: 'fire' }],
  ['/api/sandbox/clock', { speed: 0 }],
  ['/api/sandbox/clock', { forwardMs: -1 }],
] as const)('a wrong body is refused before the sandbox gets it: %s %j', async ([path, body]) => {
  const { send } = await open();
  expect(await send('POST', path, body)).toMatchObject({ status: 400, body: { code: 'invalidBody' } });
});

test('only the described fields of an answer are passed on', async () => {
  await using pages = await servePages({
    '/control/now': '{"now":"2026-11-20T18:00:00.000Z","speed":1,"movable":true,"secret":"x"}',
    '/control/world': '{"platforms":[],"games":[],"secret":"x"}',
    '/control/faults': '{"items":[],"secret":"x"}',
  });
  const { routes } = await openSite({ sandboxOrigin: pages.url });
  expect(await (await routes.request('/api/sandbox')).text()).not.toContain('secret');
});

test('a sandbox that does not answer is a problem', async () => {
  const { routes } = await openSite({ sandboxOrigin: 'http://127.0.0.1:1' });
  const answer = await routes.request('/api/sandbox');
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'sandboxUnavailable' }]);
});
