import type { Explainer, FileChanges } from '#src/controls/offline.ts';
import type { Command } from 'commander';
import { offRuleLines } from '#src/rules/messages/off-rules.ts';
import type { RuleFiles } from '#src/queries/rule-files.ts';
import { document } from './document.ts';
import { printPlanLines } from './print-plan-lines.ts';
import { printWarnings } from './print-warnings.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `check`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('check'), {
    group: 'rules',
    summary: 'Check rule files for errors',
    description: [
      'Check rule files, and print all errors and warnings with line, column and a suggestion.',
      'Without arguments, the command also prints how the files differ from the rules that ran last. It sends no requests.',
    ],
    examples: [
      ['Check all rules', 'fanfare check'],
      ['Check one rule', 'fanfare check live-card'],
      ['Check one file', 'fanfare check rules/live-card.yaml'],
    ],
    exits: ['No errors; there may be warnings', 'A file has errors or cannot be read'],
  })
    .argument('[rules...]', 'Rule ids, rule files or folders (default: all rules)')
    .action(async (paths: string[]) => {
      const [{ openRulesAndConfig }, { environmentWarnings }] = await Promise.all([
        import('#src/app/open-rules.ts'),
        import('#src/app/environment-warnings.ts'),
      ]);
      printWarnings(environmentWarnings(process.env), out);
      const { rules, isConfigValid } = openRulesAndConfig(process.env);
      const changes = async (): ReturnType<Explainer['changes']> => {
        if (!isConfigValid) return undefined;
        const { openExplainer } = await import('#src/app/open-explainer.ts');
        return openExplainer(process.env).changes();
      };
      process.exitCode = await check({ rules, paths, changes, out });
    });
}

export interface CheckOptions {
  readonly rules: RuleFiles;
  readonly paths: readonly string[];
  /** The differences between the files and the rules that ran last; undefined before the first start. */
  readonly changes: Explainer['changes'];
  readonly out: Terminal;
}

/** Prints the diagnostics of rule files. Returns the exit code: 1 if there are errors. */
export async function check({ rules, paths, changes, out }: CheckOptions): Promise<number> {
  const { rules: good, diagnostics, files, off } = await rules.load(paths);
  for (const diagnostic of diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);

  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const verdict = errors > 0 ? out.paint('red', count(errors, 'error')) : out.paint('green', 'no errors');
  const running = good.filter(({ name }) => !off.some((rule) => rule.name === name)).length;
  const ready = `${count(running, 'rule')} ready to run${off.length > 0 ? `, ${good.length - running} off` : ''}`;
  out.print(`${count(files, 'file')}, ${ready}: ${verdict}, ${count(warnings, 'warning')}`);
  for (const line of offRuleLines(off)) out.print(out.paint('dim', `  ${line}`));
  // A part of the rules does not show which rules are gone.
  if (paths.length === 0) printChanges(await changes(), out);
  return errors > 0 ? 1 : 0;
}

function printChanges({ lines, version }: FileChanges = { lines: [] }, out: Terminal): void {
  if (lines.length === 0) return;
  out.print(`\nChanges since ${version === undefined ? 'the last run' : `version ${version}`}:`);
  printPlanLines(lines, out);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
