import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Declares the commands `backup` and `restore`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('backup')
    .description('back up the state to a file, also while Fanfare runs')
    .argument('<file>', 'the file of the backup; an existing file is replaced')
    .action(async (file: string) => {
      const { backUp } = await import('#src/app/backup.ts');
      printBackup(await backUp({ environment: process.env, file }), out);
    });

  program
    .command('restore')
    .description('replace the state with a backup; the next start searches the platforms for posts that the backup does not have')
    .argument('<file>', 'a file from fanfare backup')
    .action(async (file: string) => {
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

/** Prints where the backup is and which files it does not contain. */
export function printBackup({ file, bytes, apart, isKeyApart }: Backup, out: Terminal): void {
  out.print(`${out.paint('green', 'Backup written')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0) out.print(`Not in the backup: ${apart.join(', ')}. Back up these files too.`);
  if (isKeyApart) out.print('Store the key in another place than the backup: together, they give access to your accounts.');
}

/** Prints what the restore did and what the next start does. */
export function printRestore(
  { copiedAt, before, lacksKey }: Restored,
  { file, out }: { readonly file: string; readonly out: Terminal },
): void {
  const asOf = copiedAt === undefined ? '' : `, as of ${copiedAt.toISOString()}`;
  out.print(`${out.paint('green', 'State restored')} from ${file}${asOf}.`);
  if (before !== undefined) out.print(`The previous state is in ${before}. Delete it when you no longer need it.`);
  if (lacksKey) {
    const remedy = 'Put the old key back, or sign in to the accounts again with fanfare auth.';
    out.print(`${out.paint('yellow', 'The key is missing')}: Fanfare cannot read the tokens in the backup. ${remedy}`);
  }
  out.print('Next: start Fanfare. Before it sends anything, it searches the platforms for posts that the backup does not have.');
  out.print('If the search has no clear result, you decide: fanfare resolve lists these deliveries.');
}
