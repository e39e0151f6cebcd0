import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Declares the commands `backup` and `restore`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('backup')
    .description('copy the state into a file, also while Fanfare runs')
    .argument('<file>', 'where the copy goes; a file that is there is replaced')
    .action(async (file: string) => {
      const { backUp } = await import('#src/app/backup.ts');
      printBackup(await backUp({ environment: process.env, file }), out);
    });

  program
    .command('restore')
    .description('put a copy in the place of the state; the next start looks on the platforms for what the copy does not know')
    .argument('<file>', 'what fanfare backup wrote')
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

/** Says where a copy is, and what it does not hold. */
export function printBackup({ file, bytes, apart }: Backup, out: Terminal): void {
  out.print(`${out.paint('green', 'The state is copied')} to ${file} (${(bytes / 1e6).toFixed(1)} MB).`);
  if (apart.length > 0)
    out.print(`The copy does not contain ${apart.join(', ')}. Copy these yourself, and keep the key apart from the copy.`);
}

/** Says what a restore did, and what the next start does. */
export function printRestore({ copiedAt, before, hasKey }: Restored, out: Terminal): void {
  out.print(`${out.paint('green', 'The state is restored')} as it was at ${copiedAt.toISOString()}.`);
  if (before !== undefined) out.print(`The state from before is kept in ${before}. Delete it when you no longer need it.`);
  if (!hasKey) out.print('There is no key in the data folder: sign the accounts in again with fanfare auth, or put the old key back.');
  out.print('Start Fanfare now. It looks on the platforms for everything the copy does not know, before it sends anything.');
  out.print('If Fanfare cannot decide whether something was sent, it asks you: fanfare resolve lists those deliveries.');
}
