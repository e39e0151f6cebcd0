import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountViews } from '#src/admin/queries/accounts.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { createConnectionStatus } from '#src/discord/connection-status.ts';
import { connectDiscord, type DiscordConnection } from '#src/discord/connect-discord.ts';
import { readinessOf } from '#src/admin/queries/readiness.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../support/discord-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Connected extends AsyncDisposable {
  readonly discord: DiscordConnection;
  readonly lines: readonly string[];
  /** How the page shows the account. */
  shown(): unknown;
}

async function connect(
  { sandbox }: DiscordSandbox,
  {
    file,
    environment = {},
    after,
  }: { readonly file?: string; readonly environment?: Readonly<Record<string, string>>; readonly after?: () => Promise<void> } = {},
): Promise<Connected> {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openStore({ file }));
  const config = configOfEnvironment({ ...sandbox.environment, ...environment });
  const stopping = new AbortController();
  const lines: string[] = [];
  const discord = connectDiscord({
    after,
    config,
    clients: { streaming: new Map(), social: new Map() },
    savedViews: store.savedViews,
    conversations: store,
    conversation: undefined,
    questions: { read: () => undefined, find: async () => undefined, onAnswer: async () => undefined },
    gatewayLock: store.gatewayLock,
    status: createConnectionStatus(() => undefined),
    clock: systemClock,
    log: createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false }),
    signal: stopping.signal,
  });
  stack.defer(async () => {
    stopping.abort();
    await discord.closed;
  });
  const health = createAccountHealth(() => undefined);
  const opened = stack.move();
  return {
    discord,
    lines,
    shown: () =>
      accountViews({ accounts: config.accounts, isSandbox: false, discord: discord.status, health }).map(({ state, problem }) => ({
        state,
        problem,
      })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const connectionsOf = async (discord: DiscordSandbox): Promise<number> =>
  (await discord.order<{ connections: number }>('/discord', undefined)).connections;

test('of two processes with the same data, one connects to Discord; the other reports it, and takes over', async () => {
  await using sandbox = await startDiscordSandbox();
  using folder = temporaryFolder({ inMemory: true });
  const file = join(folder.path, 'fanfare.sqlite');
  const first = await connect(sandbox, { file });
  await expect.poll(() => first.discord.status.state).toBe('connected');

  await using second = await connect(sandbox, { file });
  await expect.poll(() => second.discord.status.problem).toContain('another Fanfare');
  const connected = await connectionsOf(sandbox);
  await first[Symbol.asyncDispose]();

  await expect.poll(() => second.discord.status.state).toBe('connected');
  expect(second.discord.status.problem).toBe(undefined);
  expect(second.lines.filter((line) => line.includes('another Fanfare'))).toHaveLength(1);
  expect([connected, await connectionsOf(sandbox)]).toEqual([1, 1]);
});

test('after a final close of the gateway, Discord is reported as failed, with the remedy', async () => {
  await using sandbox = await startDiscordSandbox();
  await using connection = await connect(sandbox);
  await expect.poll(() => connection.discord.status.state).toBe('connected');
  const before = connection.shown();

  await sandbox.order('/discord/gateway', { do: 'close', code: 4004 });

  await expect.poll(() => connection.discord.status.state).toBe('failed');
  expect(before).toEqual([{ state: 'connected', problem: undefined }]);
  expect(connection.shown()).toEqual([{ state: 'failed', problem: expect.stringContaining('DISCORD_TOKEN') }]);
});

test('while the connection is restored, the status is connecting, and then connected', async () => {
  await using sandbox = await startDiscordSandbox();
  await using connection = await connect(sandbox);
  await expect.poll(() => connection.discord.status.state).toBe('connected');

  await sandbox.order('/discord/gateway', { do: 'invalidSession' });

  await expect.poll(() => connection.discord.status.state).toBe('restoring');
  expect(connection.shown()).toEqual([{ state: 'connecting', problem: undefined }]);
  await expect.poll(() => connection.discord.status.state).toBe('connected');
});

test.for([
  ['a token that Discord does not accept', { DISCORD_TOKEN: 'wrong' }, 'DISCORD_TOKEN'],
  ['a server that the bot is not in', { DISCORD_GUILD_ID: '42' }, 'DISCORD_GUILD_ID'],
] as const)('%s is not ready, and the reason names the variable', async ([, environment, variable]) => {
  await using sandbox = await startDiscordSandbox();
  await using connection = await connect(sandbox, { environment });

  const ready = () => readinessOf({ discord: connection.discord.status, stuck: [], running: 1, nowMs: 0 });

  const problem = expect.stringContaining(variable);
  await expect.poll(ready).toEqual({ ready: false, message: problem, reason: { kind: 'discordProblem', problem } });
});

test('Discord connects after the first polls; until then, it is not ready', async () => {
  await using sandbox = await startDiscordSandbox();
  const { promise: polled, resolve: endPolls } = Promise.withResolvers<void>();
  let isWaiting = false;
  await using connection = await connect(sandbox, {
    after: () => {
      isWaiting = true;
      return polled;
    },
  });
  const ready = () => readinessOf({ discord: connection.discord.status, stuck: [], running: 1, nowMs: 0 }).ready;
  await expect.poll(() => isWaiting).toBe(true);
  expect([connection.discord.status.state, ready(), await connectionsOf(sandbox)]).toEqual(['connecting', false, 0]);

  endPolls();

  await expect.poll(() => connection.discord.status.state).toBe('connected');
  expect([ready(), await connectionsOf(sandbox)]).toEqual([true, 1]);
});

test('a stop during the first polls opens no connection to Discord', async () => {
  await using sandbox = await startDiscordSandbox();
  const { promise: polled, resolve: endPolls } = Promise.withResolvers<void>();
  const connection = await connect(sandbox, { after: () => polled });

  const stopped = connection[Symbol.asyncDispose]();
  endPolls();
  await stopped;

  expect(await connectionsOf(sandbox)).toBe(0);
});
