import type { Command } from 'commander';
import type { z } from 'zod';
import { RuleTestAnswer } from '#src/admin/queries/action-answers.ts';
import { toTestAnswer } from '#src/admin/queries/to-answers.ts';
import type { RuleFiles } from '#src/engine/simulation/rule-files.ts';
import { noRulesText } from '#src/rules/messages/off-rules.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { printWarnings } from './print-warnings.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('test'), {
    group: 'rules',
    summary: 'Run the tests of rules',
    description: [
      'Run the tests of rules on a simulated clock. The tests of rules/live-card.yaml are in rules/live-card.test.yaml.',
      'A test fails if the rule sends a message that the test does not expect, or does not send one that it expects. Tests use no network and no accounts.',
    ],
    examples: [
      ['Run all tests', 'fanfare test'],
      ['Run the tests of one rule', 'fanfare test live-card'],
      ['Run the tests of one file', 'fanfare test rules/live-card.yaml'],
    ],
    exits: ['All tests passed', 'A test failed, or a file has errors'],
  }).argument('[rules...]', 'Rule ids, rule files, test files or folders (default: all rules)');
  answering(command, {
    schema: RuleTestAnswer,
    out,
    async run(shown, paths: string[]) {
      const [{ openRules }, { stateWarnings }] = await Promise.all([
        import('#src/app/open-rules.ts'),
        import('#src/app/state-warnings.ts'),
      ]);
      printWarnings(await stateWarnings(process.env), out);
      return await test({ rules: openRules(process.env, { isTesting: true }), paths, out: shown });
    },
  });
}

export interface TestOptions {
  readonly rules: RuleFiles;
  readonly paths: readonly string[];
  readonly out: Terminal;
}

/** Runs the tests of rules and prints each case. The exit code is 1 if a case fails or a file has errors. */
export async function test({ rules, paths, out }: TestOptions): Promise<Answer<z.input<typeof RuleTestAnswer>>> {
  const ran = await rules.runTests(paths);
  const { diagnostics, cases, untested, simulatedAccounts } = ran;
  for (const diagnostic of diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);
  let rule: string | undefined;
  for (const one of cases) {
    if (one.rule !== rule) out.print(out.paint('bold', one.rule));
    ({ rule } = one);
    out.print(indented(one.print(out)));
  }
  for (const rule of untested) out.print(out.paint('yellow', `${rule} has no tests`));
  if (simulatedAccounts.length > 0) out.print(out.paint('dim', `Not connected, simulated for the tests: ${simulatedAccounts.join(', ')}`));

  if (cases.length + untested.length + diagnostics.length === 0) {
    out.print(noRulesText(paths.length > 0 ? paths : [rules.folder]));
    return { data: toTestAnswer(ran) };
  }
  const failed = cases.filter(({ passed }) => !passed).length;
  const unread = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ file }) => file)).size;
  const files = unread === 0 ? '' : `, ${unread} ${unread === 1 ? 'file' : 'files'} with errors`;
  const isGood = failed + unread === 0;
  out.print(out.paint(isGood ? 'green' : 'red', `${cases.length - failed} passed, ${failed} failed${files}`));
  return { data: toTestAnswer(ran), exitCode: isGood ? 0 : 1 };
}

function indented(text: string): string {
  return text.replaceAll(/^/gmu, '  ');
}
