import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** From the end of these on the system gives ports to whoever asks for any: also one that was free a moment ago. */
const FIRST_PORT = 10_240;
const PORTS_END = 32_768;

/** Within this a file that is written into the folder of the rules is read, also while others keep the machine busy. */
const READ_WITHIN_MS = 3_000;

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
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 240_000): Promise<T> {
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

/** Resolves when it is ready; fails with all that it has printed. */
export async function untilReady({ url, output }: Pick<FanfareProcess, 'url' | 'output'>): Promise<void> {
  await eventually('it is ready', async () => (await request(`${url}/readyz`)).statusCode === 200).catch((error: unknown) => {
    throw new Error(output(), { cause: error });
  });
}

/** A time for the `at` of a rule that is written now beside one that is ready: not over yet when it is read, as it would never run then. */
export function soon(): string {
  return new Date(Date.now() + READ_WITHIN_MS).toISOString();
}

/** A port of the loopback that nobody listens on, and the one above it, where its sandbox listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 2 * randomInt(FIRST_PORT / 2, PORTS_END / 2);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  await new Promise((resolve) => server.close(resolve));
  return isListening;
}
