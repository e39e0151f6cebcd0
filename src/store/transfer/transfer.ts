import { createHash } from 'node:crypto';
import type { Row, StateTable, StoredTable, TransferSide, TransferTarget } from './state-tables.ts';

/** A table whose rows were copied and verified. */
export interface TransferredTable {
  readonly name: StateTable;
  readonly rows: number;
}

export interface TransferOptions {
  readonly from: TransferSide;
  readonly to: TransferTarget;
  readonly tables: readonly StoredTable[];
}

/** The rows of the target differ from those of the source. */
class TransferMismatch extends Error {
  override readonly name = 'TransferMismatch';
}

/** Copies all tables, and compares the rows read back with the rows of the source. */
export async function transfer({ from, to, tables }: TransferOptions): Promise<readonly TransferredTable[]> {
  const copied: (TransferredTable & { readonly digest: string })[] = [];
  for (const table of tables) {
    const written = await digestOf(table, from, (rows) => to.write(table, rows));
    copied.push({ name: table.name, ...written });
  }
  await to.count();
  for (const [index, table] of tables.entries()) {
    const { rows, digest } = await digestOf(table, to);
    const source = copied[index];
    if (source?.rows === rows && source.digest === digest) continue;
    throw new TransferMismatch(`the ${rows} copied rows of ${table.name} differ from the ${source?.rows ?? 0} rows of the source`);
  }
  return copied.map(({ name, rows }) => ({ name, rows }));
}

/** The number and the hash of the rows of a table. */
async function digestOf(
  table: StoredTable,
  side: TransferSide,
  onRows?: (rows: readonly Row[]) => Promise<void>,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of side.read(table)) {
    for (const row of rows) hash.update(JSON.stringify(row.map(toComparable)));
    count += rows.length;
    await onRows?.(rows);
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** PostgreSQL texts have no NUL character, so it is replaced as in all other writes. */
function toComparable(value: Row[number]): string | number | null {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
