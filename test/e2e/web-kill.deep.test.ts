import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, firstRunToken, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { Browser } from '../web/auth/browser.ts';

const NAME = 'fanfare.example';
const PASSWORD = 'correct horse battery';
const READERS = 4;
const KILLS = 2;

const RULE = `id: live
when: { every: 1h, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - do: discord.send
    with: { channel: live, content: hi }
`;

const Session = z.object({ csrfToken: z.string() });
const Actions = z.object({ items: z.array(z.object({ action: z.string(), by: z.object({ name: z.string() }) })) });

test('sessions, actions and event streams continue while web processes with one address are killed', async () => {
  await using postgres = await startPostgres();
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder({ inMemory: true });
  const rules = join(folder.path, 'rules');
  await mkdir(rules);
  await writeFile(join(rules, 'live.yaml'), RULE);
  const environment = {
    ...sandbox.environment,
    DATABASE_URL: postgres.url,
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: rules,
    FANFARE_ALLOWED_HOSTS: NAME,
    FANFARE_TRUSTED_PROXIES: '127.0.0.1',
  };
  const start = async (): Promise<FanfareProcess> => {
    const fanfare = await launch({ args: ['start', '--role', 'web'], environment });
    await untilReady(fanfare);
    return fanfare;
  };
  const first = await start();
  await using balancer = await balance([first, await start()]);
  const token = await firstRunToken(first);
  const browser = new Browser(balancer);
  expect((await browser.submit('/sign-in/first-run', { token, name: 'Ada', password: PASSWORD })).status).toBe(303);
  const session = await browser.request('/api/session', { headers: { accept: 'application/json' } });
  const { csrfToken: csrf } = Session.parse(await session.json());

  const failed: number[] = [];
  let isDone = false;
  const reading = Array.from({ length: READERS }, async () => {
    while (!isDone) {
      const { status } = await browser.request('/api/rules', { headers: { accept: 'application/json' } });
      if (status !== 200) failed.push(status);
      await sleep(20);
    }
  });
  const act = async (name: 'pause' | 'resume', key: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf, 'idempotency-key': key, origin: `http://${NAME}` };
    const { status } = await browser.request(`/api/rules/live/${name}`, { method: 'POST', headers, body: '{}' });
    return status;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const events = await browser.request('/api/events', { headers: { accept: 'text/event-stream' } });
    const stream = events.body?.getReader();
    const [victim] = balancer.processes;
    const doing = kill % 2 === 0 ? 'pause' : 'resume';
    const answer = act(doing, `key-${kill}`);
    await victim?.kill();

    // The client does not know whether its action happened, and repeats it.
    await answer.catch(() => undefined);
    await eventually('the action', async () => (await act(doing, `key-${kill}`)) === 200);
    await stream?.cancel().catch(() => undefined);
    expect((await browser.request('/api/events', { headers: { 'last-event-id': 'of-the-killed-process:1' } })).status).toBe(200);
    balancer.processes.push(await start());
  }
  isDone = true;
  await Promise.all(reading);

  const { items } = Actions.parse(await (await browser.request('/api/actions', { headers: { accept: 'application/json' } })).json());
  const names = items.filter(({ action }) => action.endsWith('Rule')).map(({ action, by }) => `${by.name} ${action}`);
  // A repeat after a kill between the action and its answer acts again, without effect.
  const actions = names.toReversed().filter((name, index, all) => name !== all[index - 1]);
  expect(actions).toEqual(Array.from({ length: KILLS }, (_, kill) => `Ada ${kill % 2 === 0 ? 'pauseRule' : 'resumeRule'}`));
  expect(failed).toEqual([]);
});

interface Balancer extends AsyncDisposable {
  /** The processes behind the address. A killed one is removed when a request finds out. */
  readonly processes: FanfareProcess[];
  request: ConstructorParameters<typeof Browser>[0]['request'];
}

/** A load balancer: sends each request to the next process, and a request that only reads to another one if its process ends. */
async function balance(processes: FanfareProcess[]): Promise<Balancer> {
  let turn = 0;

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const process = processes[turn++ % processes.length];
    if (!process) return void response.writeHead(502).end();
    const fail = (): void => {
      // The client left, which is no failure of the process.
      if (response.closed) return;
      const at = processes.indexOf(process);
      if (at !== -1 && processes.length > 1) processes.splice(at, 1);
      if (response.headersSent) response.destroy();
      else if (request.method === 'GET') pass(request, response);
      else response.writeHead(502).end();
    };
    const { port } = new URL(process.url);
    const headers = { ...request.headers, host: NAME, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'http' };
    // A process closes idle connections, which is no failure either.
    const outgoing = forward({ port, path: request.url, method: request.method, headers, agent: false }, (incoming) => {
      incoming.on('error', fail);
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
    outgoing.on('error', fail);
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }

  // Idle connections stay, because a slow machine could close one that a request is on its way to.
  const server = createServer({ keepAliveTimeout: 0 }, pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    processes,
    async request(url, init) {
      const { pathname, search } = new URL(url);
      const { status, headers, body } = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { ...init, redirect: 'manual' });
      return new Response(body, { status, headers: [...headers] });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
