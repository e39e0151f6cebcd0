import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCpuLimit } from './cpu-limit.ts';
import { Message, type Report, type Task } from './orders.ts';

const CHECK_MS = 50;
const TIMEOUT_MS = 180_000;

export interface RunWorkersOptions {
  readonly posts: number;
  /** The part of a core that each worker gets after its start; undefined: no limit. */
  readonly cpuPart?: number | undefined;
  readonly onBegin?: (() => Promise<void>) | undefined;
}

/** Runs workers until they have sent `posts` posts together, and resolves with their reports. */
export async function runWorkers(
  tasks: readonly Task[],
  { posts, cpuPart, onBegin = () => Promise.resolve() }: RunWorkersOptions,
): Promise<readonly Report[]> {
  using limits = new DisposableStack();
  const children = tasks.map(start);
  try {
    await Promise.all(children.map(({ ready }) => ready));
    await onBegin();
    for (const [index, { child }] of children.entries()) {
      if (cpuPart === undefined || child.pid === undefined) continue;
      const limit = createCpuLimit(String(index), cpuPart);
      if (!limit) throw new Error('this machine cannot limit the CPU time of a process');
      limits.use(limit).add(child.pid);
    }
    for (const { child } of children) child.send('go');
    const endMs = performance.now() + TIMEOUT_MS;
    while (children.reduce((sum, { sent }) => sum + sent(), 0) < posts) {
      if (performance.now() > endMs) throw new Error(`the workers did not send ${posts} posts in ${TIMEOUT_MS / 1000} s`);
      if (children.some(({ child }) => child.exitCode !== null)) throw new Error('a worker ended');
      await sleep(CHECK_MS);
    }
    for (const { child } of children) child.send('stop');
    return await Promise.all(children.map(({ report }) => report));
  } finally {
    for (const { child } of children) if (child.exitCode === null && !child.connected) await once(child, 'exit');
    for (const { child } of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly report: Promise<Report>;
  readonly sent: () => number;
}

function start(task: Task): Started {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [JSON.stringify(task)], { execArgv: [] });
  const ready = Promise.withResolvers<void>();
  const report = Promise.withResolvers<Report>();
  report.promise.catch(() => undefined);
  let sent = 0;
  child.on('message', (value) => {
    const message = Message.parse(value);
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'sent') ({ sent } = message);
    else report.resolve(message);
  });
  child.once('exit', (code) => {
    const error = new Error(`a worker ended with ${code}`);
    ready.reject(error);
    report.reject(error);
  });
  return { child, ready: ready.promise, report: report.promise, sent: () => sent };
}
