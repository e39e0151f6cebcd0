import { createInterface } from 'node:readline/promises';
import { ConfigError } from '#src/errors.ts';
import type { Terminal } from './terminal.ts';

export interface Question<T> {
  readonly text: string;
  /** What an empty answer stands for. */
  readonly usual?: string | undefined;
  /** What the answer means, or what is wrong with it. */
  readonly read: (answer: string) => { readonly value: T } | { readonly wrong: string };
}

/** Asks the person in front of the terminal, or whoever writes to it. */
export interface Prompter extends Disposable {
  /** The answer; a wrong one is said to be and asked for again. */
  ask<T>(question: Question<T>): Promise<T>;
}

/** A prompter that reads lines: also those that came before they were asked for. */
export function prompter({ input, out }: { readonly input: NodeJS.ReadableStream; readonly out: Terminal }): Prompter {
  const lines = createInterface({ input });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask({ text, usual, read }) {
      for (;;) {
        out.print(`${out.paint('bold', text)}${usual === undefined ? '' : out.paint('dim', ` [${usual}]`)}`);
        const { value: line, done } = await answers.next();
        if (done)
          throw new ConfigError('the questions were not answered to the end: nothing was written', {
            file: 'fanfare new',
            hint: 'all of them have an option: fanfare new --help',
          });
        const answer = read(line.trim() === '' && usual !== undefined ? usual : line.trim());
        if ('value' in answer) return answer.value;
        out.print(out.paint('yellow', `  ${answer.wrong}`));
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
