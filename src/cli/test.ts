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
  let rule: string | undefined;
  for (const one of cases) {
    if (one.rule !== rule) out.print(out.paint('bold', one.rule));
    ({ rule } = one);
    out.print(indented(one.print(out)));
  }
  for (const rule of untested) out.print(out.paint('yellow', `${rule} has no test beside it`));

  const failed = cases.filter(({ passed }) => !passed).length;
  const unread = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file)).size;
  const files = unread === 0 ? '' : `, ${unread} ${unread === 1 ? 'file' : 'files'} with errors`;
  const isGood = failed + unread === 0;
  out.print(out.paint(isGood ? 'green' : 'red', `${cases.length - failed} passed, ${failed} failed${files}`));
  return isGood ? 0 : 1;
}

function indented(text: string): string {
  return text.replaceAll(/^/gmu, '  ');
}
