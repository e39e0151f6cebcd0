import { sql, type Kysely } from 'kysely';
import type { SharedPictures } from '#src/engine/posting/pictures.ts';
import type { Tables } from '#src/store/tables.ts';
import { NOW_MS } from './now.ts';

/** The pictures in the database. */
export function createSharedPictures(db: Kysely<Tables>): SharedPictures {
  return {
    async put(name, bytes) {
      await sql`insert into picture (name, bytes, stored_ms) values (${name}, ${bytes}, ${NOW_MS}) on conflict do nothing`.execute(db);
    },
    async get(name) {
      const { rows } = await sql<{ readonly bytes: Uint8Array }>`select bytes from picture where name = ${name}`.execute(db);
      return rows[0]?.bytes;
    },
    async sweep(needed, youngMs) {
      await sql`
        delete from picture where stored_ms < ${NOW_MS} - ${youngMs}
        and name not in (select value from json_each(${JSON.stringify([...needed])}))`.execute(db);
    },
  };
}
