// The time from a poll's response in Fanfare to the request of the post at the platform.
import { channel } from 'node:diagnostics_channel';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import project from '../package.json' with { type: 'json' };
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { medianOf } from './median.ts';

const ANNOUNCED_TIMEOUT_MS = 20_000;
const RULE = `
id: live
when:
  every: 5s
  watch: streaming.getGameStreams
  with: { game: Chess }
  changes: [entered]
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} plays Chess \${{ item.url }}" }
`;

export interface LatencyFigures {
  /** From the end of the poll's response to the head of the post's request, in milliseconds, sorted. The sandbox measures both. */
  readonly latenciesMs: readonly number[];
  readonly medianMs: number;
  readonly longestMs: number;
  /** The CPU time of the main thread in between: the part that other load of the machine does not change. */
  readonly medianCpuMs: number;
}

/** Runs the real program, with the sandbox in this process, until it has announced `posts` streams. */
export async function postLatency({ posts = 10, command = project.scripts.start.split(' ').slice(1) } = {}): Promise<LatencyFigures> {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox({});
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  writeFileSync(join(rules, 'live.yaml'), RULE);
  const app = spawn(process.execPath, command, {
    stdio: ['ignore', process.env['TRACE'] ? 'inherit' : 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FANFARE_DATA: join(folder.path, 'data'),
      FANFARE_RULES: rules,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
      ...sandbox.environment,
    },
  });
  using traffic = watchTraffic(() => cpuMs(app.pid));
  try {
    await traffic.nextPoll();
    const measured: Latency[] = [];
    for (const user of newcomers(sandbox).slice(0, posts)) {
      await order(sandbox, { do: 'goLive', user, game: 'Chess' });
      measured.push(await traffic.nextPost());
    }
    const latenciesMs = measured.map(({ ms }) => ms).toSorted((one, other) => one - other);
    const medianCpuMs = medianOf(measured.map((one) => one.cpuMs));
    return { latenciesMs, medianMs: medianOf(latenciesMs), longestMs: latenciesMs.at(-1) ?? Number.NaN, medianCpuMs };
  } finally {
    if (app.exitCode === null) {
      app.kill();
      await once(app, 'exit');
    }
  }
}

interface Latency {
  readonly ms: number;
  readonly cpuMs: number;
}

/** The CPU time of the main thread of a process. */
function cpuMs(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** People who are not live and do not go live by themselves in the next ten minutes. */
function newcomers({ world }: Sandbox): readonly string[] {
  const nowMs = Date.now();
  const busy = new Set(world.eventsBetween(nowMs, nowMs + 600_000).map(({ person }) => person.id));
  for (const { person } of world.liveAt(nowMs)) busy.add(person.id);
  return world.people.filter(({ id, handle }) => !busy.has(id) && /^[a-z]/.test(handle)).map(({ handle }) => handle);
}

async function order({ url }: Sandbox, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { statusCode } = await request(`${url}/control/world`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (statusCode >= 300) throw new Error(`the sandbox answered an order with ${statusCode}`);
}

/** The part of Node's events about its HTTP servers that is read here. */
const HttpEvent = z.object({ request: z.object({ method: z.string(), url: z.string() }) });

/** Watches the requests to the sandbox in this process. */
function watchTraffic(readCpuMs: () => number) {
  const started = channel('http.server.request.start');
  const finished = channel('http.server.response.finish');
  let polledMs = Number.NaN;
  let onPoll: () => void = () => undefined;
  let polledCpuMs = Number.NaN;
  let onPost: (latency: Latency) => void = () => undefined;

  function onStarted(event: unknown): void {
    const { method, url } = HttpEvent.parse(event).request;
    if (method === 'POST' && url.startsWith('/social')) onPost({ ms: performance.now() - polledMs, cpuMs: readCpuMs() - polledCpuMs });
  }

  function onFinished(event: unknown): void {
    const { method, url } = HttpEvent.parse(event).request;
    if (method !== 'GET' || !url.includes('/streams')) return;
    polledMs = performance.now();
    polledCpuMs = readCpuMs();
    onPoll();
  }

  started.subscribe(onStarted);
  finished.subscribe(onFinished);
  return {
    nextPoll: () => inTime('poll', new Promise<void>((resolve) => (onPoll = resolve))),
    nextPost: () => inTime('post', new Promise<Latency>((resolve) => (onPost = resolve))),
    [Symbol.dispose]() {
      started.unsubscribe(onStarted);
      finished.unsubscribe(onFinished);
    },
  };
}

async function inTime<T>(what: string, event: Promise<T>): Promise<T> {
  const late = new AbortController();
  const tooLate = sleep(ANNOUNCED_TIMEOUT_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`there was no ${what} in ${ANNOUNCED_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([event, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    late.abort();
  }
}

if (import.meta.main) console.log(await postLatency({ posts: Number(process.argv[2] ?? 10) }));
