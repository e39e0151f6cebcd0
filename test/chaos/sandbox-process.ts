import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { freePort } from '../support/fanfare-process.ts';

const ATTEMPTS = 5;
const ATTEMPT_MS = 10_000;

/** The sandbox as a separate process. */
export interface SandboxProcess extends AsyncDisposable {
  readonly url: string;
  /** The variables that point Fanfare to its platforms, in addition to `fanfare.yaml`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sends an order to its control API. */
  order(path: string, body: object): Promise<unknown>;
  deleteFaults(platform?: string): Promise<void>;
}

/** Platforms of the sandbox whose variables a run uses. */
const USED = /^(TWITCH|DISCORD|SANDBOX|MASTODON|BLUESKY|X)_/;

export async function startSandboxProcess(folder: string, seed: number): Promise<SandboxProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), 'sandbox', '--all', '--port', String(port), '--seed', String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], FANFARE_DATA: join(folder, 'sandbox') },
  });
  child.stderr.pipe(createWriteStream(join(folder, 'sandbox.log')));
  const environment: Record<string, string> = {};
  const started = Promise.withResolvers<void>();
  child.once('exit', (code) => started.reject(new Error(`the sandbox ended with ${code}`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (USED.test(name)) environment[name] = value;
    if (line.startsWith('#')) started.resolve();
  });
  await started.promise;
  const url = `http://127.0.0.1:${port}`;
  const order = (path: string, body: object): Promise<unknown> => callControl(`${url}/control${path}`, 'POST', body);

  return {
    url,
    environment,
    order,
    async deleteFaults(platform) {
      await callControl(`${url}/control/faults${platform === undefined ? '' : `?platform=${platform}`}`, 'DELETE');
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

/** The token of an account of the social platform. */
export async function socialToken(sandbox: Pick<SandboxProcess, 'order'>, user: string): Promise<string> {
  return z.object({ token: z.string() }).parse(await sandbox.order('/social/sessions', { user })).token;
}

/** Sends a request to the control API. A busy machine may need several attempts. */
export async function callControl(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await request(url, {
        method,
        signal: AbortSignal.timeout(ATTEMPT_MS),
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const json = await answer.body.json();
      if (answer.statusCode !== 200) throw new Error(`the sandbox refused ${url}: ${JSON.stringify(json)}`);
      return json;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(200 * attempt);
    }
  }
}
