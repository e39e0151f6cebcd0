import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, getJson, getText, launch, postJson, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WORKERS = 3;
/** One after the other, so each worker receives notifications. */
const STREAMERS = 6;
/** Streamers who are also live on Kick. */
const ON_KICK = ['grace', 'margaret'];

/** Without notifications, these rules would see a stream after up to an hour. */
const rules = (twitch: readonly string[], kick: readonly string[]) => ({
  'twitch.yaml': `
id: on-twitch
when: { every: 1h, watch: streaming.getStreams, account: twitch, with: { users: [${twitch.join(', ')}] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live on Twitch" } }
`,
  'kick.yaml': `
id: on-kick
when: { every: 1h, watch: streaming.getStreams, account: kick, with: { users: [${kick.join(', ')}] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live on Kick" } }
`,
});

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const EventSub = z.object({ subscriptions: z.object({ enabled: z.number() }) });
const Kick = z.object({ subscriptions: z.number() });

/** A public address whose requests to each path go to the processes in turn. */
async function startBalancer(): Promise<AsyncDisposable & { readonly url: string; readonly targets: FanfareProcess[] }> {
  const targets: FanfareProcess[] = [];
  const turns = new Map<string | undefined, number>();
  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // With one turn for all platforms, those of another one could take each turn of a process.
    const turn = turns.get(incoming.url) ?? 0;
    turns.set(incoming.url, turn + 1);
    const target = targets[turn % targets.length];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = incoming.headers;
    const { statusCode, body } = await request(`${target?.url}${incoming.url}`, {
      method: incoming.method === 'GET' ? 'GET' : 'POST',
      headers,
      body: incoming.method === 'GET' ? null : Buffer.concat(chunks),
      reset: true,
    });
    response.writeHead(statusCode).end(await body.text());
  }
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The accepted notifications of an account in a process. */
async function accepted({ url }: FanfareProcess, account: string): Promise<number> {
  const { text } = await getText(`${url}/metrics`);
  const labels = [`account="${account}"`, 'answer="accepted"'];
  const line = text
    .split('\n')
    .find((one) => one.startsWith('fanfare_notification_requests_total{') && labels.every((label) => one.includes(label)));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('on PostgreSQL, a notification that arrives at any worker brings the poll, and each stream is announced once', async () => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const sandbox = stack.use(await startSandbox({}));
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const balancer = stack.use(await startBalancer());
  const control = (path: string, body: object) => postJson(`${sandbox.url}/control${path}`, body);
  const people = sandbox.world.people
    .map(({ handle }) => handle)
    .filter((handle) => /^[a-z][a-z\d]+$/u.test(handle))
    .slice(0, STREAMERS);
  expect(people).toEqual(expect.arrayContaining(ON_KICK));
  for (const user of people) await control('/world', { do: 'end', user });
  mkdirSync(join(folder.path, 'rules'));
  for (const [name, source] of Object.entries(rules(people, ON_KICK))) writeFileSync(join(folder.path, 'rules', name), source);
  for (let worker = 0; worker < WORKERS; worker++) {
    const one = stack.use(
      await launch({
        environment: {
          ...sandbox.environment,
          FANFARE_DATA: join(folder.path, `data-${worker}`),
          FANFARE_RULES: join(folder.path, 'rules'),
          LOG_LEVEL: 'warn',
          DATABASE_URL: postgres.url,
          FANFARE_KEY: 'key-of-the-processes-in-this-test',
          FANFARE_PUBLIC_URL: balancer.url,
          TWITCH_EVENTSUB: 'webhook',
        },
      }),
    );
    balancer.targets.push(one);
    await untilReady(one);
  }
  await eventually('the subscriptions of Twitch', async () => {
    const { subscriptions } = EventSub.parse(await getJson(`${sandbox.url}/control/twitch/eventsub`));
    return subscriptions.enabled >= 2 * people.length;
  });
  await eventually(
    'those of Kick',
    async () => Kick.parse(await getJson(`${sandbox.url}/control/kick/events`)).subscriptions >= ON_KICK.length,
  );
  await control('/kick/events', { do: 'setWebhook', url: `${balancer.url}/hooks/notifications/kick` });
  await sleep(1_000);

  const posts = async () => Posts.parse(await getJson(`${sandbox.url}/control/posts`)).items.map(({ text }) => text);
  const expected: string[] = [];
  for (const user of people) {
    await control('/world', { do: 'goLive', user });
    expected.push(`${user} is live on Twitch`, ...(ON_KICK.includes(user) ? [`${user} is live on Kick`] : []));
    await eventually(`the posts about ${user}`, async () => (await posts()).length >= expected.length).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify(await posts())}\n${balancer.targets.map((one) => one.output()).join('\n')}`, { cause: error });
    });
  }
  // The repeats of the hints announce nothing again.
  await sleep(16_000);
  expect((await posts()).toSorted()).toEqual(expected.toSorted());
  const byWorker = (account: string) => Promise.all(balancer.targets.map((one) => accepted(one, account)));
  expect(Math.min(...(await byWorker('twitch')))).toBeGreaterThan(0);
  expect((await byWorker('kick')).reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(ON_KICK.length);
});
