import type { Command } from 'commander';
import type { Explainer } from '#src/controls/offline.ts';
import { UserError } from '#src/errors.ts';
import { printExplanation } from './print-explanation.ts';
import { printItem } from './print-item.ts';
import { printInstances } from './print-instances.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `explain`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('explain')
    .description('tell when a rule runs next, what it costs, what holds it back, and why it did or did not fire')
    .argument('[rule]', "the rule's id; of a rule with each, all its instances or one, as games/chess")
    .option('--item <name>', 'tell why a streamer or another item was or was not announced, by any rule')
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
  /** The rule's id, or that of an instance. */
  readonly rule: string;
  readonly out: Terminal;
}

/** Prints when a rule runs, what that costs, what holds it back and what it decided; the exit code is 1 where there is no such rule. */
export async function explain({ explainer, rule: id, out }: ExplainOptions): Promise<number> {
  const found = await explainer.explain(id);
  const [first] = found;
  if (!first) {
    await printUnknown(id, { explainer, out });
    return 1;
  }
  if (found.length > 1) printInstances(found, out);
  else printExplanation(first, out);
  return 0;
}

/** Prints why an item was or was not announced. */
export async function explainItem(name: string, { explainer, out }: Omit<ExplainOptions, 'rule'>): Promise<void> {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  printItem(await explainer.explainItem(name), { timezone, out });
}

/** Says that there is no such rule, and which there are. */
export async function printUnknown(id: string, { explainer, out }: Pick<ExplainOptions, 'explainer' | 'out'>): Promise<void> {
  const { names, broken } = await explainer.known();
  out.printError(`There is no rule ${id} that can run. There are: ${names.join(', ') || 'none'}.`);
  if (broken.length > 0) out.printError(`These files cannot be used: ${broken.join(', ')}. What is wrong with them: fanfare check`);
}
