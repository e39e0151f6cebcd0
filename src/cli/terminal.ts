import { visibleLines } from '#src/log.ts';

/** The output of a command: coloured on a terminal, plain elsewhere. Control characters in foreign text are escaped. */
export interface Terminal {
  readonly color: boolean;
  /** The width of a terminal; absent: the output is a pipe or a file, whose readers expect whole lines. */
  readonly columns?: number | undefined;
  print(line: string): void;
  printError(line: string): void;
  paint(style: Style, text: string): string;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

interface Streams {
  readonly stdout: {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): unknown;
    on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
    listenerCount(event: 'error'): number;
  };
  readonly stderr: { write(text: string): unknown; on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The terminal of the process. NO_COLOR turns the colours off, and FORCE_COLOR turns them on in a pipe. In messages, the named `commands` are
 * written as they work here: a person who runs Fanfare with `npx` has no command `fanfare`.
 */
export function terminal({ stdout, stderr, env }: Streams, commands: readonly string[] = []): Terminal {
  stdout.on('error', (error) => {
    // The reader of a pipe may close it early, as `head` does. The command completes, and its exit code stays.
    if (error.code === 'EPIPE') return;
    // A command that runs until it is stopped decides itself: see `untilStopped`.
    if (stdout.listenerCount('error') > 1) return;
    stderr.write(unwritten(error));
    process.exit(1);
  });
  // An error that no one can read must not end the process, and the exit code stays that of the command.
  stderr.on('error', () => undefined);
  const color = hasColors(env, stdout.isTTY === true);
  const isNpx = env['npm_command'] === 'exec' && commands.length > 0;
  const plainCommand = new RegExp(`(?<!npx |[\\w./@-])fanfare (?=(?:${commands.join('|')})\\b)`, 'gu');
  const withNpx = (line: string): string => (isNpx ? line.replaceAll(plainCommand, 'npx $&') : line);
  return {
    color,
    get columns() {
      // A serial console reports 0.
      return stdout.isTTY ? stdout.columns || undefined : undefined;
    },
    // A pipe may receive the content of a file, which must not change.
    print: (line) => void stdout.write(`${visibleLines(stdout.isTTY ? withNpx(line) : line, { color })}\n`),
    printError: (line) => void stderr.write(`${visibleLines(withNpx(line), { color })}\n`),
    paint(style, text) {
      const [on, off] = CODES[style];
      return color ? `\u001B[${on}m${text}\u001B[${off}m` : text;
    },
  };
}

function unwritten({ code, message }: NodeJS.ErrnoException): string {
  return `error: the output cannot be written (${code ?? message})\n`;
}

/** A terminal without the text for people. Warnings and progress on standard error stay. */
export function withoutText(out: Terminal): Terminal {
  return { ...out, print: () => undefined };
}

/** A terminal for questions. Standard output has only the answer of the command. */
export function forQuestions(out: Terminal): Terminal {
  return { ...out, print: (line) => out.printError(line) };
}

/** Like Node, FORCE_COLOR has precedence over NO_COLOR, and its values `0` and `false` turn the colours off. */
function hasColors(env: Streams['env'], isTTY: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: off, TERM: term } = env;
  return forced === undefined ? isTTY && !off && term !== 'dumb' : forced !== '0' && forced !== 'false';
}

/** The terminal, npm and a process between them may each send a signal for one Ctrl+C. */
const SAME_SIGNAL_MS = 500;

/** Windows sends SIGHUP when the window of the terminal is closed, and ends the process some seconds later. */
const STOPS_OF_WINDOWS = ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] as const;
const STOPS = ['SIGINT', 'SIGTERM'] as const;

interface StopOptions {
  readonly isLog?: boolean;
  readonly platform?: NodeJS.Platform;
}

/**
 * Resolves at the first signal to stop, or as a failure when the output cannot be written. A second signal ends the process at once.
 *
 * With `isLog`, a full disk is no failure: the lines are lost until there is space. The log often is on the disk of the state, where Fanfare
 * waits for space too.
 */
export function untilStopped({ isLog = false, platform = process.platform }: StopOptions = {}): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstMs: number | undefined;
  function stop(): void {
    if (firstMs !== undefined && performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(130);
    firstMs ??= performance.now();
    resolve();
  }
  for (const signal of platform === 'win32' ? STOPS_OF_WINDOWS : STOPS) process.on(signal, stop);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLog && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return;
    if (error.code !== 'EPIPE') process.stderr.write(unwritten(error));
    // A process that writes its log nowhere has to be started again.
    process.exitCode = 1;
    resolve();
  });
  return promise;
}
