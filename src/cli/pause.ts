import type { Command } from 'commander';
import { document } from './document.ts';
import { printUnknown, type ExplainOptions } from './explain.ts';
import { operatorName } from './operator-name.ts';
import type { Terminal } from './terminal.ts';

/** Declares the commands `pause` and `resume`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('pause'), {
    group: 'operate',
    summary: 'Stop new announcements of a rule',
    description: [
      'Stop new announcements of a rule until you resume it. Fanfare still updates and closes cards that are open.',
      'The pause applies at once, and it outlasts a restart. Announcements that the pause prevents are not sent later.',
    ],
    examples: [
      ['Pause a rule', 'fanfare pause live-card'],
      ['Pause one instance of a rule', 'fanfare pause games/chess'],
    ],
    exits: ['The rule is paused', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .action(async (rule: string) => {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      process.exitCode = await pause({ explainer: openExplainer(process.env), rule, by: operatorName(), out });
    });

  document(program.command('resume'), {
    group: 'operate',
    summary: 'Resume a rule',
    description: ['Resume a rule that was paused with fanfare pause or in Discord, or whose fuse blew.'],
    examples: [['Resume a rule', 'fanfare resume live-card']],
    exits: ['The rule is not paused', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .action(async (rule: string) => {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      process.exitCode = await resume({ explainer: openExplainer(process.env), rule, out });
    });
}

/** Pauses a rule in the name of `by`. Returns the exit code: 1 if there is no such rule. */
export async function pause({ explainer, rule, by, out }: ExplainOptions & { readonly by: string }): Promise<number> {
  const paused = await explainer.pause(rule, by);
  if (!paused) return printUnknown(rule, { explainer, out });
  if (paused.length === 0) out.print(`${rule} is already paused.`);
  for (const id of paused) out.print(`${out.paint('yellow', id)} is paused. To resume it: fanfare resume ${id}`);
  return 0;
}

/** Resumes a rule. Returns the exit code: 1 if there is no such rule. */
export async function resume({ explainer, rule, out }: ExplainOptions): Promise<number> {
  const resumed = await explainer.resume(rule);
  if (!resumed) return printUnknown(rule, { explainer, out });
  if (resumed.length === 0) out.print(`${rule} is not paused.`);
  for (const id of resumed) out.print(`${out.paint('green', id)} is resumed. Announcements from the pause are not sent later.`);
  return 0;
}
