import type { Terminal } from './terminal.ts';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { printUnknown, type ExplainOptions } from './explain.ts';

/** Declares the command `pause`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('pause')
    .description('let a rule say nothing more until it is resumed; what is open is still edited and closed')
    .argument('<rule>', "the rule's id")
    .action(async (rule: string) => {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      process.exitCode = await pause({ explainer: openExplainer(process.env), rule, by: operatorName(), out });
    });
}

export interface PauseOptions extends ExplainOptions {
  /** In whose name. */
  readonly by: string;
}

/** Lets a rule say nothing more until it is resumed; the exit code is 1 where there is no such rule. */
export async function pause({ explainer, rule, by, out }: PauseOptions): Promise<number> {
  const paused = await explainer.pause(rule, by);
  if (!paused) {
    await printUnknown(rule, { explainer, out });
    return 1;
  }
  if (paused.length === 0) out.print(`${rule} is paused already.`);
  for (const id of paused) out.print(`${out.paint('yellow', id)} says nothing more until: fanfare resume ${id}`);
  return 0;
}

/** The name of the operator, from the user account of the machine. Containers may have none. */
function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`;
  } catch {
    return 'somebody (command line)';
  }
}
