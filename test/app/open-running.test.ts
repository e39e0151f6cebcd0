import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openRunning } from '#src/app/open-running.ts';
import { openState } from '#src/app/stored-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A server on the loopback. Returns its port. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on a port has no other address
  return String(port);
}

/** The environment of a process that other machines can reach, so that a command needs a token. */
const reachable = { HOST: '0.0.0.0', FANFARE_ALLOWED_HOSTS: 'fanfare.example' };
const by = { name: 'ada', via: 'cli', role: 'admin' } as const;
const Done = z.object({ isDone: z.boolean() });

test('the token of a command is deleted when the command ends', async () => {
  using folder = temporaryFolder();
  const authorizations: (string | undefined)[] = [];
  const PORT = await serve(({ headers }, response) => {
    authorizations.push(headers.authorization);
    response.setHeader('Content-Type', 'application/json').end('{"isDone":true}');
  });
  const environment = { FANFARE_DATA: folder.path, ...reachable, PORT };
  const config = openConfig(environment);
  await (await openState(config))[Symbol.asyncDispose]();

  await openRunning(environment, by).post('/api/rules/a/run', {}, Done);

  // The first request asks whether the process works.
  expect(authorizations).toEqual([undefined, expect.stringMatching(/^Bearer \S+$/u)]);
  await using store = await openState(config);
  expect(await (await store.openAccess()).apiTokens.list()).toEqual([]);
  const audited = (await store.auditLog.list({})).items.map(({ action }) => action);
  expect(audited.toSorted()).toEqual(['createToken', 'revokeToken']);
});

test('a refusal of the process keeps its code', async () => {
  using folder = temporaryFolder();
  const PORT = await serve(({ url }, response) => {
    if (url !== '/healthz') response.statusCode = 404;
    response.end('{"code":"ruleNotFound","detail":"There is no rule a."}');
  });

  const posted = openRunning({ FANFARE_DATA: folder.path, PORT }, by).post('/api/rules/a/run', {}, Done);

  await expect(posted).rejects.toMatchObject({ code: 'ruleNotFound', message: 'There is no rule a.' });
});

test('a refusal of the fields of a command names each field', async () => {
  using folder = temporaryFolder();
  const errors = [
    { pointer: '/text', detail: 'Too big' },
    { pointer: '', detail: 'Unrecognized key' },
  ];
  const PORT = await serve(({ url }, response) => {
    if (url !== '/healthz') response.statusCode = 400;
    response.end(JSON.stringify({ code: 'invalidBody', detail: 'The body has wrong fields.', errors }));
  });

  const posted = openRunning({ FANFARE_DATA: folder.path, PORT }, by).post('/api/rules/a/run', {}, Done);

  await expect(posted).rejects.toMatchObject({ code: 'invalidBody', message: 'text: Too big\nUnrecognized key' });
});

/** How a connection breaks after a request arrived. */
const BREAKS: readonly { readonly when: string; readonly act: RequestListener }[] = [
  { when: 'before the answer', act: (_, response) => void response.destroy() },
  {
    when: 'within the answer',
    act: (_, response) => void response.writeHead(200, { 'Content-Length': '15' }).write('{"isDo', () => response.destroy()),
  },
];

/** A process that answers whether it works, and a post with the listeners in their order. */
async function serveBroken(posts: readonly RequestListener[]) {
  const requests: { readonly key: unknown; readonly token: string | undefined }[] = [];
  const port = await serve((request, response) => {
    if (request.url === '/healthz') return response.end('{}');
    const next = posts[requests.length];
    requests.push({ key: request.headers['idempotency-key'], token: request.headers.authorization });
    // The request has arrived completely.
    return request.resume().on('end', () => next?.(request, response));
  });
  return { port, requests };
}

test.for(BREAKS)('after a connection that breaks $when, the command asks for the answer with the same key', async ({ act }) => {
  using folder = temporaryFolder();
  const { port, requests } = await serveBroken([act, (_, response) => void response.end('{"isDone":true}')]);
  const environment = { FANFARE_DATA: folder.path, ...reachable, PORT: port };
  await (await openState(openConfig(environment)))[Symbol.asyncDispose]();

  const answer = await openRunning(environment, by).post('/api/rules/a/run', {}, Done);

  expect(answer).toEqual({ isDone: true });
  expect(requests).toHaveLength(2);
  // The key belongs to the token.
  expect(requests[1]).toEqual(requests[0]);
  expect(requests[0]).toEqual({ key: expect.stringMatching(/^[\da-f-]{36}$/u), token: expect.stringMatching(/^Bearer /u) });
});

const STILL_RUNNING: RequestListener = (_, response) =>
  void response.writeHead(409).end('{"code":"stillRunning","detail":"It still runs."}');

test.for([...BREAKS, { when: 'and the first request has no answer yet', act: STILL_RUNNING }])(
  'if the repeat has no answer either ($when), the command says that the action may be done',
  async ({ act }) => {
    const [{ act: lose }] = BREAKS as [(typeof BREAKS)[0]]; // it has two
    const { port, requests } = await serveBroken([lose, act]);

    const posted = openRunning({ PORT: port }, by).post('/api/rules/a/run', {}, Done);

    await expect(posted).rejects.toThrow(
      expect.objectContaining({
        name: 'UserError',
        message: expect.stringMatching(/^Fanfare stopped answering; the action may be done\.\n/u),
      }),
    );
    expect(requests).toHaveLength(2);
  },
);

test('a process that does not answer at all is a mistake of the configuration, and nothing is requested', async () => {
  const urls: (string | undefined)[] = [];
  const port = await serve((request, response) => {
    urls.push(request.url);
    response.destroy();
  });

  const posted = openRunning({ PORT: port }, by).post('/api/rules/a/run', {}, Done);

  await expect(posted).rejects.toThrow(
    expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining('no Fanfare answers') }),
  );
  expect(urls).toEqual(['/healthz']);
});
