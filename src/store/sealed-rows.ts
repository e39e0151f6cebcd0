import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { SealedRows } from '#src/secrets/sealed-tokens.ts';
import { createSoleHolder, type SoleHolder } from './sqlite/sole-holder.ts';
import type { Tables } from './tables.ts';

export interface SealedRowsOptions {
  readonly db: Kysely<Tables>;
  /** The database. */
  readonly file: string;
  readonly clock: Clock;
}

/** Sealed texts in the database, one an account. Disposing of them waits for whoever is changing one: what a platform gave in exchange would be lost. */
export function createSealedRows({ db, file, clock }: SealedRowsOptions): SealedRows & AsyncDisposable {
  const holders = new Map<string, SoleHolder>();
  const changes = new Set<Promise<void>>();

  function holderOf(account: string): SoleHolder {
    const holder = holders.get(account) ?? createSoleHolder({ file, as: `tokens-${account}`, clock });
    holders.set(account, holder);
    return holder;
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
      await db.deleteFrom('sealed_token').where('account', '=', account).execute();
    },
    async claim(account, signal) {
      const claim = await holderOf(account).claim({ signal });
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
