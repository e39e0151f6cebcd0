import type { Kysely } from 'kysely';
import type { ShardTable } from '#src/discord/gateway/shard-leases.ts';
import { NO_SHARDS, ShardState } from '#src/discord/gateway/shard-state.ts';
import type { Tables } from '#src/store/tables.ts';
import { asShared } from './shared-tables.ts';

const ID = 1;

/** The state of the shards in the database. No statement waits for another process: a change that is overtaken runs again. */
export function createShardTable(plain: Kysely<Tables>): ShardTable {
  const db = asShared(plain);

  async function replace(version: number | undefined, state: ShardState): Promise<boolean> {
    const text = JSON.stringify(state);
    if (version === undefined) {
      const added = await db
        .insertInto('shard_state')
        .values({ id: ID, version: 1, state: text })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return added.numInsertedOrUpdatedRows === 1n;
    }
    const changed = await db
      .updateTable('shard_state')
      .set({ version: version + 1, state: text })
      .where('id', '=', ID)
      .where('version', '=', version)
      .executeTakeFirst();
    return changed.numUpdatedRows === 1n;
  }

  return {
    async update(change) {
      for (;;) {
        const row = await db.selectFrom('shard_state').select(['version', 'state']).where('id', '=', ID).executeTakeFirst();
        const after = change(row ? ShardState.parse(row.state) : NO_SHARDS);
        if (await replace(row?.version, after)) return after;
      }
    },
  };
}
