import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigError } from '#src/errors.ts';
import type { Terminal } from './terminal.ts';

export interface Question<T> {
  readonly text: string;
  /** The value of an empty answer. */
  readonly usual?: string | undefined;
  /** Whether the screen must not show the answer. */
  readonly isSecret?: boolean | undefined;
  /** Whether spaces at the beginning and at the end belong to the answer. */
  readonly isExact?: boolean | undefined;
  /** Parses the answer. */
  readonly read: (answer: string) => { readonly value: T } | { readonly error: string };
}

/** Asks questions on the terminal. */
export interface Prompter extends Disposable {
  /** Asks until the answer is valid. */
  ask<T>(question: Question<T>): Promise<T>;
}

export interface PrompterOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly out: Terminal;
  /** The command that asks. */
  readonly command?: string | undefined;
  /** What to do if the input ends. */
  readonly hint?: string | undefined;
  /** Shows the typed text, if the input is a terminal. */
  readonly screen?: NodeJS.WritableStream | undefined;
}

/** A prompter that reads lines. It also reads lines that arrive before their question. */
export function prompter({
  input,
  out,
  command = 'fanfare new',
  hint = 'Run the command in a terminal, or answer with options: fanfare new --help. Nothing was written.',
  screen,
}: PrompterOptions): Prompter {
  let isSecretNow = false;
  const echo = new Writable({
    write(piece: Buffer, _encoding, done) {
      if (!isSecretNow) screen?.write(piece);
      done();
    },
  });
  // In raw mode, the terminal does not show the typed text, so readline can hide secrets.
  const lines =
    input.isTTY === true && screen ? createInterface({ input, output: echo, terminal: true, historySize: 0 }) : createInterface({ input });
  // In raw mode, Ctrl+C arrives as a character. Without a listener, readline would only close.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, usual, isSecret = false, isExact = false, read }) {
      for (;;) {
        out.print(`${out.paint('bold', text)}${usual === undefined ? '' : out.paint('dim', ` [${usual}]`)}`);
        isSecretNow = isSecret;
        const { value: line, done } = await answers.next();
        isSecretNow = false;
        if (done)
          throw new ConfigError('no more input', {
            file: command,
            hint,
          });
        const answer = read(line.trim() === '' && usual !== undefined ? usual : isExact ? line : line.trim());
        if ('value' in answer) return answer.value;
        out.print(out.paint('yellow', `  ${answer.error}`));
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
