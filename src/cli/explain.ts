import type { Explainer } from '#src/app/explain/open-explainer.ts';
import { printExplanation } from './print-explanation.ts';
import { printInstances } from './print-instances.ts';
import type { Terminal } from './terminal.ts';

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

/** Says that there is no such rule, and which there are. */
export async function printUnknown(id: string, { explainer, out }: Pick<ExplainOptions, 'explainer' | 'out'>): Promise<void> {
  const { names, broken } = await explainer.known();
  out.printError(`There is no rule ${id} that can run. There are: ${names.join(', ') || 'none'}.`);
  if (broken.length > 0) out.printError(`These files cannot be used: ${broken.join(', ')}. What is wrong with them: fanfare check`);
}
