import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { FaultOrder } from '#sandbox/faults.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { Random } from '../chaos/random.ts';
import { eventually, getJson, launch, postJson, untilReady, type FanfareProcess } from './fanfare-process.ts';
import { startPostgres } from './postgres.ts';
import { chosen, seed } from './property.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The longest time between the beginning of a request and the kill. A slot or a delivery is stored by then. */
const LONGEST_MS = 60;
/** The time after which the connection of a lost request ends. All kills come before. */
const LOST_AFTER_MS = 200;

/** The place of the state, the number of processes that share it, and the most that are killed at once. Few kills, because a start takes a second of CPU, and each run has others. */
const STATES = {
  'in a file, with one process': { processes: 1, mostKilled: 1, kills: 3, isOnPostgres: false },
  'on PostgreSQL, with three workers': { processes: 3, mostKilled: 2, kills: 2, isOnPostgres: true },
} as const;

/** The state of a test in this run. Tests with even and with odd numbers have different ones, and runs with other seeds exchange them. */
export function stateOf(number: number): keyof typeof STATES {
  return chosen(['in a file, with one process', 'on PostgreSQL, with three workers'], number);
}

const Connections = z.object({ connections: z.int() });
const Decisions = z.object({ items: z.array(z.object({ rule: z.string() })) });
const Deliveries = z.object({
  items: z.array(z.object({ id: z.string(), rule: z.string(), do: z.string(), state: z.string(), firing: z.string().optional() })),
  cursor: z.string().optional(),
});

/** A delivery of the HTTP API. */
type SeenDelivery = z.output<typeof Deliveries>['items'][number];

/** A request of Fanfare to the sandbox. */
type AwaitedRequest = Pick<FaultOrder, 'platform' | 'method' | 'route'>;

interface KillOptions {
  /** Whether a request of this kind does not reach the platform. */
  readonly isLost?: boolean;
}

/** Fanfare on the sandbox, in processes that a test kills. */
export interface KilledFanfare extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Random numbers from the seed of the run. */
  readonly random: Random;
  /** The JSON answer of a path below `/api`. */
  api(path: string): Promise<unknown>;
  /** Sends an order to a path below `/control` of the sandbox. */
  order(path: string, body: object): Promise<unknown>;
  /** Sends an action to a path below `/api`, again if its process is killed before it answers. */
  act(path: string, body: object): Promise<unknown>;
  /** The JSON answer of a path below `/control` of the sandbox. */
  seen(path: string): Promise<unknown>;
  /** How often a test kills processes. */
  readonly kills: number;
  /** Acts, waits for the next request of this kind, kills a random number of processes a random time later, and starts as many again. */
  killDuring(awaited: AwaitedRequest, act: () => Promise<unknown>, options?: KillOptions): Promise<void>;
  /** All deliveries of a rule. */
  deliveriesOf(rule: string): Promise<readonly SeenDelivery[]>;
  /** The complete output of all processes. */
  output(): string;
}

interface Options {
  readonly state: keyof typeof STATES;
  /** The rules by name of the file. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Rules that poll nothing, by name of the file. */
  readonly commands?: Readonly<Record<string, string>>;
}

/** Starts the processes, and waits until each rule that polls had its first poll. */
export async function openKilledFanfare({ state, rules = {}, commands = {} }: Options): Promise<KilledFanfare> {
  const { processes, mostKilled, kills, isOnPostgres } = STATES[state];
  await using stack = new AsyncDisposableStack();
  const postgres = isOnPostgres ? stack.use(await startPostgres({ isDurable: true })) : undefined;
  const sandbox = stack.use(await startSandbox({}));
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  await mkdir(join(folder.path, 'rules'));
  for (const [name, text] of Object.entries({ ...rules, ...commands })) await writeFile(join(folder.path, 'rules', `${name}.yaml`), text);
  const random = new Random(seed, state);
  const running: FanfareProcess[] = [];
  const all: FanfareProcess[] = [];
  stack.defer(async () => void (await Promise.all(running.map((one) => one[Symbol.asyncDispose]()))));

  async function start(): Promise<void> {
    const one = await launch({
      environment: {
        ...sandbox.environment,
        FANFARE_DATA: join(folder.path, postgres ? `data-${all.length}` : 'data'),
        FANFARE_RULES: join(folder.path, 'rules'),
        ...(postgres && { DATABASE_URL: postgres.url, FANFARE_KEY: 'key-of-the-processes-in-this-test' }),
      },
    });
    running.push(one);
    all.push(one);
    await untilReady(one);
  }

  const seen = (path: string) => getJson(`${sandbox.url}/control${path}`);
  const api = (path: string) => getJson(`${running.at(-1)?.url}/api${path}`);
  const isConnected = async () =>
    void (await eventually('Discord is connected', async () => Connections.parse(await seen('/discord')).connections === 1));

  /** Kills random processes after the delay of a request has begun, and starts as many again. */
  async function restartSome(): Promise<void> {
    while (sandbox.faults.all().some(({ kind }) => kind === 'delay')) await sleep(1);
    await sleep(random.between(0, LONGEST_MS));
    const killed = random.shuffled(running).slice(0, random.between(1, mostKilled));
    for (const one of killed) running.splice(running.indexOf(one), 1);
    await Promise.all(killed.map((one) => one.kill()));
    await Promise.all(killed.map(start));
  }

  for (let count = 0; count < processes; count++) await start();
  await isConnected();
  await eventually('the first polls', async () => {
    const decided = new Set(Decisions.parse(await api('/decisions?limit=100')).items.map(({ rule }) => rule));
    return Object.keys(rules).every((name) => decided.has(name));
  });
  const resources = stack.move();
  return {
    sandbox,
    random,
    api,
    seen,

    order: (path, body) => postJson(`${sandbox.url}/control${path}`, body),
    act: (path, body) => eventually(`an answer of ${path}`, () => postJson(`${running.at(-1)?.url}/api${path}`, body)),

    kills,

    async killDuring(awaited, act, { isLost = false } = {}) {
      // The delay shows when the request arrives.
      sandbox.faults.add({ kind: 'delay', ms: isLost ? LOST_AFTER_MS : 0, times: 1, ...awaited });
      if (isLost) sandbox.faults.add({ kind: 'resetBefore', times: 1, ...awaited });
      await Promise.all([act(), restartSome()]);
      await isConnected();
    },

    async deliveriesOf(rule) {
      const items: SeenDelivery[] = [];
      let cursor: string | undefined;
      do {
        const page = Deliveries.parse(await api(`/deliveries?limit=100&rule=${rule}${cursor === undefined ? '' : `&cursor=${cursor}`}`));
        items.push(...page.items);
        ({ cursor } = page);
      } while (cursor !== undefined);
      return items;
    },

    output: () => all.map((one, index) => `process ${index}:\n${one.output()}`).join('\n'),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
