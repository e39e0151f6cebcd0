import type { Client } from 'pg';
import { toValue } from '#src/store/postgres/dialect.ts';
import { BATCH, insertInto, selectAll, STORED_TABLES, type Row, type StateTable, type TransferTarget } from './state-tables.ts';

/** A transaction in PostgreSQL as a side of a transfer. */
export function postgresSide(client: Client): TransferTarget {
  return {
    async *read(table) {
      await client.query(`declare transferred no scroll cursor for ${selectAll(table)}`);
      for (;;) {
        const { rows } = await client.query<[...Row]>({ text: `fetch ${BATCH} from transferred`, rowMode: 'array' });
        if (rows.length > 0) yield rows;
        if (rows.length < BATCH) break;
      }
      await client.query('close transferred');
    },

    async filled() {
      const filled: StateTable[] = [];
      for (const { name } of STORED_TABLES) {
        const { rows } = await client.query(`select 1 from ${name} limit 1`);
        if (rows.length > 0) filled.push(name);
      }
      return filled;
    },

    async write(table, rows) {
      let last = 0;
      const values = rows.map((row) => `(${row.map(() => `$${++last}`).join(', ')})`).join(', ');
      await client.query(insertInto(table) + values, rows.flat().map(toValue));
    },

    async count() {
      await client.query('delete from sent_count');
      await client.query(
        "insert into sent_count (part, verb, count) select 0, verb, count(*) from delivery where state = 'sent' group by verb",
      );
      for (const { name } of STORED_TABLES.filter(({ hasSequence }) => hasSequence)) {
        await client.query(`select setval(pg_get_serial_sequence('${name}', 'seq'), max(seq)) from ${name} having max(seq) is not null`);
      }
    },
  };
}
