import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { adapters } from '#adapters/index.ts';
import { createAccountHealth } from './app/account-health.ts';
import { accountsOf } from './app/accounts.ts';
import { catalogue } from './app/catalogue.ts';
import { createClients } from './app/clients.ts';
import { connectDiscord } from './app/connect-discord.ts';
import { createEngine } from './app/engine.ts';
import { createFeed } from './app/feed.ts';
import { isOn } from './app/is-on.ts';
import { createViews } from './app/views.ts';
import { systemClock } from '#src/clock.ts';
import { readConfig, secretsOf, type Config } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { createLog, type Log } from '#src/log.ts';
import { loadRules } from '#src/rules/load.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import { runTicker } from '#src/scheduler/ticker.ts';
import { startSandbox } from '#src/sandbox/index.ts';
import { openStore } from '#src/store/store.ts';
import { startWeb } from '#src/web/web.ts';

export interface AppOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets each line of the log. */
  readonly write: (line: string) => void;
  readonly color: boolean;
}

/** Fanfare, running. */
export interface App extends AsyncDisposable {
  /** Where its page is. */
  readonly url: string;
  /** Whether the sandbox plays: in this process, or elsewhere. */
  readonly sandbox: Config['sandbox'];
  /** The ids of the rules that run. */
  readonly rules: readonly string[];
  /** The rule files that cannot run, and how much is wrong with each. */
  readonly out: readonly { readonly file: string; readonly errors: number }[];
  /** What is wrong with rule files, for people. */
  readonly problems: readonly string[];
}

/** Starts everything: after it, rules run, steps are delivered, Discord is answered and the page is there. */
export async function startApp({ environment, write, color }: AppOptions): Promise<App> {
  const given = readConfig(environment);
  const log = createLog({ level: given.logLevel, secrets: secretsOf(given.credentials), write, color });
  await using stack = new AsyncDisposableStack();
  await makeDataDirectory(given);
  const config = given.sandbox === 'inside' ? await withSandbox(given, stack) : given;

  const stopping = new AbortController();
  const { signal } = stopping;
  const clock = systemClock;
  const feed = createFeed();
  const health = createAccountHealth(() => feed.publish({ kind: 'accounts' }));
  const store = stack.use(await openStore({ file: join(config.dataDirectory, 'fanfare.sqlite'), clock }));
  const { assistant: model } = config.credentials;
  const assistant = model && adapters.openai({ ...model, clock });
  const clients = createClients(platformsOf(config, log), clock, { assistant, keep: { transcripts: store.transcripts } });
  // What is at work until the end; the store is closed behind it, also where the start fails half-way.
  const work: Promise<void>[] = [];
  stack.defer(async () => {
    stopping.abort();
    await Promise.all(work);
  });

  const loaded = await loadRules({ paths: [config.rulesDirectory], catalogue, accounts: accountsOf(config) });
  const rules = loaded.rules.filter((rule) => isOn(rule, config));

  const { scheduler, outbox } = await createEngine({ rules, clients, store, feed, health, clock, log });
  const discord = connectDiscord({
    credentials: config.credentials,
    bot: clients.streaming.values().next().value,
    assistant,
    transcripts: store.transcripts,
    onChange: () => feed.publish({ kind: 'accounts' }),
    clock,
    log,
    signal,
  });
  work.push(discord.closed);
  const views = createViews({ config, clients, loaded, running: rules, scheduler, store, feed, discord, health, clock, signal });
  const web = stack.use(await startWeb({ host: config.host, port: config.port, views, clock, log, signal }));

  work.push(outbox.run(signal), runTicker({ clock, onTick: () => scheduler.tick(signal), log, signal }));
  // Goes first at the end: everybody stops at once.
  stack.defer(() => stopping.abort());

  const stopAll = stack.move();
  return {
    url: web.url,
    sandbox: config.sandbox,
    rules: rules.map(({ id }) => id),
    out: filesOut(loaded.problems),
    problems: loaded.problems.map((problem) => printProblem(problem, { color })),
    [Symbol.asyncDispose]: () => stopAll.disposeAsync(),
  };
}

async function makeDataDirectory({ dataDirectory }: Config): Promise<void> {
  try {
    await mkdir(dataDirectory, { recursive: true });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? `${String(cause.code)}: ` : '';
    throw new ConfigError('the folder for the state cannot be made', {
      file: dataDirectory,
      hint: `${code}point FANFARE_DATA at a folder that can be written to`,
    });
  }
}

/** The configuration with the accounts of a sandbox that plays in this process. */
async function withSandbox(config: Config, stack: AsyncDisposableStack): Promise<Config> {
  const file = join(config.dataDirectory, 'sandbox.sqlite');
  // The same port at every start, where it is free: addresses that stand in posts go on to work.
  const sandbox = stack.use(await startSandbox({ file, port: config.port + 1 }).catch(() => startSandbox({ file })));
  return { ...config, credentials: readConfig(sandbox.environment).credentials };
}

/** The adapters of all accounts that have credentials. */
function platformsOf({ credentials: { twitch, kick, discord, sandbox } }: Config, log: Log): Parameters<typeof createClients>[0] {
  const clock = systemClock;
  return {
    streaming: [...(twitch ? [adapters.twitch({ ...twitch, clock, log })] : []), ...(kick ? [adapters.kick({ ...kick, clock, log })] : [])],
    social: sandbox ? [adapters.sandbox({ ...sandbox, clock, log })] : [],
    discord: discord ? [adapters.discord({ ...discord, clock })] : [],
  };
}

function filesOut(problems: readonly { readonly file: string; readonly severity: string }[]): App['out'] {
  const errors = Map.groupBy(
    problems.filter(({ severity }) => severity === 'error'),
    ({ file }) => file,
  );
  return [...errors].map(([file, { length }]) => ({ file, errors: length }));
}
