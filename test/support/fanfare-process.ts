import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** Ports below the range from which the system assigns free ports to other programs. */
const ALL_PORTS = { from: 10_240, to: 32_768 };
/** Each test process has its own part of the ports, so that two processes cannot find the same free port. */
const PARTS = 16;
const PART = Number(process.env['VITEST_POOL_ID'] ?? randomInt(PARTS)) % PARTS;
const PART_SIZE = (ALL_PORTS.to - ALL_PORTS.from) / PARTS;
const FIRST_PORT = ALL_PORTS.from + PART * PART_SIZE;

const CRASH_LINES = 30;

/** The token of the webhook with which a test runs rules. */
const TOKEN = 'a-token-of-the-sender-of-this-test';

/** Rules with this webhook run at each call of `runRules`. */
export const ON_CALL = { webhook: 'now', when: '{ webhook: now }', environment: { FANFARE_WEBHOOK_NOW_TOKEN: TOKEN } };

/** Fanfare as a separate process, started like an installation. */
export interface FanfareProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** The complete output. */
  readonly output: () => string;
  /** Resolves with the exit code when the process ends. */
  readonly exit: Promise<number | undefined>;
  /** Sends a signal to the process. */
  signal(name: NodeJS.Signals): void;
  /** Kills the process, like a power failure. */
  kill(): Promise<void>;
  /** Asks the process to stop. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface LaunchOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** The working directory. */
  readonly cwd?: string;
  readonly script?: string;
  /** The Node that runs the script. */
  readonly executable?: string;
  /** A line of standard input. */
  readonly input?: string;
}

/** The state of each process that no test has ended yet, which explains why something did not happen. */
const launched = new Set<() => string>();

/** Starts `fanfare start`, or another command. */
export async function launch({
  args = ['start'],
  environment = {},
  port,
  cwd,
  script = 'bin/fanfare.mjs',
  executable = process.execPath,
  input,
}: LaunchOptions): Promise<FanfareProcess> {
  const listening = port ?? (await freePort());
  const child = spawn(executable, [resolve(script), ...args], {
    cwd,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PORT: String(listening), ...environment },
  });
  child.stdin?.end(`${input}\n`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | undefined>((resolve) => child.once('close', (code) => resolve(code ?? undefined)));
  const state = (): string => {
    const how = child.exitCode ?? child.signalCode;
    const lines = output.trimEnd().split('\n');
    // A crash of Node prints its reason before the stack.
    const [title, last] = child.signalCode ? ['last lines', lines.slice(-CRASH_LINES).join('\n')] : ['last line', lines.at(-1)];
    return `process ${child.pid} ${how === null ? 'runs' : `ended with ${how}`}, ${title}: ${last}`;
  };
  launched.add(state);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    launched.delete(state);
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

/** The answer of `url`. */
export async function getText(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly statusCode: number; readonly text: string }> {
  // A busy server may close an idle connection while a request is on its way.
  const { statusCode, body } = await request(url, { headers, reset: true });
  return { statusCode, text: await body.text() };
}

/** The JSON answer of `url`. */
export async function getJson(url: string, headers?: Readonly<Record<string, string>>): Promise<unknown> {
  return JSON.parse((await getText(url, headers)).text);
}

/** The JSON answer of `url` to `content`. Rejects with a refusal. */
export async function postJson(url: string, content: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: JSON.stringify(content), reset: true });
  const answer = await body.json();
  if (statusCode >= 400) throw new Error(`${url} answers ${statusCode}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A try that takes longer, for example because the machine was paused, counts as this time. */
const LONGEST_TRY_MS = 5_000;

/** Waits for a truthy result of `ask`. A refused connection counts as no result. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>, timeoutMs = 240_000): Promise<T> {
  let last: unknown;
  for (let leftMs = timeoutMs; leftMs > 0;) {
    const begunMs = performance.now();
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(100);
    leftMs -= Math.min(performance.now() - begunMs, LONGEST_TRY_MS);
  }
  const states = [...launched].map((state) => `; ${state()}`).join('');
  // The report of a run has only the first line of an error, without its cause.
  const reason = last instanceof Error ? `; last error: ${last.message.replaceAll(/\s+/g, ' ')}` : '';
  throw new Error(`within ${timeoutMs} ms there was not: ${what}${states}${reason}`, { cause: last });
}

/** Resolves when the process is ready; rejects with its output otherwise. */
export async function untilReady({ url, output }: Pick<FanfareProcess, 'url' | 'output'>): Promise<void> {
  await eventually('it is ready', async () => (await getText(`${url}/readyz`)).statusCode === 200).catch((error: unknown) => {
    throw new Error(output(), { cause: error });
  });
}

/** The token that creates the first admin. The start prints it after the page answers. */
export function firstRunToken({ output }: Pick<FanfareProcess, 'output'>): Promise<string> {
  return eventually('the token', async () => /token, which is valid for an hour:\s+(\S+)\n/u.exec(output())?.[1]);
}

/** Runs the rules with `ON_CALL`. They read the fields of `payload`. */
export async function runRules({ url }: Pick<FanfareProcess, 'url'>, payload: object = {}): Promise<void> {
  const { statusCode, body } = await request(`${url}/hooks/${ON_CALL.webhook}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(payload),
    reset: true,
  });
  if (statusCode !== 202) throw new Error(`the webhook answers ${statusCode}: ${await body.text()}`);
  await body.dump();
}

const PAIRS = PART_SIZE / 2;
let nextPair = randomInt(PAIRS);

/** Finds a free port whose successor is free for the sandbox. Ports are taken in turn, because a program needs some time to use its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + 2 * (nextPair++ % PAIRS);
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
