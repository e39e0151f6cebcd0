import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

const READY_POLL_MS = 100;
const READY_REQUEST_MS = 2_000;
/** The number of lines that show why a process ended. */
const LAST_LINES = 40;

/** The environment that shifts the clock of a process. */
export function clockShift(shiftMs: number): Readonly<Record<string, string>> {
  if (shiftMs === 0) return {};
  const module = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url));
  return { NODE_OPTIONS: `--import=${module}`, FANFARE_CHAOS_CLOCK_SHIFT_MS: String(shiftMs) };
}

export interface WorkerOptions {
  /** Such as `w1`. */
  readonly name: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Receives the output of all its processes. */
  readonly logFile: string;
  /** Called with each line of the output. */
  readonly onLine: (line: string) => void;
  /** Called when a process ends without a kill, with the end of its output. */
  readonly onCrash: (code: string, lastLines: readonly string[]) => void;
}

export type WorkerState = 'down' | 'up' | 'frozen';

/** One worker, which is a new process after each kill. */
export class WorkerProcess {
  readonly name: string;
  readonly url: string;
  readonly #options: WorkerOptions;
  #child: ChildProcess | undefined;
  #isFrozen = false;
  #isExpected = false;
  #starts = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  get state(): WorkerState {
    if (!this.#child) return 'down';
    return this.#isFrozen ? 'frozen' : 'up';
  }

  /** The id of its latest process. */
  get process(): string {
    return `${this.name}-${this.#starts}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts a process with a wrong clock, or of the next version of the program. */
  start({ shiftMs = 0, isNext = false }: { readonly shiftMs?: number; readonly isNext?: boolean } = {}): void {
    if (this.#child) throw new Error(`${this.name} runs already`);
    const { args, port, environment, logFile, onLine, onCrash } = this.#options;
    this.#starts++;
    const child = spawn(process.execPath, [resolve(isNext ? 'test/chaos/next-version.ts' : 'bin/fanfare.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], PORT: String(port), FANFARE_WORKER: this.process, ...environment, ...clockShift(shiftMs) },
    });
    this.#child = child;
    this.#isExpected = false;
    const log = createWriteStream(logFile, { flags: 'a' });
    const lastLines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(log, { end: false });
      createInterface({ input: stream }).on('line', (line) => {
        if (lastLines.push(line) > LAST_LINES) lastLines.shift();
        onLine(line);
      });
    }
    child.once('close', (code, signal) => {
      log.end();
      if (this.#child === child) this.#child = undefined;
      this.#isFrozen = false;
      if (!this.#isExpected) onCrash(signal ?? String(code), lastLines);
    });
  }

  /** Ends the process at once, even if it is frozen. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks the process to stop, and kills it if that takes too long. */
  async stop(withinMs = 20_000): Promise<void> {
    this.resume();
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), withinMs);
    await this.#end('SIGTERM');
    clearTimeout(late);
  }

  freeze(): void {
    this.#isFrozen = this.#child?.kill('SIGSTOP') ?? false;
  }

  resume(): void {
    if (!this.#isFrozen) return;
    this.#child?.kill('SIGCONT');
    this.#isFrozen = false;
  }

  /** Resolves with whether the process became ready. */
  async untilReady(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const endMs = Date.now() + timeoutMs;
    const child = this.#child;
    while (child && this.#child === child && Date.now() < endMs && !signal?.aborted) {
      if (await this.isReady()) return true;
      await sleep(READY_POLL_MS);
    }
    return false;
  }

  async isReady(): Promise<boolean> {
    try {
      const { statusCode, body } = await request(`${this.url}/readyz`, { signal: AbortSignal.timeout(READY_REQUEST_MS) });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#isExpected = true;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
}
