import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { EntryStates, ListChange, ListStore } from '#src/admin/actions/list-store.ts';
import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import type { Clock } from '#src/clock.ts';
import { chunks, fromText } from './columns.ts';
import { lockTable } from './dialect.ts';
import { LIMIT, seqOf, stated, toListing } from './listing.ts';
import { prepared, preparedDelete, type OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

/** What each look at the lists reads. */
const readState = prepared((db, { seq }: { readonly seq: number }) =>
  db.selectNoFrom((eb) => [
    eb.selectFrom('list_change').select('seq').where('seq', '=', seq).as('known'),
    eb
      .selectFrom('list_change')
      .select(({ fn }) => fn.max('seq').as('newest'))
      .as('newest'),
    eb
      .selectFrom('list')
      .select(({ fn }) => fn.countAll().as('count'))
      .as('count'),
  ]),
);

/** Living lists in the database. */
export function createLists(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): ListStore {
  return {
    read: () =>
      inTransaction(db, async (trx) => {
        // No change is committed between the queries.
        await lockTable(trx, 'list');
        const rows = await trx.selectFrom('list_entry').selectAll().orderBy('list').orderBy('server').orderBy('id').execute();
        let last = toRef('', '');
        const entries = rows.map(({ list, server, id, fields }) => {
          // The entries of a server share the texts of its id and of the list, which are separate texts in each row.
          if (list !== last.list || server !== (last.server ?? '')) last = toRef(list, server);
          return { id, list: last.list, server: last.server, fields: fromText<JsonObject>(fields) };
        });
        return { ...(await readNames(trx)), entries };
      }),

    async readSince({ seq, lists }) {
      // Most calls find nothing new, and a change can be large.
      const [state] = (await readState(db, { seq })).rows;
      if (!state) throw new Error('the state of the lists has no row');
      const { known, newest, count } = state;
      // An installation without changes has no lists.
      if (seq > 0 && known === null) return undefined;
      if ((newest ?? 0) <= seq && Number(count) === lists.length) return { seq, lists, changes: [] };
      const changes = await selectChanges(db).where('seq', '>', seq).orderBy('seq').execute();
      return { seq: changes.at(-1)?.seq ?? seq, lists: (await readNames(db)).lists, changes: changes.map(toChange) };
    },

    async entries({ list, server = '' }) {
      return (await hasList(db, { list, server })) ? readEntries(db, { list, server }) : undefined;
    },

    async named(name) {
      const rows = await db.selectFrom('list').select('server').where('name', '=', name).orderBy('server').execute();
      return rows.map(({ server }) => toRef(name, server));
    },

    edit: ({ list, server = '' }, by, decide) =>
      inTransaction(db, async (trx) => {
        await lockTable(trx, 'list');
        const nowMs = clock.nowMs();
        const entries = await readEntries(trx, { list, server });
        const exists = await hasList(trx, { list, server });
        const { after, undoes } = decide(entries, exists);
        const changed = Object.keys(after).filter((id) => !isSame(entries.get(id), after[id] ?? undefined));
        // The undo of the deletion of a list without entries creates it again.
        if (changed.length === 0 && (exists || undoes === undefined)) return undefined;
        if (!exists) await trx.insertInto('list').values({ name: list, server, created_ms: nowMs }).execute();
        const states = (of: (id: string) => JsonObject | null): EntryStates => Object.fromEntries(changed.map((id) => [id, of(id)]));
        const change = { before: states((id) => entries.get(id) ?? null), after: states((id) => after[id] ?? null), undoes };
        return writeChange(trx, { list, server, by, nowMs, ...change });
      }),

    remove: ({ list, server = '' }, by) =>
      inTransaction(db, async (trx) => {
        await lockTable(trx, 'list');
        if (!(await hasList(trx, { list, server }))) return undefined;
        const entries = await readEntries(trx, { list, server });
        await trx.deleteFrom('list').where('name', '=', list).where('server', '=', server).execute();
        const after = Object.fromEntries([...entries.keys()].map((id) => [id, null]));
        return writeChange(trx, { list, server, by, nowMs: clock.nowMs(), before: Object.fromEntries(entries), after });
      }),

    async findChange(id) {
      const row = await selectChanges(db).where('id', '=', id).executeTakeFirst();
      return row && toChange(row);
    },

    async changes({ cursor, limit = LIMIT, ...filter }) {
      const rows = await selectChanges(db)
        .where((eb) => eb.and(stated(filter)))
        .where('seq', '<', seqOf(cursor))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      return toListing(rows, limit, toChange);
    },

    removeServer: (server) =>
      inTransaction(db, async (trx) => {
        await lockTable(trx, 'list');
        for (const table of ['list_entry', 'list_change', 'list'] as const) {
          await trx.deleteFrom(table).where('server', '=', server).execute();
        }
      }),
  };
}

async function readNames(db: Kysely<Tables>) {
  const newest = await db.selectFrom('list_change').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const lists = await db.selectFrom('list').select(['name', 'server']).orderBy('name').orderBy('server').execute();
  return { seq: newest?.seq ?? 0, lists: lists.map(({ name, server }) => toRef(name, server)) };
}

/** The key of a list. The list of the installation has an empty server. */
interface ListKey {
  readonly list: string;
  readonly server: string;
}

async function hasList(db: Kysely<Tables>, { list, server }: ListKey): Promise<boolean> {
  const row = await db.selectFrom('list').select('name').where('name', '=', list).where('server', '=', server).executeTakeFirst();
  return row !== undefined;
}

async function readEntries(db: Kysely<Tables>, { list, server }: ListKey): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await db
    .selectFrom('list_entry')
    .select(['id', 'fields'])
    .where('list', '=', list)
    .where('server', '=', server)
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, fields }) => [id, fromText<JsonObject>(fields)]));
}

/** Writes the entries of a change, and the change. */
async function writeChange(
  trx: Transaction<Tables>,
  {
    list,
    server,
    by,
    nowMs,
    before,
    after,
    undoes,
  }: ListKey & Pick<ListChange, 'before' | 'after' | 'undoes'> & { readonly by: Actor; readonly nowMs: number },
): Promise<ListChange> {
  for (const ids of chunks(Object.keys(after))) {
    await trx.deleteFrom('list_entry').where('list', '=', list).where('server', '=', server).where('id', 'in', ids).execute();
  }
  const rows = Object.entries(after).flatMap(([id, fields]) => (fields ? [{ list, server, id, fields: JSON.stringify(fields) }] : []));
  for (const some of chunks(rows)) await trx.insertInto('list_entry').values(some).execute();
  const row = {
    id: randomUUID(),
    at_ms: nowMs,
    list,
    server,
    actor: by.name,
    via: by.via,
    actor_id: by.id ?? null,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
    undoes: undoes ?? null,
  };
  await trx.insertInto('list_change').values(row).execute();
  return toChange({ ...row, undone_by: null });
}

function isSame(before: JsonObject | undefined, after: JsonObject | undefined): boolean {
  return before === undefined || after === undefined ? before === after : canonical(before) === canonical(after);
}

function selectChanges(db: Kysely<Tables>) {
  return db
    .selectFrom('list_change')
    .selectAll('list_change')
    .select((eb) =>
      eb
        .selectFrom('list_change as later')
        .select('later.id')
        .whereRef('later.undoes', '=', 'list_change.id')
        .orderBy('later.seq', 'desc')
        .limit(1)
        .as('undone_by'),
    );
}

type ChangeRow = Omit<Selectable<Tables['list_change']>, 'seq'> & { readonly undone_by: string | null };

function toChange({ id, at_ms, list, server, actor, via, actor_id, before, after, undoes, undone_by }: ChangeRow): ListChange {
  return {
    ...toRef(list, server),
    id,
    at: new Date(at_ms),
    by: { name: actor, via, ...(actor_id !== null && { id: actor_id }) },
    before: fromText<EntryStates>(before),
    after: fromText<EntryStates>(after),
    ...(undoes !== null && { undoes }),
    ...(undone_by !== null && { undoneBy: undone_by }),
  };
}

function toRef(list: string, server: string): { readonly list: string; readonly server: string | undefined } {
  return { list, server: server === '' ? undefined : server };
}

/** Deletes old changes but the newest one, which numbers the state of the lists. Resolves with their number. */
export const dropListChanges = preparedDelete((db, { beforeMs, limit }: OldRows) => {
  const old = db
    .selectFrom('list_change')
    .select('seq')
    .where('at_ms', '<', beforeMs)
    .where('seq', '<', (eb) => eb.selectFrom('list_change').select((of) => of.fn.max('seq').as('newest')))
    .limit(limit);
  return db.deleteFrom('list_change').where('seq', 'in', old);
});
