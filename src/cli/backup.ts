import type { Command } from 'commander';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Declares the commands `backup` and `restore`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('backup'), {
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
    exits: ['The backup is complete', 'There is no state, or the file cannot be written'],
  })
    .argument('<file>', 'File to write; an existing file is replaced')
    .action(async (file: string) => {
      const { backUp } = await import('#src/app/backup.ts');
      printBackup(await backUp({ environment: process.env, file }), out);
    });

  document(program.command('restore'), {
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
  })
    .argument('[file]', 'File that fanfare backup wrote. With DATABASE_URL: none')
    .action(async (file: string | undefined) => {
      if (file === undefined) {
        const { noteRestoredDatabase } = await import('#src/app/note-restore.ts');
        const noted = await noteRestoredDatabase(process.env);
        if (!noted)
          throw new UsageError('the name of the backup is missing', {
            argument: 'fanfare restore',
            hint: 'name a file that fanfare backup wrote, or set DATABASE_URL to a database that pg_restore restored',
          });
        printRestoredDatabase(noted, out);
        return;
      }
      const { restore } = await import('#src/app/restore.ts');
      printRestore(await restore({ environment: process.env, file }), { file, out });
    });
}

/** A backup of the state. */
interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The files of the installation that the backup does not contain. */
  readonly apart: readonly string[];
  readonly isKeyApart: boolean;
}

/** The result of a restore. */
interface Restored {
  /** The last instant in the backup; undefined if no rule had run. */
  readonly copiedAt: Date | undefined;
  /** The path of the previous state; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether the backup has tokens of accounts, and the data folder no key for them. */
  readonly lacksKey: boolean;
}

/** A database that was noted as restored. */
interface RestoredDatabase {
  readonly database: string;
  readonly copiedAt: Date;
  readonly searched: number;
  readonly lacksKey: boolean;
}

/** Prints where the backup is and which files it does not contain. */
export function printBackup({ file, bytes, apart, isKeyApart }: Backup, out: Terminal): void {
  out.print(`${out.paint('green', 'Backup written')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0) out.print(`Not in the backup: ${apart.join(', ')}. Back up these files too.`);
  if (isKeyApart) out.print('Keep the key apart from the backup: together, they give access to your accounts.');
}

/** Prints what the restore did and what the next start does. */
export function printRestore(
  { copiedAt, before, lacksKey }: Restored,
  { file, out }: { readonly file: string; readonly out: Terminal },
): void {
  const asOf = copiedAt === undefined ? '' : `, as of ${copiedAt.toISOString()}`;
  out.print(`${out.paint('green', 'State restored')} from ${file}${asOf}.`);
  if (before !== undefined) out.print(`The previous state is in ${before}. Delete it when you no longer need it.`);
  printNextSteps(lacksKey, out);
}

/** Prints what the restore changed in the database and what the next start does. */
function printRestoredDatabase({ database, copiedAt, searched, lacksKey }: RestoredDatabase, out: Terminal): void {
  out.print(`${out.paint('green', 'Restore noted')} in ${database}. Its state is as of ${copiedAt.toISOString()}.`);
  out.print(`Waiting deliveries that Fanfare searches for before it sends them: ${searched}.`);
  printNextSteps(lacksKey, out);
}

function printNextSteps(lacksKey: boolean, out: Terminal): void {
  if (lacksKey) {
    const remedy = 'Put the old key back, or sign in again: fanfare auth <account>';
    out.print(`${out.paint('yellow', 'The key is missing')}: Fanfare cannot read the tokens in the backup. ${remedy}`);
  }
  out.print('Next: start Fanfare. Before it sends anything, it searches the platforms for posts that the backup does not have.');
  out.print('If the search has no clear result, you decide: fanfare resolve lists these deliveries.');
}
