import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { mergeConfig, type Config } from '#src/config/config.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';

/** The timeout of the request to a running sandbox. */
const ANSWERS_WITHIN_MS = 1000;

/** The answer that identifies a sandbox. */
const Now = z.object({ now: z.iso.datetime(), speed: z.number() });

/** A sandbox in this process, and the configuration with its accounts. */
export interface InsideSandbox {
  readonly config: Config;
  /** The address of the sandbox. */
  readonly sandboxUrl: string;
  /** The clock that Fanfare uses too; absent if the database has the clock. */
  readonly sandboxClock: Clock | undefined;
}

/** Starts a sandbox in this process, which stores its records. */
export async function startInside(config: Config, stack: AsyncDisposableStack): Promise<InsideSandbox> {
  // With PostgreSQL, the time comes from the database.
  const isClockShared = config.databaseUrl === undefined;
  const sandboxed = {
    isClockShared,
    file: join(config.dataDirectory, 'sandbox.sqlite'),
    platforms: sandboxPlatforms,
    lively: true,
  };
  // The same port at every start, if it is free, so that links in posts keep working.
  const sandbox = stack.use(await startSandbox({ ...sandboxed, port: portOf(config) }).catch(() => startSandbox(sandboxed)));
  return {
    config: withAccounts(config, sandbox.environment),
    sandboxUrl: sandbox.url,
    sandboxClock: isClockShared ? sandbox.clock : undefined,
  };
}

/** The sandbox of the running Fanfare, or a new one for this process. */
export interface PreviewSandbox {
  readonly config: Config;
  /** Whether it is the sandbox of the running Fanfare. */
  readonly isRunning: boolean;
}

/** The configuration with the accounts of the running sandbox, or of a new one. */
export async function openPreviewSandbox(config: Config, stack: AsyncDisposableStack): Promise<PreviewSandbox> {
  const started = stack.use(await startSandbox({ platforms: sandboxPlatforms, lively: true }));
  const url = `http://127.0.0.1:${portOf(config)}`;
  const isRunning = await isSandboxAt(url);
  return { config: withAccounts(config, isRunning ? environmentAt(started, url) : started.environment), isRunning };
}

/** The port after that of the page. With 0, the system chooses both. */
function portOf({ port }: Config): number {
  return port === 0 ? 0 : port + 1;
}

/** The environment of the sandbox at `url`. Sandboxes differ only in their addresses. */
function environmentAt({ environment, url: started }: Sandbox, url: string): Sandbox['environment'] {
  // WebSockets have the same host.
  const [from, to] = [new URL(started).host, new URL(url).host];
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.replace(from, to)]));
}

async function isSandboxAt(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${url}/control/now`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return statusCode === 200 && Now.safeParse(await body.json()).success;
  } catch {
    return false;
  }
}

/** Anyone may invite the bot of a sandbox: nothing that it does costs money. */
function withAccounts(config: Config, environment: Sandbox['environment']): Config {
  const discord = { ...config.discord, servers: 'any' } as const;
  const { accounts, servers } = mergeConfig(environment, { discord: { zone: discord.zone, servers: discord.servers } }).config;
  return { ...config, accounts, servers, discord };
}
