import { Kysely } from 'kysely';
import { systemClock, type Clock } from '#src/clock.ts';
import { assembleStore, type Store } from './assemble.ts';
import { groupCommit } from './group-commit.ts';
import { createPruner } from './prune.ts';
import { sqliteDialect } from '#src/store/sqlite/dialect.ts';
import { MEMORY, openDatabase } from '#src/store/sqlite/open.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { shrinkFile } from '#src/store/sqlite/shrink.ts';
import { transactWithoutSync } from '#src/store/sqlite/transact-without-sync.ts';
import type { OnMigrate } from './schema/versions.ts';
import type { Tables } from './tables.ts';

export type { Store } from './assemble.ts';

export interface StoreOptions {
  /** A file, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Runs if the file is new or has no tables. */
  readonly onEmpty?: (() => void) | undefined;
  readonly onMigrate?: OnMigrate | undefined;
  /** Whether to look for damage in the whole file, which a command that reads few rows does not need. */
  readonly isChecked?: boolean | undefined;
}

/** Opens the store in one SQLite file, in its newest version. */
export async function openStore({ file = MEMORY, clock = systemClock, onEmpty, onMigrate, isChecked }: StoreOptions = {}): Promise<Store> {
  const database = openDatabase(file, { onEmpty, onMigrate, isChecked });
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
    createLock: (name) => createProcessLock({ file, name, clock }),
  });
}
