import type { Backup } from '#src/app/copies/back-up.ts';
import type { Restored } from '#src/app/copies/restore.ts';
import type { Terminal } from './terminal.ts';

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
