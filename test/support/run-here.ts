import type { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { main } from '#src/main.ts';

const ERRORS = ['uncaughtException', 'error'];

interface RunOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly cwd?: string;
}

/**
 * Runs a command of Fanfare in this process, where it starts faster than in its own. Commands cannot run at the same time, and `start`
 * is none of them: it ends its process.
 */
export async function runHere({
  args,
  environment = {},
  cwd = '.',
}: RunOptions): Promise<{ readonly code: number; readonly output: string; readonly stdout: string }> {
  const before = { folder: process.cwd(), environment: process.env, exitCode: process.exitCode };
  const added = [process, process.stdout, process.stderr].map((emitter) => listenersSince(emitter));
  const exited = Promise.withResolvers<number>();
  let output = '';
  let stdout = '';
  let isOver = false;
  const writes = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      if (!isOver) output += String(text);
      if (!isOver && stream === process.stdout) stdout += String(text);
      return true;
    }),
  );
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    isOver = true;
    exited.resolve(Number(code ?? 0));
    throw new Error('the process has ended');
  });
  try {
    process.chdir(cwd);
    process.env = { PATH: process.env['PATH'], ...environment };
    process.exitCode = undefined;
    const ended = main(['node', 'fanfare', ...args]).then(() => Number(process.exitCode ?? 0));
    const code = await Promise.race([exited.promise, ended]);
    await ended;
    return { code, output, stdout };
  } finally {
    for (const spy of [...writes, exit]) spy.mockRestore();
    for (const remove of added) remove();
    process.chdir(before.folder);
    process.env = before.environment;
    process.exitCode = before.exitCode;
  }
}

/** Removes the listeners for errors that are added from now on. */
function listenersSince(emitter: EventEmitter): () => void {
  const before = new Set(ERRORS.flatMap((name) => emitter.listeners(name)));
  return () => {
    for (const name of ERRORS)
      for (const listener of emitter.rawListeners(name)) if (!before.has(listener)) emitter.off(name, listener as () => void); // a listener is a function
  };
}
