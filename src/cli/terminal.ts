import { visibleLines } from '#src/visible.ts';

/** Where a command writes: coloured on a terminal, plain lines elsewhere. Control characters in foreign text are written out. */
export interface Terminal {
  readonly color: boolean;
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
    write(text: string): unknown;
    on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The process's own terminal; NO_COLOR is honoured. */
export function terminal({ stdout, stderr, env }: Streams): Terminal {
  // Whoever reads may stop reading, as `head` does.
  stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const color = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return {
    color,
    print: (line) => void stdout.write(`${visibleLines(line, { color })}\n`),
    printError: (line) => void stderr.write(`${visibleLines(line, { color })}\n`),
    paint(style, text) {
      const [on, off] = CODES[style];
      return color ? `\u001B[${on}m${text}\u001B[${off}m` : text;
    },
  };
}
