import { Kysely } from 'kysely';
import { describe } from 'vitest';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase } from '#src/store/sqlite/open.ts';
import type { Tables } from '#src/store/tables.ts';
import { recordedPollsContract } from '../contract/recorded-polls.ts';
import { openEmptyStore } from '../support/postgres-stores.ts';

describe('recordings in SQLite', () => {
  recordedPollsContract(async () => {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(openDatabase(MEMORY)) });
    return { db, [Symbol.asyncDispose]: () => db.destroy() };
  });
});

describe('recordings in PostgreSQL', () => {
  recordedPollsContract(() => openEmptyStore());
});
