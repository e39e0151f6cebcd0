import { Kysely } from 'kysely';
import { systemClock, type Clock } from '#src/clock.ts';
import { assembleStore, type Store } from './assemble.ts';
import { groupCommit } from './group-commit.ts';
import { createPruner } from './prune.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase, type OpenOptions } from '#src/store/sqlite/open.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { emptyLog, shrinkFile } from '#src/store/sqlite/shrink.ts';
import { transactWithoutSync } from '#src/store/sqlite/transact-without-sync.ts';
import type { Tables } from './tables.ts';

export type { Store } from './assemble.ts';

export interface StoreOptions extends OpenOptions {
  /** A file, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** Opens the store in one SQLite file, in its newest version. */
export async function openStore({ file = MEMORY, clock = systemClock, ...options }: StoreOptions = {}): Promise<Store> {
  const database = openDatabase(file, options);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  return assembleStore({
    db,
    clock,
    write: groupCommit(db, { clock, withoutSync: (work) => transactWithoutSync(db, database, work) }),
    prune: createPruner({
      db,
      clock,
      async alone(round) {
        await round();
        await db.connection().execute(async () => shrinkFile(database));
      },
    }),
    eraseDeleted: () => db.connection().execute(async () => emptyLog(database)),
    createLock: (name) => createProcessLock({ file, name, clock }),
  });
}
