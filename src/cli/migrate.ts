import type { Command } from 'commander';
import { z } from 'zod';
import { formatCount } from '#src/rules/messages/format.ts';
import { answering } from './answering.ts';
import { document } from './document.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('migrate'), {
    group: 'operate',
    summary: 'Move the state to PostgreSQL or back',
    description: [
      'Move the state from the file in FANFARE_DATA to an empty PostgreSQL database, or from the database in DATABASE_URL to a file. Stop Fanfare first.',
      'The command copies all rows in one transaction, reads them back and compares them. After an error, nothing has changed, unless the error names a file that you must rename. The previous state stays under another name.',
    ],
    examples: [
      ['Move the state to the PostgreSQL database whose address is in a variable', 'fanfare migrate --to env:NEW_DATABASE'],
      ['Move the state to the PostgreSQL database whose address is in a file', 'fanfare migrate --to file:/run/secrets/database'],
      ['Move the state of DATABASE_URL back to a folder', 'fanfare migrate --to ./data'],
    ],
    exits: ['The state was moved and verified', 'Fanfare runs, the target is not empty, or the copy failed; nothing changed'],
  }).requiredOption(
    '--to <target>',
    'PostgreSQL database: env:<variable> or file:<file> with its address, or an address without a password. SQLite: a folder, or a file whose name ends in .sqlite',
  );
  answering(command, {
    schema: MigrateAnswer,
    out,
    async run(shown, { to }: { readonly to: string }) {
      const { isAddress } = await import('#src/app/migration-target.ts');
      const address = isAddress(to) ? URL.parse(to) : null;
      if (address?.password || address?.searchParams.get('password'))
        out.printError('warning: other users of this machine can see the password in --to. Use --to env:<variable> or --to file:<file>');
      const { migrateState } = await import('#src/app/migrate-state.ts');
      const data = await migrateState({ environment: process.env, to });
      printMoved(data, shown);
      return { data };
    },
  });
}

const MigrateAnswer = z.object({
  direction: z.enum(['toPostgres', 'toSqlite']).describe('Where the state went.'),
  tables: z
    .array(z.object({ name: z.string().describe('The name.'), rows: z.int().describe('The number of rows.') }))
    .readonly()
    .describe('The tables, read back and equal.'),
  to: z.string().describe('The file, or the database without its password.'),
  before: z.string().describe('The new name of the previous state.'),
  hasTokens: z.boolean().describe('Whether the state has tokens of accounts, which need the same key.'),
  keyFile: z.string().optional().describe('The file with the key; absent if it is in `FANFARE_KEY`.'),
  pictures: z.string().optional().describe('The folder of the pictures of scheduled posts, which stays.'),
  opens: z
    .string()
    .optional()
    .describe('The file that a start without `DATABASE_URL` opens; absent if the state is in this file or in PostgreSQL.'),
});

/** Prints the verified tables, and the next steps. */
export function printMoved(
  { direction, tables, to, before, hasTokens, keyFile, pictures, opens }: z.input<typeof MigrateAnswer>,
  out: Terminal,
): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  const nameWidth = Math.max(0, ...filled.map(({ name }) => name.length));
  const countWidth = Math.max(0, ...filled.map(({ rows }) => String(rows).length));
  for (const { name, rows } of filled) out.print(`${name.padEnd(nameWidth)}  ${String(rows).padStart(countWidth)}`);
  const total = filled.reduce((sum, { rows }) => sum + rows, 0);
  out.print(
    `${out.paint('green', 'State moved')} to ${to}: ${formatCount(total, 'row')} in ${formatCount(filled.length, 'table')}, read back and equal.`,
  );
  out.print(`The previous state is now named ${before}. Delete it when you no longer need it.`);
  const key = keyFile === undefined ? 'FANFARE_KEY' : `FANFARE_KEY to the content of ${keyFile}`;
  if (hasTokens) out.print(`Every process needs the same key to read the tokens of accounts: set ${key}.`);
  if (pictures !== undefined) out.print(`The pictures of scheduled posts stay in ${pictures}.`);
  if (direction === 'toPostgres') out.print('Next: set DATABASE_URL, and start Fanfare.');
  else out.print(`Next: remove DATABASE_URL, ${opens === undefined ? '' : `move ${to} to ${opens}, `}and start Fanfare.`);
}
