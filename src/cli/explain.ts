import type { Command } from 'commander';
import type { Explainer } from '#src/controls/offline.ts';
import { UserError } from '#src/errors.ts';
import { unknownRuleText } from './format.ts';
import { printExplanation } from './print-explanation.ts';
import { printItem } from './print-item.ts';
import { printInstances } from './print-instances.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `explain`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('explain')
    .description('show when a rule runs next, what it costs, and why it did or did not announce something')
    .argument('[rule]', 'the id of a rule or of one of its instances, as games/chess')
    .option('--item <name>', 'show why a streamer or another item was or was not announced, by any rule')
    .action(async (rule: string | undefined, { item }: { readonly item?: string }) => {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const explainer = openExplainer(process.env);
      if (item !== undefined) await explainItem(item, { explainer, out });
      else if (rule !== undefined) process.exitCode = await explain({ explainer, rule, out });
      else throw new UserError('Name a rule: fanfare explain <rule>. Or name a streamer: fanfare explain --item <name>.');
    });
}

export interface ExplainOptions {
  readonly explainer: Explainer;
  /** The id of a rule or of an instance. */
  readonly rule: string;
  readonly out: Terminal;
}

/** Prints the schedule, the cost and the decisions of a rule. Returns the exit code: 1 if there is no such rule. */
export async function explain({ explainer, rule: id, out }: ExplainOptions): Promise<number> {
  const found = await explainer.explain(id);
  const [first] = found;
  if (!first) return printUnknown(id, { explainer, out });
  if (found.length > 1) printInstances(found, out);
  else printExplanation(first, out);
  return 0;
}

/** Prints why an item was or was not announced. */
export async function explainItem(name: string, { explainer, out }: Omit<ExplainOptions, 'rule'>): Promise<void> {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  printItem(await explainer.explainItem(name), { timezone, out });
}

/** Prints that there is no such rule, and the known rules. Returns the exit code. */
export async function printUnknown(id: string, { explainer, out }: Pick<ExplainOptions, 'explainer' | 'out'>): Promise<1> {
  const { names, broken } = await explainer.known();
  out.printError(unknownRuleText(id, names));
  if (broken.length > 0) out.printError(`These files have errors: ${broken.join(', ')}. To see the errors: fanfare check`);
  return 1;
}
