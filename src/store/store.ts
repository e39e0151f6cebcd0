import { Kysely } from 'kysely';
import { systemClock, type Clock } from '#src/clock.ts';
import { assembleStore, type Store } from './assemble.ts';
import { groupCommit } from './group-commit.ts';
import { createPruner } from './prune.ts';
import { sqliteDialect, type OnUnavailable } from '#src/store/sqlite/dialect.ts';
import { createGeneration } from '#src/store/sqlite/generation.ts';
import { MEMORY, openDatabase, useLog, type OpenOptions } from '#src/store/sqlite/open.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { emptyLog, shrinkFile } from '#src/store/sqlite/shrink.ts';
import { transactWithoutSync } from '#src/store/sqlite/transact-without-sync.ts';
import type { Tables } from './tables.ts';

export type { Store } from './assemble.ts';
export { forgetGeneration } from '#src/store/sqlite/generation.ts';

export interface StoreOptions extends Omit<OpenOptions, 'onCopy'> {
  /** A file, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Called when a statement fails because the file cannot be used for now, for example because its disk is full. */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** Opens the store in one SQLite file, in its newest version. */
export async function openStore({ file = MEMORY, clock = systemClock, onUnavailable, ...options }: StoreOptions = {}): Promise<Store> {
  const found = { isCopy: false };
  const database = openDatabase(file, { ...options, onCopy: () => void (found.isCopy = true) });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database, onUnavailable) });
  const store = assembleStore({
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
  try {
    if (found.isCopy) {
      await store.restores.note();
      useLog(database);
    }
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  return file === MEMORY ? store : { ...store, generation: createGeneration(db, { file, clock }) };
}
