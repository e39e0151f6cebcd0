import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import project from '../package.json' with { type: 'json' };
import { startSandbox } from '#sandbox/index.ts';
import { freePort } from '../test/support/free-port.ts';
import { end } from './child-process.ts';
import { medianOf } from './median.ts';

const STARTS = 5;
const SETTLED_MS = 60_000;
const FIRST_POLL_LIMIT_MS = 1000;
const MEMORY_LIMIT_MB = 190;

/** The time from the start to the first poll, and the memory after a minute, with the sandbox and Discord connected. */
export async function startup(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'fanfare-bench-'));
  const firstPolls: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const { app, url, startedMs } = await launch(join(directory, `start-${start}`));
    await answered(`${url}/api/decisions`, (body) => body.includes('"rule"'));
    firstPolls.push(performance.now() - startedMs);
    await end(app);
  }
  print('start to first poll', `${medianOf(firstPolls).toFixed(0)} ms`, `${FIRST_POLL_LIMIT_MS} ms`);

  await using sandbox = await startSandbox({});
  const { app, url } = await launch(join(directory, 'memory'));
  const idle = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1 << 30)'], { stdio: 'ignore' });
  const discord = spawn(process.execPath, ['bench/discord-alone.ts'], { stdio: 'ignore', env: { ...process.env, ...sandbox.environment } });
  await answered(`${url}/readyz`, () => true);
  await sleep(SETTLED_MS);
  const memory = residentMb(app);
  print('memory after a minute', `${memory.toFixed(0)} MB`, `${MEMORY_LIMIT_MB} MB`);
  print('  an empty Node process', `${residentMb(idle).toFixed(0)} MB`);
  print('  discord.js alone, signed in', `${residentMb(discord).toFixed(0)} MB`);
  await Promise.all([app, idle, discord].map(end));
  rmSync(directory, { recursive: true, force: true });
  if (medianOf(firstPolls) > FIRST_POLL_LIMIT_MS || memory > MEMORY_LIMIT_MB) process.exitCode = 1;
}

async function launch(directory: string): Promise<{ app: ChildProcess; url: string; startedMs: number }> {
  const port = await freePort();
  const startedMs = performance.now();
  const app = spawn(process.execPath, project.scripts.start.split(' ').slice(1), {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], PORT: String(port), FANFARE_DATA: directory, LOG_LEVEL: 'warn' },
  });
  return { app, url: `http://127.0.0.1:${port}`, startedMs };
}

async function answered(url: string, fits: (body: string) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    try {
      const { statusCode, body } = await request(url);
      const text = await body.text();
      if (statusCode === 200 && fits(text)) return;
    } catch {
      // The server does not listen yet.
    }
    await sleep(10);
  }
  throw new Error(`${url} did not answer within ten seconds`);
}

function residentMb({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function print(what: string, figure: string, limit?: string): void {
  console.log(`${what.padEnd(32)} ${figure.padStart(8)}${limit === undefined ? '' : `   limit ${limit}`}`);
}
