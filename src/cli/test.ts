import type { RuleShelf } from './rule-shelf.ts';
import type { Terminal } from './terminal.ts';

export interface TestOptions {
  readonly rules: RuleShelf;
  readonly paths: readonly string[];
  readonly out: Terminal;
}

/** Runs the tests of rules and prints each case; the exit code is 1 where one fails or cannot be read. */
export async function test({ rules, paths, out }: TestOptions): Promise<number> {
  const { problems, cases, untested } = await rules.runTests(paths);
  for (const problem of problems) out.print(`${rules.printProblem(problem, out)}\n`);
  for (const { print } of cases) out.print(print(out));
  for (const rule of untested) out.print(out.paint('yellow', `${rule} has no test beside it`));

  const failed = cases.filter(({ passed }) => !passed).length;
  const unread = problems.filter(({ severity }) => severity === 'error').length;
  const summary = `${cases.length - failed} passed, ${failed + unread} failed`;
  out.print(failed + unread > 0 ? out.paint('red', summary) : out.paint('green', summary));
  return failed + unread > 0 ? 1 : 0;
}
