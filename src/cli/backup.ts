import type { Command } from 'commander';
import { z } from 'zod';
import { answering } from './answering.ts';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';

/** Declares the commands `backup` and `restore`. */
export function declare(program: Command, out: Terminal): void {
  const backup = document(program.command('backup'), {
    group: 'operate',
    summary: 'Back up the state',
    description: [
      'Back up the state to a file. The command also works while Fanfare runs.',
      'The backup does not contain the rules, the settings and the key of the stored tokens. The command lists these files.',
    ],
    examples: [
      ['Back up the state', 'fanfare backup backups/fanfare.sqlite'],
      ['Back up the state of another folder', 'FANFARE_DATA=/var/lib/fanfare fanfare backup fanfare.sqlite'],
    ],
    exits: ['The backup is complete', 'There is no state, or the file cannot be written or is not a backup'],
  }).argument('<file>', 'File to write; an older backup is replaced, any other file is refused');
  answering(backup, {
    schema: BackupAnswer,
    out,
    async run(shown, file: string) {
      const { backUp } = await import('#src/app/backup.ts');
      const data = await backUp({ environment: process.env, file });
      printBackup(data, shown);
      return { data };
    },
  });

  const restoring = document(program.command('restore'), {
    group: 'operate',
    summary: 'Restore the state from a backup',
    description: [
      'Replace the state with a backup. Stop Fanfare first. The previous state is kept in another file.',
      'Without a file, the command notes that the state is a copy. Run it after another program put the state back: pg_restore with DATABASE_URL, or a tool that restores a folder, a volume or a virtual machine. It refuses to run while a process uses the state.',
      'Before Fanfare sends anything after a restore, it searches the platforms for messages that the backup does not have, so that it does not send them twice.',
    ],
    examples: [
      ['Restore a backup', 'fanfare restore backups/fanfare.sqlite'],
      ['Note that another program restored the state', 'fanfare restore'],
    ],
    exits: ['The state is restored, or the restore is noted', 'Nothing was changed: Fanfare runs, or there is no state or backup'],
  }).argument('[file]', 'File that fanfare backup wrote. Without it: only note that the state is a copy');
  answering(restoring, {
    schema: RestoreAnswer,
    out,
    async run(shown, file: string | undefined) {
      if (file === undefined) {
        const { noteRestoredState } = await import('#src/app/note-restore.ts');
        const noted = await noteRestoredState(process.env);
        printNoted(noted, shown);
        return { data: noted };
      }
      const { restore } = await import('#src/app/restore.ts');
      const restored = await restore({ environment: process.env, file });
      printRestore(restored, { file, out: shown });
      return { data: { file, ...restored } };
    },
  });
}

const BackupAnswer = z.object({
  file: z.string().describe('The written file.'),
  bytes: z.int().describe('Its size.'),
  apart: z.array(z.string()).readonly().describe('The files of the installation that the backup does not contain.'),
  isKeyApart: z.boolean().describe('Whether the key of the stored tokens is one of them.'),
});

const lacksKey = z.boolean().describe('Whether the state has tokens of accounts that no key of this installation can read.');

const hasOldAccess = z
  .boolean()
  .describe('Whether the people and tokens of the page are those of the backup, including those that were removed since then.');

const RestoredFile = z.object({
  file: z.string().describe('The backup.'),
  copiedAt: z.date().optional().describe('The last instant in the backup; absent if no rule had run.'),
  before: z.string().optional().describe('The file with the previous state; absent if there was none.'),
  lacksKey,
  hasOldAccess,
});

const NotedState = z.object({
  database: z.string().describe('The database without its password, or the file of the state.'),
  copiedAt: z.date().optional().describe('The last instant in the state; absent if no rule had run.'),
  searched: z.int().describe('The number of waiting deliveries that Fanfare searches for before it sends them.'),
  lacksKey,
  hasOldAccess,
});

const RestoreAnswer = z.union([RestoredFile.describe('With a file.'), NotedState.describe('Without a file.')]);

/** Prints where the backup is and which files it does not contain. */
function printBackup({ file, bytes, apart, isKeyApart }: z.input<typeof BackupAnswer>, out: Terminal): void {
  out.print(`${out.paint('green', 'Backup written')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0) out.print(`Not in the backup: ${apart.join(', ')}. Copy these files yourself, for example with cp.`);
  if (isKeyApart) out.print('Keep the key apart from the backup: together, they give access to your accounts.');
}

/** Prints what the restore did and what the next start does. */
function printRestore(
  { copiedAt, before, ...remarks }: Omit<z.input<typeof RestoredFile>, 'file'>,
  { file, out }: { readonly file: string; readonly out: Terminal },
): void {
  const asOf = copiedAt === undefined ? '' : `, as of ${copiedAt.toISOString()}`;
  out.print(`${out.paint('green', 'State restored')} from ${file}${asOf}.`);
  if (before !== undefined) out.print(`The previous state is in ${before}. Delete it when you no longer need it.`);
  printNextSteps(remarks, out);
}

/** Prints what the note changed in the state and what the next start does. */
function printNoted({ database, copiedAt, searched, ...remarks }: z.input<typeof NotedState>, out: Terminal): void {
  const asOf = copiedAt === undefined ? '' : ` Its state is as of ${copiedAt.toISOString()}.`;
  out.print(`${out.paint('green', 'Restore noted')} in ${database}.${asOf}`);
  out.print(`Waiting deliveries that Fanfare searches for before it sends them: ${searched}.`);
  printNextSteps(remarks, out);
}

function printNextSteps(
  { lacksKey: isWithoutKey, hasOldAccess: isAccessOld }: Pick<z.input<typeof NotedState>, 'lacksKey' | 'hasOldAccess'>,
  out: Terminal,
): void {
  if (isAccessOld) {
    const what = 'people, passwords and tokens that were removed or changed since the backup are valid again';
    out.print(`${out.paint('yellow', 'Check who may sign in')}: ${what}. To list them: fanfare user list, and fanfare token list`);
  }
  if (isWithoutKey) {
    const remedy = 'Put the old key back, or sign in again: fanfare auth <account>';
    out.print(`${out.paint('yellow', 'The key is missing or another one')}: Fanfare cannot read the tokens in the backup. ${remedy}`);
  }
  out.print('Next: start Fanfare. Before it sends anything, it searches the platforms for posts that the backup does not have.');
  out.print('If the search has no clear result, you decide: fanfare resolve lists these deliveries.');
}
