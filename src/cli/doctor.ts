import type { Command } from 'commander';
import type { Doctor } from '#src/doctor/doctor.ts';
import type { CheckResult } from '#src/doctor/check-result.ts';
import { oneLine } from './one-line.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `doctor`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('doctor')
    .description('look at every account, right, channel and clock, and say what to do')
    .action(async () => {
      const { openDoctor } = await import('#src/app.ts');
      await using doctor = await openDoctor({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
      process.exitCode = await examine({ doctor, out, signal: new AbortController().signal });
    });
}

const SIGNS: Readonly<Record<CheckResult['state'], readonly [sign: string, style: 'green' | 'yellow' | 'red']>> = {
  good: ['✓', 'green'],
  warning: ['!', 'yellow'],
  bad: ['✗', 'red'],
};

export interface ExamineOptions {
  readonly doctor: Doctor;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** Tells what is right and what is wrong, as it is found; the exit code is 1 where something does not work. */
export async function examine({ doctor, out, signal }: ExamineOptions): Promise<number> {
  const count = { good: 0, warning: 0, bad: 0 };
  for await (const { about, state, what, remedy } of doctor.examine(signal)) {
    const [sign, style] = SIGNS[state];
    out.print(`${out.paint(style, sign)} ${out.paint('bold', about)}: ${oneLine(what)}`);
    if (remedy !== undefined) out.print(`    ${oneLine(remedy)}`);
    count[state]++;
  }
  const wrong = [`${count.bad} bad`, `${count.warning} to look at`].filter((text) => !text.startsWith('0'));
  out.print(wrong.length === 0 ? out.paint('green', '\nAll is well.') : `\n${wrong.join(', ')}.`);
  return count.bad > 0 ? 1 : 0;
}
