import type { Command } from 'commander';
import { z } from 'zod';
import type { CreatedProject } from '#src/admin/scaffold/create-project.ts';
import { answering } from './answering.ts';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const init = document(program.command('init'), {
    group: 'setUp',
    summary: 'Create a project with a first rule and its test',
    description: [
      'Create a project: a folder with a first rule, its test, fanfare.yaml, .env.example, .gitignore, and settings that complete rules in VS Code.',
      'Existing files stay unchanged. The command also works inside an npm project.',
    ],
    examples: [
      ['Create a project in a new folder', 'fanfare init my-bot'],
      ['Create a project in the current folder', 'fanfare init'],
    ],
    exits: ['The project is complete', 'A file cannot be written'],
  }).argument('[folder]', 'Folder of the project', '.');
  answering(init, {
    schema: InitAnswer,
    out,
    async run(shown, folder: string) {
      const { createProjectIn } = await import('#src/app/create-project-in.ts');
      const data = await createProjectIn(folder);
      printProject(data, { folder, out: shown });
      return { data };
    },
  });
}

const InitAnswer = z.object({
  written: z.array(z.string()).readonly().describe('The new files.'),
  kept: z.array(z.string()).readonly().describe('The files that existed before. They are unchanged.'),
  notIgnored: z.array(z.string()).readonly().describe('The lines to add to `.gitignore`.'),
});

/** Prints the files of a new project and the next commands. */
export function printProject(
  { written, kept, notIgnored }: CreatedProject,
  { folder, out }: { readonly folder: string; readonly out: Terminal },
): void {
  for (const path of written) out.print(`${out.paint('green', 'written  ')} ${path}`);
  for (const path of kept) out.print(`${out.paint('dim', 'unchanged')} ${path}`);
  if (notIgnored.length > 0) {
    out.print(`\n${out.paint('yellow', 'Add to .gitignore')}, so that Git does not store secrets and state:`);
    for (const line of notIgnored) out.print(`  ${line}`);
  }
  out.print(`\n${out.paint('bold', 'Next:')}`);
  const commands = [
    ...(folder === '.' ? [] : [[`cd ${/^[\w./-]+$/u.test(folder) ? folder : JSON.stringify(folder)}`, '']]),
    ['npx fanfare test', 'run the test of the first rule'],
    ['npx fanfare start', 'run the rule on simulated platforms'],
    ['npx fanfare new', 'create your own rule'],
    ['npx fanfare auth discord', 'connect Discord (or twitch, kick, x, …)'],
  ];
  const widest = Math.max(...commands.map(([command = '']) => command.length));
  for (const [command = '', about = ''] of commands)
    out.print(`  ${out.paint('cyan', command.padEnd(widest))}  ${out.paint('dim', about)}`.trimEnd());
}
