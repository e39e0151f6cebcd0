import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { SealedRows } from '#src/http/secrets/sealed-tokens.ts';
import type { ProcessLock } from './process-lock.ts';
import type { Tables } from './tables.ts';

export interface SealedRowsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly createLock: (name: string) => ProcessLock;
}

/**
 * Sealed texts in the database, one per account. Disposing waits for changes in progress, because a platform may have issued new tokens.
 */
export function createSealedRows({ db, clock, createLock }: SealedRowsOptions): SealedRows & AsyncDisposable {
  const locks = new Map<string, ProcessLock>();
  const changes = new Set<Promise<void>>();

  function lockOf(account: string): ProcessLock {
    const lock = locks.get(account) ?? createLock(`tokens-${account}`);
    locks.set(account, lock);
    return lock;
  }

  return {
    async load(account) {
      const row = await db.selectFrom('sealed_token').select('sealed').where('account', '=', account).executeTakeFirst();
      return row?.sealed;
    },
    async save(account, sealed) {
      const row = { account, sealed, saved_ms: clock.nowMs() };
      await db
        .insertInto('sealed_token')
        .values(row)
        .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
        .execute();
    },
    async drop(account) {
      return Number((await db.deleteFrom('sealed_token').where('account', '=', account).executeTakeFirstOrThrow()).numDeletedRows);
    },
    async claim(account, signal) {
      const claim = await lockOf(account).claim({ signal });
      const { promise: change, resolve: done } = Promise.withResolvers<void>();
      changes.add(change);
      return {
        [Symbol.dispose]() {
          claim[Symbol.dispose]();
          changes.delete(change);
          done();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(changes);
    },
  };
}
