import type { Command } from 'commander';
import { z } from 'zod';
import { answering } from './answering.ts';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

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
      'With DATABASE_URL, restore the dump with pg_restore, then run the command without a file. It notes in the database that the state is a copy. It refuses to run while a process uses the database.',
      'Before Fanfare sends anything after a restore, it searches the platforms for messages that the backup does not have, so that it does not send them twice.',
    ],
    examples: [
      ['Restore a backup', 'fanfare restore backups/fanfare.sqlite'],
      ['Note in a database that pg_restore restored it', 'fanfare restore'],
    ],
    exits: ['The state is restored', 'Fanfare is running, or the file is not a backup; nothing was changed'],
  }).argument('[file]', 'File that fanfare backup wrote. With DATABASE_URL: none');
  answering(restoring, {
    schema: RestoreAnswer,
    out,
    async run(shown, file: string | undefined) {
      if (file === undefined) {
        const { noteRestoredDatabase } = await import('#src/app/note-restore.ts');
        const noted = await noteRestoredDatabase(process.env);
        if (!noted)
          throw new UsageError('the name of the backup is missing', {
            argument: 'fanfare restore',
            hint: 'name a file that fanfare backup wrote, or set DATABASE_URL to a database that pg_restore restored',
          });
        printRestoredDatabase(noted, shown);
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

const RestoredFile = z.object({
  file: z.string().describe('The backup.'),
  copiedAt: z.date().optional().describe('The last instant in the backup; absent if no rule had run.'),
  before: z.string().optional().describe('The file with the previous state; absent if there was none.'),
  lacksKey,
});

const RestoredDatabase = z.object({
  database: z.string().describe('The database, without its password.'),
  copiedAt: z.date().describe('The last instant in the backup.'),
  searched: z.int().describe('The number of waiting deliveries that Fanfare searches for before it sends them.'),
  lacksKey,
});

const RestoreAnswer = z.union([RestoredFile.describe('With a file.'), RestoredDatabase.describe('With `DATABASE_URL`.')]);

/** Prints where the backup is and which files it does not contain. */
export function printBackup({ file, bytes, apart, isKeyApart }: z.input<typeof BackupAnswer>, out: Terminal): void {
  out.print(`${out.paint('green', 'Backup written')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0) out.print(`Not in the backup: ${apart.join(', ')}. Copy these files yourself, for example with cp.`);
  if (isKeyApart) out.print('Keep the key apart from the backup: together, they give access to your accounts.');
}

/** Prints what the restore did and what the next start does. */
export function printRestore(
  { copiedAt, before, lacksKey: isWithoutKey }: Omit<z.input<typeof RestoredFile>, 'file'>,
  { file, out }: { readonly file: string; readonly out: Terminal },
): void {
  const asOf = copiedAt === undefined ? '' : `, as of ${copiedAt.toISOString()}`;
  out.print(`${out.paint('green', 'State restored')} from ${file}${asOf}.`);
  if (before !== undefined) out.print(`The previous state is in ${before}. Delete it when you no longer need it.`);
  printNextSteps(isWithoutKey, out);
}

/** Prints what the restore changed in the database and what the next start does. */
function printRestoredDatabase(
  { database, copiedAt, searched, lacksKey: isWithoutKey }: z.input<typeof RestoredDatabase>,
  out: Terminal,
): void {
  out.print(`${out.paint('green', 'Restore noted')} in ${database}. Its state is as of ${copiedAt.toISOString()}.`);
  out.print(`Waiting deliveries that Fanfare searches for before it sends them: ${searched}.`);
  printNextSteps(isWithoutKey, out);
}

function printNextSteps(isWithoutKey: boolean, out: Terminal): void {
  if (isWithoutKey) {
    const remedy = 'Put the old key back, or sign in again: fanfare auth <account>';
    out.print(`${out.paint('yellow', 'The key is missing')}: Fanfare cannot read the tokens in the backup. ${remedy}`);
  }
  out.print('Next: start Fanfare. Before it sends anything, it searches the platforms for posts that the backup does not have.');
  out.print('If the search has no clear result, you decide: fanfare resolve lists these deliveries.');
}
