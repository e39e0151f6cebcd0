import type { Explainer, FileChanges } from '#src/admin/queries/offline.ts';
import type { Command } from 'commander';
import { z } from 'zod';
import { PlanLineAnswer, toPlanLineAnswer } from '#src/admin/queries/plan-line-answer.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import { noRulesText, offRuleLines } from '#src/rules/messages/off-rules.ts';
import type { RuleFiles } from '#src/engine/simulation/rule-files.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { printPlanLines } from './print-plan-lines.ts';
import { printWarnings } from './print-warnings.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('check'), {
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
  }).argument('[rules...]', 'Rule ids, rule files or folders (default: all rules)');
  answering(command, {
    schema: CheckAnswer,
    out,
    async run(shown, paths: string[]) {
      const [{ openRulesAndConfig }, { environmentWarnings }, { stateWarnings }] = await Promise.all([
        import('#src/app/open-rules.ts'),
        import('#src/app/environment-warnings.ts'),
        import('#src/app/state-warnings.ts'),
      ]);
      printWarnings([...environmentWarnings(process.env), ...(await stateWarnings(process.env))], out);
      const { rules, isConfigValid } = openRulesAndConfig(process.env);
      const changes = async (): ReturnType<Explainer['changes']> => {
        if (!isConfigValid) return undefined;
        const { openExplainer } = await import('#src/app/open-explainer.ts');
        return openExplainer(process.env).changes();
      };
      return await check({ rules, paths, changes, out: shown });
    },
  });
}

const CheckAnswer = z.object({
  files: z.int().describe('The number of files.'),
  ready: z.int().describe('The number of rules that are ready to run.'),
  off: z
    .array(
      z.object({
        rule: z.string().describe('The name of the rule.'),
        file: z.string().describe('Its file.'),
        enabled: z.union([z.literal(false), z.literal('sandbox')]).describe('The value of `enabled`.'),
      }),
    )
    .describe('The rules that are off.'),
  errors: z.int().describe('The number of errors.'),
  warnings: z.int().describe('The number of warnings.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings.'),
  changes: z
    .array(PlanLineAnswer)
    .readonly()
    .describe('How the files differ from the rules that ran last. Empty with arguments, and before the first start.'),
  rulesVersion: z.int().optional().describe('The published version that runs; absent without `DATABASE_URL`.'),
});

export interface CheckOptions {
  readonly rules: RuleFiles;
  readonly paths: readonly string[];
  /** The differences between the files and the rules that ran last; undefined before the first start. */
  readonly changes: Explainer['changes'];
  readonly out: Terminal;
}

/** Prints the diagnostics of rule files. The exit code is 1 if there are errors. */
export async function check({ rules, paths, changes, out }: CheckOptions): Promise<Answer<z.input<typeof CheckAnswer>>> {
  const { rules: good, diagnostics, files, off } = await rules.load(paths);
  for (const diagnostic of diagnostics) out.print(`${rules.formatDiagnostic(diagnostic, out)}\n`);

  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const verdict = errors > 0 ? out.paint('red', formatCount(errors, 'error')) : out.paint('green', 'no errors');
  const running = good.filter(({ name }) => !off.some((rule) => rule.name === name)).length;
  const ready = `${formatCount(running, 'rule')} ready to run${off.length > 0 ? `, ${good.length - running} off` : ''}`;
  if (files === 0) out.print(noRulesText(paths.length > 0 ? paths : [rules.folder]));
  if (files > 0 || diagnostics.length > 0)
    out.print(`${formatCount(files, 'file')}, ${ready}: ${verdict}, ${formatCount(warnings, 'warning')}`);
  for (const line of offRuleLines(off)) out.print(out.paint('dim', `  ${line}`));
  // A part of the rules does not show which rules are gone.
  const changed = paths.length === 0 ? await changes() : undefined;
  printChanges(changed, out);
  return {
    data: {
      files,
      ready: running,
      off: off.map(({ name, file, enabled }) => ({ rule: name, file, enabled })),
      errors,
      warnings,
      diagnostics,
      changes: changed?.lines.map(toPlanLineAnswer) ?? [],
      rulesVersion: changed?.version,
    },
    exitCode: errors > 0 ? 1 : 0,
  };
}

function printChanges({ lines, version }: FileChanges = { lines: [] }, out: Terminal): void {
  if (lines.length === 0) return;
  out.print(`\nChanges since ${version === undefined ? 'the last run' : `version ${version}`}:`);
  printPlanLines(lines, out);
}
