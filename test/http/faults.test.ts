import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { PlatformError } from '#src/errors.ts';
import { httpClient, type HttpClientOptions } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp, type Reply } from '../support/script-http.ts';

function clientOf(baseUrl: string, options: Partial<HttpClientOptions> = {}) {
  return httpClient({ platform: 'demo', baseUrl, clock: new ManualClock(), ...options });
}

async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error: PlatformError) => error, // the assertions below check it
  );
}

test.for([
  [400, 'rejected'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'missing'],
  [409, 'rejected'],
  [422, 'rejected'],
  [429, 'rateLimited'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [302, 'malformed'],
] as const)('a write with a %i is %s', async ([status, fault]) => {
  await using server = await scriptHttp([['POST /things', { status, json: { error: 'No' } }]]);
  await using client = clientOf(server.url);

  const error = await failureOf(client.request({ method: 'POST', path: '/things', json: {} }));

  expect(error).toMatchObject({ name: 'PlatformError', platform: 'demo', fault, status });
});

test.for([
  [400, 'malformed'],
  [401, 'malformed'],
  [402, 'malformed'],
  [403, 'malformed'],
  [404, 'malformed'],
  [405, 'malformed'],
  [408, 'unavailable'],
  [410, 'malformed'],
  [413, 'malformed'],
  [422, 'malformed'],
  [429, 'rateLimited'],
  [451, 'malformed'],
  [503, 'unavailable'],
] as const)('a write with a %i and the page of a proxy is %s', async ([status, fault]) => {
  const page = { status, text: '<h1>No</h1>' };
  await using server = await scriptHttp([
    ['POST /things', page],
    ['POST /things', { ...page, text: 'No', headers: { 'content-type': 'text/html; charset=utf-8' } }],
  ]);
  await using client = clientOf(server.url, { faultOf: (answer) => (answer.status === 402 ? 'quotaExhausted' : undefined) });

  for (let count = 0; count < 2; count++) {
    const error = await failureOf(client.request({ method: 'POST', path: '/things', json: {} }));
    expect(error).toMatchObject({ fault, status });
  }
});

test('a platform that refuses with pages is believed', async () => {
  await using server = await scriptHttp([['POST /things', { status: 410, text: '<h1>No</h1>' }]]);
  await using client = clientOf(server.url);

  const error = await failureOf(client.request({ method: 'POST', path: '/things', refusesInPages: true }));

  expect(error).toMatchObject({ fault: 'rejected', status: 410 });
});

test('the adapter can override the meaning of a status', async () => {
  await using server = await scriptHttp([['POST /things', { status: 409, json: { error: 'exists' } }]]);
  await using client = clientOf(server.url, { faultOf: ({ text }) => (text.includes('exists') ? 'duplicate' : undefined) });

  const error = await failureOf(client.request({ method: 'POST', path: '/things', json: {} }));

  expect(error).toMatchObject({ fault: 'duplicate', status: 409 });
});

test.for([
  ['a page', { status: 404, text: '<h1>No</h1>' }, 'unavailable'],
  ['a page with status 403', { status: 403, text: '<h1>No</h1>' }, 'unavailable'],
  ['a number', { status: 404, text: '404' }, 'unavailable'],
  ['a word', { status: 404, text: 'Not Found', headers: { 'content-type': 'application/json' } }, 'unavailable'],
  ['nothing', { status: 404, text: '' }, 'missing'],
  ['JSON', { status: 404, json: { error: 'none' } }, 'missing'],
  ['JSON with the type of a text', { status: 403, text: '[]', headers: { 'content-type': 'text/plain' } }, 'forbidden'],
  ['a page with status 401', { status: 401, text: '<h1>No</h1>' }, 'malformed'],
  ['a word with status 401', { status: 401, text: 'Unauthorized', headers: { 'content-type': 'text/plain' } }, 'unauthorized'],
  ['a word with status 405', { status: 405, text: 'Method Not Allowed' }, 'malformed'],
] as const satisfies readonly (readonly [string, Reply, string])[])(
  '%s from a platform that refuses in JSON has its fault',
  async ([, reply, fault]) => {
    await using server = await scriptHttp([
      ['POST /things', reply],
      ['POST /others', reply],
    ]);
    await using client = clientOf(server.url, { refusesInJson: true, faultOf: () => undefined });

    const error = await failureOf(client.request({ method: 'POST', path: '/things' }));
    const other = await failureOf(client.request({ method: 'POST', path: '/others', refusesInJson: false }));

    expect(error).toMatchObject({ fault, status: reply.status });
    expect(other.fault).not.toBe('unavailable');
  },
);

test('the error names a challenge for browsers, and allows a later attempt', async () => {
  const challenge = { status: 403, text: '<title>Just a moment...</title>', headers: { 'cf-mitigated': 'challenge' } };
  await using server = await scriptHttp([['POST /things', challenge]]);
  await using client = clientOf(server.url, { faultOf: () => 'unauthorized' });

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'unavailable' });
  expect(error.message).toContain('lets only browsers through');
});

test('a redirect is an error that names the other address, if it has one', async () => {
  await using server = await scriptHttp([
    ['GET /things', { status: 301, headers: { location: 'https://example.invalid/api/things' } }],
    ['GET /things', { status: 301, headers: { location: '/api/things' } }],
  ]);
  await using client = clientOf(server.url);

  const error = await failureOf(client.request({ path: '/things' }));
  const other = await failureOf(client.request({ path: '/things' }));

  expect(error.message).toContain('it redirects to https://example.invalid; is that the address of the API');
  expect(other.message).not.toContain('redirects');
});

test('a refused connection is unreachable', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address() as AddressInfo; // it listened on a port
  await new Promise((resolve) => gone.close(resolve));
  await using client = clientOf(`http://127.0.0.1:${port}`);

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'unreachable' });
  expect(error.message).toContain('ECONNREFUSED');
});

test('an unknown host is unreachable', async () => {
  await using client = clientOf('http://nobody.invalid');

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'unreachable' });
});

test.for([
  ['drops the connection', { fail: 'before' }],
  ['breaks off in the middle of a success', { fail: 'within', text: '{"id":', headers: { 'content-length': '100' } }],
  ['does not respond', { fail: 'never' }],
] as const satisfies readonly (readonly [string, Reply])[])('a write is unanswered if the server %s', async ([, reply]) => {
  await using server = await scriptHttp([['POST /things', reply]]);
  await using client = clientOf(server.url, { timeoutMs: 300 });

  const error = await failureOf(client.request({ method: 'POST', path: '/things', json: { id: 1 } }));

  expect(error).toMatchObject({ fault: 'unanswered', status: undefined });
});

test('a failure with a truncated body is classified by its status, and by the beginning of the body', async () => {
  await using server = await scriptHttp([
    [
      'POST /things',
      { status: 403, fail: 'within', text: '{"error":"N', headers: { 'content-length': '100', 'content-type': 'application/json' } },
    ],
    ['POST /things', { status: 403, fail: 'within', text: '<html>', headers: { 'content-length': '100' } }],
  ]);
  await using client = clientOf(server.url);

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));
  const page = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'forbidden', status: 403 });
  expect(page).toMatchObject({ fault: 'malformed', status: 403 });
});

const Thing = z.object({ id: z.string() });

test.for([
  ['HTML', { text: '<html>sk-secret</html>' }, 'not JSON'],
  ['nothing', { text: '' }, 'nothing'],
  ['another shape', { json: { id: 77, note: 'sk-secret' } }, 'id: invalid_type'],
] as const satisfies readonly (readonly [string, Reply, string])[])(
  'a success with %s is malformed, and its body is not quoted',
  async ([, reply, why]) => {
    await using server = await scriptHttp([['GET /things', reply]]);
    await using client = clientOf(server.url);

    const error = await failureOf(client.request({ path: '/things' }).then((response) => response.json(Thing)));

    expect(error).toMatchObject({ fault: 'malformed', status: 200 });
    expect(error.message).toContain(why);
    expect(error.message).not.toContain('sk-secret');
  },
);

test('a web page is not a success of a write, even if the response is not read', async () => {
  await using server = await scriptHttp([['POST /things', { text: '\n<!DOCTYPE html><h1>Back soon</h1>' }]]);
  await using client = clientOf(server.url);

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'malformed', status: 200 });
});

test('a response without HTTP is malformed', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('SSH-2.0-sk-secret\r\n\r\n'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await using client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'malformed' });
  expect(inspect(error, { depth: Infinity })).not.toContain('sk-secret');
  await new Promise((resolve) => server.close(resolve));
});

test('a slow endless body ends with an error', async () => {
  const server = createHttpServer((_request, response) => {
    const drops = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drops));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await using client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs: 1_000 }); // it listens on a port

  const error = await failureOf(client.request({ method: 'POST', path: '/things' }));

  expect(error).toMatchObject({ fault: 'unanswered', message: expect.stringContaining('UND_ERR_BODY_TIMEOUT') });
  await new Promise((resolve) => server.close(resolve));
});
