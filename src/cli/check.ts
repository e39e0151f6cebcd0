import type { PlanLine } from '#src/app/reload/tell-plan.ts';
import type { RuleShelf } from './rule-shelf.ts';
import type { Style, Terminal } from './terminal.ts';

export interface CheckOptions {
  readonly rules: RuleShelf;
  readonly paths: readonly string[];
  /** What would change if the files took the place of what ran last; undefined where nothing ran yet. */
  readonly changes: () => Promise<readonly PlanLine[] | undefined>;
  readonly out: Terminal;
}

/** Prints everything that is wrong with rule files; the exit code is 1 where something is an error. */
export async function check({ rules, paths, changes, out }: CheckOptions): Promise<number> {
  const { rules: good, problems, files } = await rules.load(paths);
  for (const problem of problems) out.print(`${rules.printProblem(problem, out)}\n`);

  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const verdict = errors > 0 ? out.paint('red', count(errors, 'error')) : out.paint('green', 'no errors');
  out.print(`${count(files, 'file')}, ${count(good.length, 'rule')} ready to run: ${verdict}, ${count(warnings, 'warning')}`);
  // Of a part of the rules nobody can say what is gone.
  if (paths.length === 0) printChanges((await changes()) ?? [], out);
  return errors > 0 ? 1 : 0;
}

const MARKS: Readonly<Record<PlanLine['mark'], Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'red' };

function printChanges(lines: readonly PlanLine[], out: Terminal): void {
  if (lines.length === 0) return;
  out.print('\nBeside what ran last, this changes:');
  for (const { mark, text } of lines) out.print(`${out.paint(MARKS[mark], mark)} ${text}`);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
