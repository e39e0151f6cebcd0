import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Declares the commands `backup` and `restore`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('backup')
    .description('copy the state to a file, also while Fanfare runs')
    .argument('<file>', 'the file of the copy; an existing file is replaced')
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
      printRestore(await restore({ environment: process.env, file }), out);
    });
}

/** A backup of the state. */
interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The files of the installation that the backup does not contain. */
  readonly apart: readonly string[];
}

/** The result of a restore. */
interface Restored {
  readonly copiedAt: Date;
  /** The path of the previous state; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether the tokens of the accounts are readable. */
  readonly hasKey: boolean;
}

/** Prints where the copy is and which files it does not contain. */
export function printBackup({ file, bytes, apart }: Backup, out: Terminal): void {
  out.print(`${out.paint('green', 'The state is copied')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0)
    out.print(`The copy does not contain ${apart.join(', ')}. Copy these yourself, and store the key in another place than the copy.`);
}

/** Prints what the restore did and what the next start does. */
export function printRestore({ copiedAt, before, hasKey }: Restored, out: Terminal): void {
  out.print(`${out.paint('green', 'The state is restored')} as it was at ${copiedAt.toISOString()}.`);
  if (before !== undefined) out.print(`The previous state is in ${before}. Delete it when you no longer need it.`);
  if (!hasKey) out.print('The data folder has no key. Put the old key back, or sign in to the accounts again with fanfare auth.');
  out.print('Start Fanfare now. Before it sends anything, it searches the platforms for posts that the backup does not have.');
  out.print('If Fanfare cannot find out whether a post was sent, you decide: fanfare resolve lists these deliveries.');
}
