import type { RuleShelf } from './rule-shelf.ts';
import type { Terminal } from './terminal.ts';

export interface CheckOptions {
  readonly rules: RuleShelf;
  readonly paths: readonly string[];
  readonly out: Terminal;
}

/** Prints everything that is wrong with rule files; the exit code is 1 where something is an error. */
export async function check({ rules, paths, out }: CheckOptions): Promise<number> {
  const { rules: good, problems, files } = await rules.load(paths);
  for (const problem of problems) out.print(`${rules.printProblem(problem, out)}\n`);

  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const verdict = errors > 0 ? out.paint('red', count(errors, 'error')) : out.paint('green', 'no errors');
  out.print(`${count(files, 'file')}, ${count(good.length, 'rule')} ready to run: ${verdict}, ${count(warnings, 'warning')}`);
  return errors > 0 ? 1 : 0;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
