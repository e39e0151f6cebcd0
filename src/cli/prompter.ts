import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigError } from '#src/errors.ts';
import type { Terminal } from './terminal.ts';

export interface Question<T> {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly usual?: string | undefined;
  /** Whether the answer must not be seen on the screen. */
  readonly isSecret?: boolean | undefined;
  /** What the answer means, or what is wrong with it. */
  readonly read: (answer: string) => { readonly value: T } | { readonly wrong: string };
}

/** Asks the person in front of the terminal, or whoever writes to it. */
export interface Prompter extends Disposable {
  /** The answer; a wrong one is said to be and asked for again. */
  ask<T>(question: Question<T>): Promise<T>;
}

export interface PrompterOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly out: Terminal;
  /** Which command asks. */
  readonly command?: string | undefined;
  /** What to do where nobody answers. */
  readonly hint?: string | undefined;
  /** Where what is typed is seen, on a terminal. */
  readonly screen?: NodeJS.WritableStream | undefined;
}

/** A prompter that reads lines: also those that came before they were asked for. */
export function prompter({
  input,
  out,
  command = 'fanfare new',
  hint = 'all of them have an option: fanfare new --help',
  screen,
}: PrompterOptions): Prompter {
  let isSecretNow = false;
  const echo = new Writable({
    write(piece: Buffer, _encoding, done) {
      if (!isSecretNow) screen?.write(piece);
      done();
    },
  });
  // A terminal shows by itself what is typed, unless readline does.
  const lines =
    input.isTTY === true && screen ? createInterface({ input, output: echo, terminal: true, historySize: 0 }) : createInterface({ input });
  // On such a terminal Ctrl+C comes as a letter; without a listener it would be the end of the answers.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, usual, isSecret = false, read }) {
      for (;;) {
        out.print(`${out.paint('bold', text)}${usual === undefined ? '' : out.paint('dim', ` [${usual}]`)}`);
        isSecretNow = isSecret;
        const { value: line, done } = await answers.next();
        isSecretNow = false;
        if (done)
          throw new ConfigError('the questions were not answered to the end: nothing was written', {
            file: command,
            hint,
          });
        const answer = read(line.trim() === '' && usual !== undefined ? usual : line.trim());
        if ('value' in answer) return answer.value;
        out.print(out.paint('yellow', `  ${answer.wrong}`));
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
