import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Client, Events } from 'discord.js';
import { z } from 'zod';
import { PUBLIC_KEY } from '#sandbox/discord/identity.ts';
import { madeAtMs } from '#sandbox/discord/snowflake.ts';
import { systemClock } from '#src/clock.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { callerOf } from '#src/discord/caller.ts';
import { allCommands } from '#src/discord/commands/all.ts';
import { openConnection } from '#src/discord/connection.ts';
import { dispatcher } from '#src/discord/dispatch.ts';
import { type EndpointAnswer, interactionsEndpoint, type SignedRequest } from '#src/discord/http/endpoint.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startWeb } from '#src/web/web.ts';
import { noOperations } from '../test/support/operations.ts';
import { FakeApiQueries } from '../test/support/fake-api-queries.ts';
import { chain, pagedBot } from '../test/support/paged-bot.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import type { LoadOrder, Outcomes } from './interactions-load.ts';

const PER_SECOND = 200;
const SECONDS = 15;
const WARM_UP_SECONDS = 3;
const P99_LIMIT_MS = 250;

const Begun = z.object({ environment: z.record(z.string(), z.string()) });
const Interaction = z.object({ t: z.literal('INTERACTION_CREATE'), d: z.object({ id: z.string() }) });
const Done = z.object({ outcomes: z.record(z.string(), z.number()) });

/** Sends 200 commands, autocompletions and buttons per second over the gateway and HTTP, and measures the time to the response in this process. */
export async function interactions(): Promise<void> {
  for (const way of ['gateway', 'HTTP'] as const) await measure(way);
}

async function measure(way: 'gateway' | 'HTTP'): Promise<void> {
  const load = fork(join(import.meta.dirname, 'interactions-load.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { environment } = Begun.parse(await messageOf(load));
  using folder = temporaryFolder();
  await using bot = await openBot(way, { environment, folder: folder.path });

  await run(load, { perSecond: PER_SECOND, seconds: WARM_UP_SECONDS, endpoint: bot.endpoint });
  bot.waits.length = 0;
  const cpu = process.cpuUsage();
  const beganMs = performance.now();
  const outcomes = await run(load, { perSecond: PER_SECOND, seconds: SECONDS, endpoint: bot.endpoint });
  const tookMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(cpu);
  load.disconnect();

  const handling = sorted(bot.waits.map(({ handlingMs }) => handlingMs));
  const all = sorted(bot.waits.map(({ allMs }) => allMs));
  const answered = (outcomes['message'] ?? 0) + (outcomes['choices'] ?? 0) + (outcomes['update'] ?? 0);
  print(`interactions over ${way}`, `${((handling.length * 1000) / tookMs).toFixed(0)}/s`);
  print('  answered', `${answered} of ${PER_SECOND * SECONDS}`);
  print('  from arrival to REST, p50', `${at(handling, 0.5).toFixed(1)} ms`);
  print('  p99', `${at(handling, 0.99).toFixed(1)} ms`, `${P99_LIMIT_MS} ms`);
  print('  with the way to us, p50', `${at(all, 0.5).toFixed(0)} ms`);
  print('  p99', `${at(all, 0.99).toFixed(0)} ms`);
  print('  share of the core', `${((user + system) / 10 / tookMs).toFixed(0)} %`);
  if (answered < PER_SECOND * SECONDS) console.log(outcomes);
  if (answered < PER_SECOND * SECONDS || !(at(handling, 0.99) < P99_LIMIT_MS)) process.exitCode = 1;
}

/** The time of an interaction until its first response is passed to the network. */
interface Wait {
  /** From the arrival at discord.js or at the endpoint. */
  readonly handlingMs: number;
  /** From the creation by Discord, with the time on the network and in queues. */
  readonly allMs: number;
}

interface Measured extends AsyncDisposable {
  readonly waits: Wait[];
  readonly endpoint: string | undefined;
}

async function openBot(
  way: 'gateway' | 'HTTP',
  { environment, folder }: { readonly environment: Readonly<Record<string, string>>; readonly folder: string },
): Promise<Measured> {
  const { DISCORD_TOKEN: token = '', DISCORD_GUILD_ID: id = '', DISCORD_API_URL: apiUrl } = environment;
  const stopping = new AbortController();
  const { signal } = stopping;
  const log = createLog({ level: 'info', secrets: [], write: () => undefined, color: false });
  const store = await openStore({ file: join(folder, 'fanfare.sqlite') });
  const pages = Array.from({ length: 5 }, (_, page) => Array.from({ length: 20 }, (__, item) => `${page}-${item}`));
  const streaming = new Map([['demo', pagedBot(chain(...pages)).bot]]);
  const commands = allCommands({ streaming, social: new Map(), savedViews: store.savedViews, clock: systemClock, log, signal });
  const servers = [{ account: 'discord', id, zone: 'UTC' }];
  const settings = { ...DEFAULT_DISCORD_SETTINGS, gateway: way === 'gateway' };
  const waits: Wait[] = [];
  const arrival: Arrival = { atMs: undefined };
  const online = openConnection({
    token,
    apiUrl,
    servers,
    settings,
    commands,
    handle: dispatcher({ commands, callerOf: (interaction) => callerOf(interaction, { servers, settings, signal }), log, signal }),
    prepare: (client) => watch(client, waits, arrival),
    clock: systemClock,
    log,
    signal,
  });
  await online.client;
  const take = interactionsEndpoint({
    publicKey: PUBLIC_KEY,
    deliver: (interaction) => online.deliver(interaction),
    clock: systemClock,
    log,
  });
  function takeInteraction(request: SignedRequest): EndpointAnswer {
    arrival.atMs = performance.now();
    const answer = take(request);
    arrival.atMs = undefined;
    return answer;
  }
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    apiQueries: new FakeApiQueries(),
    operations: noOperations,
    takeInteraction,
    clock: systemClock,
    log,
  });
  return {
    waits,
    endpoint: way === 'HTTP' ? `${web.url}/discord/interactions` : undefined,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await online[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The arrival of the current HTTP interaction. */
interface Arrival {
  atMs: number | undefined;
}

/** Records the arrival of each interaction and the time of its first response. */
function watch(client: Client, waits: Wait[], arrival: Arrival): void {
  const arrivedAtMs = new Map<string, number>();
  client.on(Events.Raw, (packet: unknown) => {
    const { data } = Interaction.safeParse(packet);
    if (data) arrivedAtMs.set(data.d.id, arrival.atMs ?? performance.now());
  });
  const { options } = client.rest;
  const makeRequest = options.makeRequest.bind(options);
  client.rest.options.makeRequest = (url, init) => {
    const [, interaction] = /\/interactions\/(\d+)\/[^/]+\/callback/.exec(url) ?? [];
    const atMs = arrivedAtMs.get(interaction ?? '');
    if (interaction !== undefined && atMs !== undefined) {
      waits.push({ handlingMs: performance.now() - atMs, allMs: Date.now() - madeAtMs(interaction) });
      // Later reports for the same interaction are repeats.
      arrivedAtMs.delete(interaction);
    }
    return makeRequest(url, init);
  };
}

async function run(load: ChildProcess, order: LoadOrder): Promise<Outcomes> {
  load.send(order);
  return Done.parse(await messageOf(load)).outcomes;
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

function sorted(figures: readonly number[]): readonly number[] {
  return figures.toSorted((a, b) => a - b);
}

function at(figures: readonly number[], share: number): number {
  return figures[Math.floor((figures.length - 1) * share)] ?? Number.NaN;
}

function print(what: string, figure: string, limit?: string): void {
  console.log(`${what.padEnd(32)} ${figure.padStart(8)}${limit === undefined ? '' : `   limit ${limit}`}`);
}
