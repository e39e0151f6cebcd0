import type { Command } from 'commander';
import { z } from 'zod';
import type { Doctor } from '#src/admin/doctor/doctor.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine, printHanging } from './format.ts';
import { printWarnings, type Warning } from './print-warnings.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('doctor'), {
    group: 'setUp',
    summary: 'Check the installation and suggest fixes',
    description: [
      'Check the installation: Node, the data folder, the rules, the accounts, the permissions and channels in Discord, and the clock. For each problem, print how to fix it.',
      'The command reads the platforms. It sends no messages.',
    ],
    examples: [['Check the installation', 'fanfare doctor']],
    exits: ['No errors; there may be warnings', 'A check failed'],
  });
  const run = async (shown: Terminal): Promise<Answer<DoctorData>> => {
    const [{ openDoctor }, { environmentWarnings }] = await Promise.all([
      import('#src/app/open-doctor.ts'),
      import('#src/app/environment-warnings.ts'),
    ]);
    const warnings = environmentWarnings(process.env);
    await using doctor = await openDoctor({ environment: process.env, write: (line) => out.printError(line.trimEnd()) }).catch(
      (error: unknown) => {
        // A misspelled name can be the cause of the error.
        printWarnings(warnings, out);
        throw error;
      },
    );
    return await examine({ doctor, warnings: warnings.map(toResult), out: shown, signal: new AbortController().signal });
  };
  answering(command, { schema: DoctorAnswer, out, run });
}

const DoctorAnswer = z.object({
  checks: z
    .array(
      z.object({
        about: z.string().describe('The account or the part.'),
        state: z.enum(['good', 'warning', 'bad']).describe('`bad`: something does not work. `warning`: something may stop working.'),
        message: z.string().describe('The result.'),
        remedy: z.string().optional().describe('How to fix it.'),
      }),
    )
    .describe('The checks, in their order.'),
  errors: z.int().describe('The number of checks that failed.'),
  warnings: z.int().describe('The number of warnings.'),
});

type DoctorData = z.input<typeof DoctorAnswer>;

const SIGNS: Readonly<Record<CheckResult['state'], readonly [sign: string, style: 'green' | 'yellow' | 'red']>> = {
  good: ['✓', 'green'],
  warning: ['!', 'yellow'],
  bad: ['✗', 'red'],
};

export interface ExamineOptions {
  readonly doctor: Doctor;
  /** The warnings about the environment. */
  readonly warnings?: readonly CheckResult[] | undefined;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** Prints each check as soon as it is done. The exit code is 1 if a check failed. */
export async function examine({ doctor, warnings = [], out, signal }: ExamineOptions): Promise<Answer<DoctorData>> {
  const checks: DoctorData['checks'] = [];
  const count = { good: 0, warning: 0, bad: 0 };
  for await (const { about, state, what, remedy } of withWarnings(doctor, warnings, signal)) {
    const [sign, style] = SIGNS[state];
    printHanging(`${out.paint(style, sign)} ${out.paint('bold', about)}: ${oneLine(what)}`, 2, out);
    if (remedy !== undefined) printHanging(`    ${oneLine(remedy)}`, 4, out);
    count[state]++;
    checks.push({ about, state, message: what, remedy });
  }
  const found = [formatCount(count.bad, 'error'), formatCount(count.warning, 'warning')].filter((text) => !text.startsWith('0'));
  out.print(found.length === 0 ? out.paint('green', '\nNo problems found.') : `\n${found.join(', ')}.`);
  return { data: { checks, errors: count.bad, warnings: count.warning }, exitCode: count.bad > 0 ? 1 : 0 };
}

async function* withWarnings(doctor: Doctor, warnings: readonly CheckResult[], signal: AbortSignal): AsyncGenerator<CheckResult> {
  yield* warnings;
  yield* doctor.examine(signal);
}

function toResult({ where, message, hint }: Warning): CheckResult {
  return { about: where, state: 'warning', what: message, remedy: hint };
}
