import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { chosen } from '../support/property.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'a-token-of-the-sender-of-this-test';
const KILLS = 4;
const PER_KILL = 5;
/** The longest life of a process after its requests arrive: kills during the commits, and kills during the deliveries. */
const LIVES_MS = [20, 500];
const REPEATED_AFTER_MS = 25;
const SHARED = 12;

const RULE = `id: tips
when: { webhook: kofi, key: item.id, fields: { id: text, amount: integer } }
keep: { total: keep.total + item.amount }
then:
  - do: discord.send
    with: { channel: live, content: "tip \${{ item.id }} of \${{ item.amount }}, total \${{ keep.total }}" }
`;
const MESSAGE = /^tip (?<id>\S+) of (?<amount>\d+), total (?<total>\d+)$/u;

const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });
const Deliveries = z.object({ items: z.array(z.object({ state: z.string() })) });

interface Payload {
  readonly id: string;
  readonly amount: number;
}

/** Powers of two: each subset of the payloads has another sum, so the sum shows a missing and a repeated payload. */
const payloads = (count: number): readonly Payload[] => Array.from({ length: count }, (_, n) => ({ id: `t${n}`, amount: 2 ** n }));

interface Sender {
  /** Sends a payload until it is accepted. */
  deliver(payload: Payload, url: string): Promise<void>;
  /** The statuses of all answers. */
  readonly statuses: ReadonlySet<number>;
  /** How often a connection ended without an answer. */
  broken(): number;
}

function createSender(): Sender {
  const statuses = new Set<number>();
  let broken = 0;

  async function send(payload: Payload, url: string): Promise<number | undefined> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
    try {
      const { statusCode, body } = await request(`${url}/hooks/kofi`, {
        method: 'POST',
        headers,
        body: JSON.stringify(payload),
        reset: true,
      });
      await body.dump();
      statuses.add(statusCode);
      return statusCode;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      // A refused connection never had the request.
      if (error.code !== 'ECONNREFUSED') broken++;
      return undefined;
    }
  }

  return {
    statuses,
    broken: () => broken,
    async deliver(payload, url) {
      while ((await send(payload, url)) !== 202) await sleep(REPEATED_AFTER_MS);
    },
  };
}

/** The event of undici after it has written a request. */
const SENT = 'undici:client:sendHeaders';
const SentRequest = z.object({ request: z.object({ path: z.string() }) });

/** Resolves when the next payload was sent over a connection. */
function untilRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = (message: unknown): void => {
    if (!SentRequest.parse(message).request.path.startsWith('/hooks/')) return;
    unsubscribe(SENT, listener);
    resolve();
  };
  subscribe(SENT, listener);
  return promise;
}

interface Fixture extends AsyncDisposable {
  /** Starts a process, and resolves when it is ready. */
  start(port?: number): Promise<FanfareProcess>;
  /** Resolves when so many deliveries are sent. */
  sent(count: number, process: FanfareProcess): Promise<void>;
  /** The announced payloads, in order, with the sum after each. */
  announced(): Promise<readonly (Payload & { readonly total: number })[]>;
}

async function open(databaseUrl?: string): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox({}));
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  await mkdir(join(folder.path, 'rules'));
  await writeFile(join(folder.path, 'rules', 'tips.yaml'), RULE);
  let started = 0;
  const resources = stack.move();
  return {
    async start(port) {
      const environment = {
        ...sandbox.environment,
        FANFARE_DATA: join(folder.path, databaseUrl === undefined ? 'data' : `data-${started++}`),
        FANFARE_RULES: join(folder.path, 'rules'),
        FANFARE_WEBHOOK_KOFI_TOKEN: TOKEN,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, FANFARE_KEY: 'key-of-the-processes-of-this-test' }),
      };
      const process = await launch({ environment, ...(port !== undefined && { port }) });
      await untilReady(process);
      return process;
    },

    async sent(count, { url, output }) {
      const list = async () => Deliveries.parse(await getJson(`${url}/api/deliveries?limit=100`)).items;
      const areSent = async () => {
        const items = await list();
        return items.length >= count && items.every(({ state }) => state === 'sent');
      };
      await eventually('all deliveries are sent', areSent).catch(async (error: unknown) => {
        throw new Error(`${JSON.stringify(await list())}\n${output()}`, { cause: error });
      });
    },

    async announced() {
      const { items } = Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=live&limit=500`));
      const found = items.flatMap(({ content }) => {
        const { id, amount, total } = MESSAGE.exec(content)?.groups ?? {};
        return id === undefined ? [] : [{ id, amount: Number(amount), total: Number(total) }];
      });
      return found.toSorted((one, other) => one.total - other.total);
    },

    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** Checks that each payload was announced once, and that the sum of the rule has each payload once. */
function expectOnce(announced: Awaited<ReturnType<Fixture['announced']>>, all: readonly Payload[]): void {
  const byId = (one: Payload, other: Payload): number => one.id.localeCompare(other.id);
  expect(announced.map(({ id, amount }) => ({ id, amount })).toSorted(byId)).toEqual(all.toSorted(byId));
  let sum = 0;
  const sums = announced.map(({ amount }) => (sum += amount));
  expect(announced.map(({ total }) => total)).toEqual(sums);
  expect(sum).toBe(2 ** all.length - 1);
}

const DATABASES = [
  ['SQLite', () => Promise.resolve(undefined)],
  ['PostgreSQL', () => startPostgres()],
] as const;

test.for([chosen(DATABASES, 1)])(
  'on %s, each payload fires once, though the process is killed while senders repeat their requests',
  async ([, openDatabase]) => {
    await using database = await openDatabase();
    await using fixture = await open(database?.url);
    const port = await freePort();
    const sender = createSender();
    const all = payloads(KILLS * PER_KILL);
    const delivering: Promise<void>[] = [];

    let process = await fixture.start(port);
    for (let kill = 0; kill < KILLS; kill++) {
      const { url } = process;
      const before = sender.broken();
      const [last, ...arriving] = all.slice(kill * PER_KILL, (kill + 1) * PER_KILL);
      delivering.push(...arriving.map((payload) => sender.deliver(payload, url)));
      await sleep(Math.random() * (LIVES_MS[kill % LIVES_MS.length] ?? 0));
      // A fast process can have answered all requests. It does not answer those that come while it stands still.
      process.signal('SIGSTOP');
      const requested = untilRequested();
      if (last) delivering.push(sender.deliver(last, url));
      await requested;
      await process.kill();
      await expect.poll(() => sender.broken()).toBeGreaterThan(before);
      process = await fixture.start(port);
    }
    await Promise.all(delivering);
    // Some senders repeat a request though it was accepted.
    for (const payload of all.filter((_, n) => n % 4 === 0)) await sender.deliver(payload, process.url);
    await fixture.sent(all.length, process);
    await process[Symbol.asyncDispose]();

    expect([202, 503]).toEqual(expect.arrayContaining([...sender.statuses]));
    expectOnce(await fixture.announced(), all);
  },
);

test('two processes on PostgreSQL that get each request at the same time fire once', async () => {
  await using database = await startPostgres();
  await using fixture = await open(database.url);
  const sender = createSender();
  const all = payloads(SHARED);
  await using first = await fixture.start();
  await using second = await fixture.start();

  for (const payload of all) await Promise.all([first, second, first, second].map(({ url }) => sender.deliver(payload, url)));
  await fixture.sent(all.length, first);

  expect(sender.broken()).toBe(0);
  expectOnce(await fixture.announced(), all);
});
