import type { Doctor } from '#src/app/doctor/doctor.ts';
import type { Finding } from '#src/app/doctor/finding.ts';
import { oneLine } from './one-line.ts';
import type { Terminal } from './terminal.ts';

const SIGNS: Readonly<Record<Finding['state'], readonly [sign: string, style: 'green' | 'yellow' | 'red']>> = {
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
