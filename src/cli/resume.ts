import type { Terminal } from './terminal.ts';
import type { Command } from 'commander';
import { printUnknown, type ExplainOptions } from './explain.ts';

/** Declares the command `resume`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('resume')
    .description('let a rule speak again that was paused, or whose fuse blew')
    .argument('<rule>', "the rule's id")
    .action(async (rule: string) => {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      process.exitCode = await resume({ explainer: openExplainer(process.env), rule, out });
    });
}

/** Lets a rule speak again that is paused; the exit code is 1 where there is no such rule. */
export async function resume({ explainer, rule, out }: ExplainOptions): Promise<number> {
  const resumed = await explainer.resume(rule);
  if (!resumed) {
    await printUnknown(rule, { explainer, out });
    return 1;
  }
  if (resumed.length === 0) out.print(`${rule} is not paused.`);
  for (const id of resumed) out.print(`${out.paint('green', id)} speaks again. What happened while it was paused is not made up for.`);
  return 0;
}
