import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** Fanfare as a process of its own, started as its users start it. */
export interface FanfareProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** All that it has printed. */
  readonly output: () => string;
  /** Resolves with the exit code when it has ended by itself or by `stop`. */
  readonly exit: Promise<number | undefined>;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Ends it as a pulled plug would. */
  kill(): Promise<void>;
  /** Asks it to stop. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface LaunchOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** The folder that it is started in. */
  readonly cwd?: string;
}

/** Starts `fanfare start`, or another command. */
export async function launch({ args = ['start'], environment = {}, port, cwd }: LaunchOptions): Promise<FanfareProcess> {
  const listening = port ?? (await freePort());
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PORT: String(listening), ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | undefined>((resolve) => child.once('close', (code) => resolve(code ?? undefined)));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exit;
  };
  return {
    url: `http://127.0.0.1:${listening}`,
    pid: child.pid,
    output: () => output,
    exit,
    signal: (name) => void child.kill(name),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** What `url` answers, as JSON. */
export async function getJson(url: string): Promise<unknown> {
  const { body } = await request(url);
  return body.json();
}

/** The first truthy answer of `ask`; fails with what it waited for. A refused connection counts as no answer yet. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < endMs) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(100);
  }
  throw new Error(`within ${timeoutMs} ms there was not: ${what}`, { cause: last });
}

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port was given');
  return address.port;
}
