import { describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { VIEW_PATHS } from '#src/web/views/paths.ts';
import { createApi } from '#src/web/api/api.ts';
import { describeApi } from '#src/web/api/description.ts';
import { decision, delivery, message, minutesAgo, NOW, person, post, rule, settledDecision, stream } from '../../support/view-records.ts';
import { noOperations } from '../../support/operations.ts';
import { openSite } from '../open-site.ts';
import { differencesFrom, differencesFromSchema, operationOf } from './answer-checks.ts';

const diagnostic = {
  severity: 'error',
  code: 'unknown-key',
  file: 'rules/a.yaml',
  line: 4,
  column: 3,
  path: 'when.evry',
  message: 'unknown key: evry',
  hint: 'did you mean every?',
  excerpt: '  evry: 1m',
} as const;

/** The server with records that have all optional fields, and records without them. */
async function openFull() {
  const opened = await openSite();
  const { apiQueries } = opened;
  const facts = { item: 'twitch/ada', episode: 'ada@1', details: { viewers: 12, names: ['ada'] } };
  apiQueries.decisionList = [decision(), decision(facts)];
  apiQueries.deliveryList = [
    delivery('d1'),
    delivery('d2', {
      state: 'failed',
      by: 'grace',
      dueAt: NOW,
      message: 'x: forbidden',
      omitted: [{ parameter: 'files', index: 0, message: 'too large' }],
    }),
    ...Array.from({ length: 60 }, (_, index) => delivery(`more${index}`, { sentAt: undefined, result: undefined })),
  ];
  apiQueries.ruleList = [
    rule('valorant-top', {
      lastDecision: settledDecision(facts),
      paused: { at: minutesAgo(2), by: 'grace' },
      lastUndelivered: 1,
      undelivered: { failed: 1, unknown: 0 },
      diagnostics: [diagnostic],
    }),
    rule('sandbox-only', { enabled: 'sandbox', on: false, lastDecision: undefined, nextRunAt: undefined, schedule: undefined }),
  ];
  apiQueries.streams = [stream('s1', { thumbnailUrl: 'https://example.test/1.jpg', language: 'en', mature: false })];
  apiQueries.timeline = [post('p1', { editedAt: NOW, replyTo: { postId: 'p0' } })];
  apiQueries.channelMessages = [message('m1', { editedAt: NOW, embeds: [{ title: 'Ada', fields: [{ name: 'Viewers', value: '12' }] }] })];
  apiQueries.metricList = [{ name: 'fanfare_rules', type: 'gauge', help: 'Rules.', samples: [{ value: 1 }] }];
  return opened;
}

/** Routes for the page in a browser. They are no API. */
const PAGE_ROUTES = /^\/(?:$|\*$|demo(?:\.|\/|$)|page\.|actions\.|views(?:\.|\/)|language$|favicon\.|sandbox-pictures\/)/u;

/** Platforms send these requests in their own protocols, which the documentation of each platform describes. */
const NOTIFICATION_ROUTES = /^\/hooks\/notifications\//u;

const VIEWS: ReadonlySet<string> = new Set(Object.values(VIEW_PATHS));

test('every route of the server is in the description, and the description has no other one', async () => {
  const { routes, apiQueries, clock } = await openSite({ sandboxOrigin: 'http://127.0.0.1:1', takeInteraction: () => ({ status: 202 }) });
  const { routes: api } = createApi({ ...noOperations, apiQueries, clock, log: silentLog, closing: new AbortController().signal });

  const served = [...routes.routes, ...api.routes]
    .filter(({ method, path }) => !PAGE_ROUTES.test(path) && !NOTIFICATION_ROUTES.test(path) && !VIEWS.has(path) && method !== 'ALL')
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`);
  const described = Object.entries(describeApi().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );

  expect(new Set(served)).toEqual(new Set(described));
});

describe('the answer matches the description:', () => {
  test.for([
    '/api/rules',
    '/api/decisions',
    '/api/decisions?limit=1',
    '/api/deliveries',
    '/api/deliveries?state=failed',
    '/api/live',
    '/api/posts',
    '/api/messages',
    '/api/openapi.json',
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/rules?wrong=1',
    '/api/decisions?limit=0',
    '/api/deliveries?cursor=elsewhere',
    '/api/live?wrong=1',
    '/api/posts?wrong=1',
    '/api/messages?wrong=1',
  ])('GET %s', async (path) => {
    const { routes } = await openFull();

    const answer = await routes.request(path);

    const body = await answer.text();
    expect(answer.status).toBe(/wrong|limit=0|elsewhere/u.test(path) ? 400 : 200);
    expect(differencesFrom(operationOf('get', path.replace(/\?.*/u, '')), toAnswered(answer, body))).toEqual([]);
    expect(body).not.toContain('"items":[]');
  });

  test('a server that is not ready', async () => {
    const { routes, apiQueries } = await openSite();
    apiQueries.readiness = { ready: false, message: 'Discord is not connected yet' };

    const answer = await routes.request('/readyz');

    expect(answer.status).toBe(503);
    expect(differencesFrom(operationOf('get', '/readyz'), toAnswered(answer, await answer.text()))).toEqual([]);
  });

  test.for([
    [503, new PlatformError('twitch is rate limited until 18:04.', { platform: 'twitch', fault: 'rateLimited' })],
    [500, new Error('a defect')],
  ] as const)('a failed read as %s', async ([status, error]) => {
    const { routes, apiQueries } = await openSite();
    apiQueries.live = () => Promise.reject(error);

    const answer = await routes.request('/api/live');

    expect(answer.status).toBe(status);
    expect(differencesFrom(operationOf('get', '/api/live'), toAnswered(answer, await answer.text()))).toEqual([]);
  });

  test.for(Object.entries(describeApi().paths).flatMap(([path, { get }]) => (get ? [path] : [])))(
    'GET %s under a foreign host name',
    async (path) => {
      const { routes } = await openSite();

      const answer = await routes.request(`http://evil.example${path}`);

      expect(answer.status).toBe(path === '/healthz' || path === '/readyz' ? 200 : 403);
      expect(differencesFrom(operationOf('get', path), toAnswered(answer, await answer.text()))).toEqual([]);
    },
  );

  test.for([
    { status: 200, body: { type: 1 } },
    { status: 202 },
    { status: 400, code: 'noInteraction', detail: 'It is none.' },
    { status: 401, code: 'notSigned', detail: 'It is not signed.' },
  ] as const)('an interaction with $status', async (response) => {
    const { routes } = await openSite({ takeInteraction: () => response });

    const answer = await routes.request('/discord/interactions', { method: 'POST', body: '{}' });

    expect(differencesFrom(operationOf('post', '/discord/interactions'), toAnswered(answer, await answer.text()))).toEqual([]);
  });

  test('an interaction that is too large', async () => {
    const { routes } = await openSite({ takeInteraction: () => ({ status: 202 }) });

    const answer = await routes.request('/discord/interactions', { method: 'POST', body: 'x'.repeat(2_000_000) });

    expect(answer.status).toBe(413);
    expect(differencesFrom(operationOf('post', '/discord/interactions'), toAnswered(answer, await answer.text()))).toEqual([]);
  });
});

test('the data of each event matches the description', async () => {
  const { routes, apiQueries } = await openSite();
  const { 'x-events': events = {} } = operationOf('get', '/api/events');
  const answer = await routes.request('/api/events');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();

  apiQueries.emit({ kind: 'delivery', item: delivery('d1') });
  apiQueries.emit({ kind: 'decision', item: decision() });
  for (const kind of ['live', 'posts', 'messages', 'rules', 'accounts', 'lists', 'actions', 'reset'] as const) apiQueries.emit({ kind });

  let text = '';
  while (!text.includes('event: reset\ndata: {}\n\n')) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  const sent = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gmu)].map(([, name = '', data = '']) => ({ name, data }));
  expect(differencesFrom(operationOf('get', '/api/events'), toAnswered(answer, ''))).toEqual([]);
  expect(sent.map(({ name }) => name)).toEqual(Object.keys(events));
  for (const { name, data } of sent) expect(differencesFromSchema(JSON.parse(data), events[name] ?? {})).toEqual([]);
});

test('the check finds fields that the description does not have', () => {
  const body = JSON.stringify({ items: [{ ...person('Ada'), surprise: 1 }] });

  const differences = differencesFrom(operationOf('get', '/api/decisions'), { status: 200, type: 'application/json', body });

  expect(differences).toContain('.items[0].surprise: nothing may stand here');
  expect(differences).toContain('.items[0].rule: is missing');
});

test.for(Object.entries(describeApi().components.schemas))('the example of %s matches its schema', ([, schema]) => {
  expect(schema.examples?.map((example) => differencesFromSchema(example, schema))).toEqual([[]]);
});

test('every field of a query, and every record, has a description', () => {
  const { paths, components } = describeApi();
  const parameters = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ parameters: all = [] }) => all));

  expect(parameters.filter(({ description }) => description === '')).toEqual([]);
  expect(JSON.stringify({ paths, components })).not.toMatch(/\$schema|\$id|__shared/u);
});

function toAnswered(answer: Response, body: string) {
  return { status: answer.status, type: answer.headers.get('content-type'), body };
}
