import { describe, expect, test, vi } from 'vitest';
import { ACTIONS } from '#src/admin/actions/declarations.ts';
import type { ResendRefusal } from '#src/admin/actions/resend.ts';
import { describeApi } from '#src/web/api/description.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

const RULE = encodeURIComponent('games/Go');

test('every action has a route with its name', () => {
  const writes = Object.values(describeApi().paths).flatMap(({ post, patch, delete: remove }) =>
    [post, patch, remove].flatMap((one) => one?.operationId ?? []),
  );

  expect(new Set(writes)).toEqual(new Set([...Object.keys(ACTIONS), 'takeInteraction', 'receiveWebhook']));
});

test('a rule is paused until a time and resumed, and the log of actions has both', async () => {
  const { post, get } = await openApi();

  const paused = await post('/api/rules/games/pause', { body: { until: '2026-11-21T06:00:00+01:00' } });
  const again = await post(`/api/rules/${RULE}/resume`);
  const log = await get('/api/actions?target=games');

  expect(paused.json).toEqual({ rules: ['games/Chess', 'games/Go'], changed: ['games/Chess', 'games/Go'] });
  expect(again.json).toEqual({ rules: ['games/Go'], changed: ['games/Go'] });
  expect(log.json).toMatchObject({
    items: [
      {
        action: 'pauseRule',
        by: { name: 'local', via: 'api' },
        outcome: 'done',
        after: { 'games/Go': { until: '2026-11-21T05:00:00.000Z' } },
      },
    ],
  });
  expect(await get('/api/actions?action=resumeRule')).toMatchObject({ json: { items: [{ target: 'games/Go' }] } });
  expect(differencesFrom(operationOf('get', '/api/actions'), log)).toEqual([]);
  expect(differencesFrom(operationOf('post', '/api/rules/{rule}/pause'), paused)).toEqual([]);
});

test('a pause that ends in the past is refused', async () => {
  const { post } = await openApi();

  expect(await post('/api/rules/games/pause', { body: { until: '2026-11-20T17:00:00Z' } })).toMatchObject({
    status: 409,
    json: { code: 'pauseOver', detail: 'The end of a pause must be in the future.' },
  });
});

test.for([
  ['test', {}, { passed: true, cases: [{ rule: 'games', passed: true, text: 'ok' }] }],
  ['preview', { items: 3 }, { rule: 'games/Go', scenarios: [{ kind: 'goesLive', name: 'Ada', steps: [] }] }],
  ['replay', { since: '6h' }, { replays: [{ rule: 'games/Go', events: [] }], diagnostics: [] }],
  ['run', {}, { decisions: [], firings: 0 }],
] as const)('the answer of %s matches the description', async ([action, body, expected]) => {
  const { post } = await openApi({ run: () => Promise.resolve({ decisions: [], firings: [] }) });

  const answer = await post(`/api/rules/${RULE}/${action}`, { body });

  expect(answer).toMatchObject({ status: 200, json: expected });
  expect(differencesFrom(operationOf('post', `/api/rules/{rule}/${action}`), answer)).toEqual([]);
});

test('the text of the largest rule file can be replayed, in any script', async () => {
  const { post } = await openApi();

  expect(await post(`/api/rules/${RULE}/replay`, { body: { source: '語'.repeat(65_536) } })).toMatchObject({ status: 200 });
});

describe('a refusal is a problem with a code:', () => {
  test.for([
    ['/api/rules/none/pause', {}, 404, 'ruleNotFound'],
    ['/api/rules/none/run', {}, 404, 'ruleNotFound'],
    ['/api/rules/none/test', {}, 404, 'ruleNotFound'],
    ['/api/rules/none/replay', {}, 404, 'ruleNotFound'],
    [`/api/rules/${RULE}/replay`, { since: 'soon' }, 400, 'invalidBody'],
    [`/api/rules/${RULE}/run`, {}, 409, 'ruleNotRun'],
    ['/api/deliveries/none/resend', {}, 404, 'deliveryNotFound'],
    ['/api/deliveries/none/resolve', { resolution: 'sent' }, 404, 'deliveryNotFound'],
    ['/api/deliveries/none/answer', { choice: 'send' }, 404, 'questionNotFound'],
    ['/api/deliveries/none/mute-item', {}, 404, 'deliveryNotFound'],
  ] as const)('%s', async ([path, body, status, code]) => {
    const { post } = await openApi({ run: () => Promise.resolve(undefined) });

    const answer = await post(path, { body });

    expect(answer).toMatchObject({ status, type: 'application/problem+json', json: { status, code, type: 'about:blank' } });
    const route = path.replace(/(?<=rules\/)[^/]+/u, '{rule}').replace(/(?<=deliveries\/)[^/]+/u, '{delivery}');
    expect(differencesFrom(operationOf('post', route), answer)).toEqual([]);
  });

  test.for<ResendRefusal>([
    { kind: 'state', state: 'sent' },
    { kind: 'paused', by: 'ada' },
    { kind: 'muted', by: 'ada' },
    { kind: 'ruleGone' },
    { kind: 'ruleOff' },
    { kind: 'stepGone' },
    { kind: 'superseded' },
    { kind: 'tooOld' },
    { kind: 'otherRecord' },
  ])('a resend that is refused for $kind', async (refused) => {
    const { post } = await openApi({ actions: { resendDelivery: () => Promise.resolve({ refused }) } });

    const answer = await post('/api/deliveries/d1/resend');

    const { kind: code, ...data } = refused;
    expect(answer).toMatchObject({ status: 409, json: { code, ...data } });
    expect(differencesFrom(operationOf('post', '/api/deliveries/{delivery}/resend'), answer)).toEqual([]);
  });
});

describe('a write is refused', () => {
  test.for([
    ['with a wrong field', { items: 0, more: 1 }, { code: 'invalidBody', errors: [{ pointer: '/items' }, { pointer: '' }] }],
    ['without a field', {}, { code: 'invalidBody', errors: [{ pointer: '/items' }] }],
    ['with a body that is not JSON', '{"items":', { code: 'invalidBody' }],
    ['without a body', '', { code: 'invalidBody' }],
  ] as const)('%s', async ([, body, json]) => {
    const { post } = await openApi();

    expect(await post(`/api/rules/${RULE}/preview`, { body })).toMatchObject({ status: 400, json });
  });

  test.for([
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupportedMediaType'],
    ['as a text', { 'content-type': 'text/plain' }, 415, 'unsupportedMediaType'],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403, 'crossSite'],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }, 403, 'crossSite'],
    ['from another origin', { origin: 'http://evil.example' }, 403, 'crossSite'],
    ['from another port', { origin: 'http://127.0.0.1:1' }, 403, 'crossSite'],
    ['from a sandboxed frame', { origin: 'null' }, 403, 'crossSite'],
    ['over a proxy that changes its host', { origin: 'https://fanfare.example', 'sec-fetch-site': 'same-origin' }, 403, 'hostChanged'],
    ['under a foreign host', { host: 'evil.example' }, 403, 'hostNotAllowed'],
    ['over a proxy', { 'x-forwarded-for': '10.0.0.7' }, 403, 'proxyNotAllowed'],
    ['with a wrong key', { 'idempotency-key': 'two words' }, 400, 'invalidKey'],
  ] as const)('%s', async ([, headers, status, code]) => {
    const { post, store } = await openApi();

    const answer = await post('/api/rules/games/pause', { headers });

    expect(answer).toMatchObject({ status, json: { code } });
    expect(differencesFrom(operationOf('post', '/api/rules/{rule}/pause'), answer)).toEqual([]);
    expect((await store.auditLog.list()).items).toEqual([]);
  });

  test('with a large body', async () => {
    const { post } = await openApi();

    expect(await post('/api/rules/games/pause', { body: { until: 'x'.repeat(1_100_000) } })).toMatchObject({
      status: 413,
      json: { code: 'tooLarge' },
    });
  });
});

test('a page of the same origin may write', async () => {
  const { url, post } = await openApi();

  const answer = await post('/api/rules/games/pause', { headers: { origin: url, 'sec-fetch-site': 'same-origin' } });

  expect(answer.status).toBe(200);
});

test('the answer to a failed action hides the reason, and a 405 names the allowed methods', async () => {
  const { post } = await openApi({ actions: { runRule: () => Promise.reject(new Error('password is hunter2')) } });

  expect(await post(`/api/rules/${RULE}/run`)).toMatchObject({
    status: 500,
    json: { code: 'failed' },
    body: expect.not.stringContaining('hunter2'),
  });
  expect(await post('/api/rules')).toMatchObject({ status: 405, json: { code: 'methodNotAllowed' }, headers: { allow: 'GET, HEAD' } });
});

test.for(['/api/decisions', '/api/rules/games/episodes'])('%s is not sent again without a change', async (path) => {
  const { get } = await openApi();
  const { headers } = await get(path);

  const again = await get(path, { 'if-none-match': String(headers['etag']) });

  expect(again).toMatchObject({ status: 304, body: '' });
});

describe('If-Match', () => {
  test('accepts one of two actions of people who saw the same state', async () => {
    let checks = 0;
    const { get, post } = await openApi({ beforePause: () => vi.waitUntil(() => checks++ > 5, { timeout: 50_000 }) });
    const { headers } = await get(`/api/rules/${RULE}`);
    const seen = { 'if-match': String(headers['etag']) };
    const pause = (until: string) => post(`/api/rules/${RULE}/pause`, { headers: seen, body: { until } });

    const both = await Promise.all([pause('2026-11-21T06:00:00Z'), pause('2026-11-22T06:00:00Z')]);

    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
    expect(both.find(({ status }) => status === 412)).toMatchObject({ json: { code: 'changed' } });
    const now = await get(`/api/rules/${RULE}`);
    expect(now.headers['etag']).not.toBe(headers['etag']);
    expect(await post(`/api/rules/${RULE}/resume`, { headers: { 'if-match': String(now.headers['etag']) } })).toMatchObject({
      status: 200,
    });
  });

  test('a rule that does not exist matches nothing', async () => {
    const { get, post } = await openApi();

    expect(await post('/api/rules/none/pause', { headers: { 'if-match': '*' } })).toMatchObject({ status: 412 });
    expect(await get('/api/rules/none')).toMatchObject({ status: 404, json: { code: 'ruleNotFound' } });
  });
});
