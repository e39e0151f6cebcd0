import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Message, type Report, type Task } from './orders.ts';

const CHECK_MS = 50;
const TIMEOUT_MS = 180_000;

/** Runs workers until they have sent `posts` posts together, and resolves with their reports. */
export async function runWorkers(
  tasks: readonly Task[],
  { posts, onBegin = () => Promise.resolve() }: { readonly posts: number; readonly onBegin?: (() => Promise<void>) | undefined },
): Promise<readonly Report[]> {
  const children = tasks.map(start);
  try {
    await Promise.all(children.map(({ ready }) => ready));
    await onBegin();
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
    for (const { child } of children) child.kill('SIGKILL');
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
