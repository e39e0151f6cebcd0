import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { AccessStore, AttemptLimit } from '#src/admin/access/access-store.ts';
import type { ApiToken, Person } from '#src/admin/actions/people.ts';
import type { Clock } from '#src/clock.ts';
import { isDatabaseUnavailable } from '#src/errors.ts';
import { toDate, toMs } from './columns.ts';
import { lockTable } from './dialect.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** Uses are noted once a minute, so that a busy client causes few writes. */
const NOTED_MS = 60_000;
/** How long a token is listed after it expired or was revoked, so that the cause of a refused request can be found. */
const SHOWN_TOKEN_MS = 30 * 24 * 60 * 60_000;
/** The key of the only row. */
const FIRST = 'first';

/** The people, sessions and tokens in the database. */
export function createAccessStore(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): AccessStore {
  /** Whether rows changed. */
  const changed = ({ numUpdatedRows }: { readonly numUpdatedRows: bigint }): boolean => numUpdatedRows > 0n;

  return {
    people: {
      async add(person, passwordHash) {
        const added = await db
          .insertInto('person')
          .values({ ...toRow(person), password_hash: passwordHash, created_ms: clock.nowMs() })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        return added !== undefined;
      },

      async put(person) {
        const { id: _, ...current } = toRow(person);
        await db
          .insertInto('person')
          .values({ ...toRow(person), created_ms: clock.nowMs() })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(current))
          .execute();
      },

      async list() {
        return (await db.selectFrom('person').selectAll().orderBy('name').orderBy('id').execute()).map(toPerson);
      },

      async passwordOf(id) {
        const row = await db.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst();
        return row && row.password_hash !== null ? { person: toPerson(row), hash: row.password_hash } : undefined;
      },

      changePassword: (id, passwordHash) =>
        inTransaction(db, async (trx) => {
          const known = trx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', id);
          const isChanged = changed(await known.where('password_hash', 'is not', null).executeTakeFirstOrThrow());
          // A sign-in with the old password waits for the row of the person, or its session is deleted.
          await trx.deleteFrom('web_session').where('person', '=', id).execute();
          return isChanged;
        }),

      changeRole: (id, role) =>
        inTransaction(db, async (trx) => {
          const before = await findForChange(trx, id, { keepsAdmin: role !== 'admin' });
          if (typeof before === 'string') return before;
          await trx.updateTable('person').set({ role }).where('id', '=', id).execute();
          return before.role;
        }),

      remove: (id, { keepsAdmin = false } = {}) =>
        inTransaction(db, async (trx) => {
          const before = await findForChange(trx, id, { keepsAdmin });
          if (typeof before === 'string') return before;
          await trx.deleteFrom('web_session').where('person', '=', id).execute();
          await trx.deleteFrom('person').where('id', '=', id).execute();
          return 'removed';
        }),
    },

    sessions: {
      async begin({ hash, person, address, expiresAt, passwordHash }) {
        const nowMs = clock.nowMs();
        await dropExpiredAccess(db, nowMs);
        return inTransaction(db, async (trx) => {
          // The empty change waits for a change of the password, or makes it wait.
          const same = trx.updateTable('person').set({ id: person }).where('id', '=', person);
          if (passwordHash !== undefined && !changed(await same.where('password_hash', '=', passwordHash).executeTakeFirstOrThrow()))
            return false;
          await trx
            .insertInto('web_session')
            .values({ hash, person, address, created_ms: nowMs, seen_ms: nowMs, expires_ms: expiresAt.getTime() })
            .execute();
          return true;
        });
      },

      async find(hash) {
        const nowMs = clock.nowMs();
        const found = await db
          .selectFrom('web_session')
          .innerJoin('person', 'person.id', 'web_session.person')
          .selectAll('person')
          .select('web_session.seen_ms')
          .where('web_session.hash', '=', hash)
          .where('web_session.expires_ms', '>', nowMs)
          .executeTakeFirst();
        if (found && found.seen_ms <= nowMs - NOTED_MS)
          await noted(db.updateTable('web_session').set({ seen_ms: nowMs }).where('hash', '=', hash).execute());
        return found && toPerson(found);
      },

      async end(hash) {
        await db.deleteFrom('web_session').where('hash', '=', hash).execute();
      },

      async endAll(person) {
        await db.deleteFrom('web_session').where('person', '=', person).execute();
      },

      async isKnown(person, address) {
        const found = await db
          .selectFrom('web_session')
          .select('hash')
          .where('person', '=', person)
          .where('address', '=', address)
          .where('expires_ms', '>', clock.nowMs())
          .executeTakeFirst();
        return found !== undefined;
      },
    },

    apiTokens: {
      async add(hash, { id, name, scope, by, expiresAt }) {
        await dropExpiredAccess(db, clock.nowMs());
        await db
          .insertInto('api_token')
          .values({ hash, id, name, scope, created_by: by, created_ms: clock.nowMs(), expires_ms: toMs(expiresAt) })
          .execute();
      },

      async list() {
        return (await db.selectFrom('api_token').selectAll().orderBy('created_ms', 'desc').orderBy('id').execute()).map(toToken);
      },

      async use(hash) {
        const nowMs = clock.nowMs();
        const row = await db
          .selectFrom('api_token')
          .selectAll()
          .where('hash', '=', hash)
          .where('revoked_ms', 'is', null)
          .where((eb) => eb.or([eb('expires_ms', 'is', null), eb('expires_ms', '>', nowMs)]))
          .executeTakeFirst();
        if (row && (row.used_ms ?? 0) <= nowMs - NOTED_MS)
          await noted(db.updateTable('api_token').set({ used_ms: nowMs }).where('hash', '=', hash).execute());
        return row && toToken(row);
      },

      async revoke(id) {
        const active = db.updateTable('api_token').set({ revoked_ms: clock.nowMs() }).where('id', '=', id);
        return changed(await active.where('revoked_ms', 'is', null).executeTakeFirstOrThrow());
      },

      async drop(id) {
        await db.deleteFrom('api_token').where('id', '=', id).execute();
      },
    },

    attempts: {
      async take(key, { burst, intervalMs }) {
        const nowMs = clock.nowMs();
        const lastMs = nowMs + (burst - 1) * intervalMs;
        // One statement, so that simultaneous attempts cannot take the same one.
        const taken = await db
          .insertInto('sign_in_attempt')
          .values({ key, full_ms: nowMs + intervalMs })
          .onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet({ full_ms: sql<number>`${laterOf(nowMs)} + cast(${intervalMs} as bigint)` })
              .where('sign_in_attempt.full_ms', '<=', lastMs),
          )
          .returning('key')
          .executeTakeFirst();
        if (taken) return undefined;
        // A later instant comes from a clock that was ahead, and would lock people out until then.
        const emptyMs = lastMs + intervalMs;
        const ofKey = db.updateTable('sign_in_attempt').where('key', '=', key);
        await ofKey.set({ full_ms: emptyMs }).where('full_ms', '>', emptyMs).execute();
        const row = await db.selectFrom('sign_in_attempt').select('full_ms').where('key', '=', key).executeTakeFirst();
        return Math.max((row?.full_ms ?? lastMs) - lastMs, 1);
      },

      async forget(key) {
        await db.deleteFrom('sign_in_attempt').where('key', '=', key).execute();
      },

      async giveBack(key, { intervalMs }: AttemptLimit) {
        await db
          .updateTable('sign_in_attempt')
          .set((eb) => ({ full_ms: eb('full_ms', '-', intervalMs) }))
          .where('key', '=', key)
          .execute();
      },
    },

    firstRunTokens: {
      async offer(hash, { expiresAt, replaces = false }) {
        const row = { hash, expires_ms: expiresAt.getTime() };
        const stored = await db
          .insertInto('first_run_token')
          .values({ id: FIRST, ...row })
          .onConflict((conflict) => {
            const update = conflict.column('id').doUpdateSet(row);
            return replaces ? update : update.where('first_run_token.expires_ms', '<=', clock.nowMs());
          })
          .returning('id')
          .executeTakeFirst();
        return stored !== undefined;
      },

      claim: (hash, person, passwordHash) =>
        inTransaction(db, async (trx) => {
          const valid = trx.deleteFrom('first_run_token').where('hash', '=', hash).where('expires_ms', '>', clock.nowMs());
          if ((await valid.executeTakeFirstOrThrow()).numDeletedRows === 0n) return false;
          const other = await trx.selectFrom('person').select('id').where('kind', '=', 'password').executeTakeFirst();
          if (other) return false;
          await trx
            .insertInto('person')
            .values({ ...toRow(person), password_hash: passwordHash, created_ms: clock.nowMs() })
            .execute();
          return true;
        }),
    },
  };
}

/** Deletes sessions and limits of attempts that have ended, and tokens some time after it. */
export async function dropExpiredAccess(db: Kysely<Tables>, nowMs: number): Promise<void> {
  await db.deleteFrom('web_session').where('expires_ms', '<=', nowMs).execute();
  await db.deleteFrom('sign_in_attempt').where('full_ms', '<=', nowMs).execute();
  const endedMs = nowMs - SHOWN_TOKEN_MS;
  await db
    .deleteFrom('api_token')
    .where((eb) => eb.or([eb('revoked_ms', '<=', endedMs), eb('expires_ms', '<=', endedMs)]))
    .execute();
}

/** Waits for the note of a use. While the database accepts no writes, people and programs must still see why. */
async function noted(writing: Promise<unknown>): Promise<void> {
  await writing.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
  });
}

/** The person with an id, unless it is the last admin, or the last one with a password: Discord can end the roles of its admins. */
async function findForChange(trx: Transaction<Tables>, id: string, { keepsAdmin }: { readonly keepsAdmin: boolean }) {
  await lockTable(trx, 'person'); // two changes at once must not see each other as the other admin
  const person = await trx.selectFrom('person').select(['role', 'kind']).where('id', '=', id).executeTakeFirst();
  if (!person) return 'unknown';
  if (!keepsAdmin || person.role !== 'admin') return person;
  const others = trx.selectFrom('person').select('id').where('role', '=', 'admin').where('id', '<>', id);
  const other = await (person.kind === 'password' ? others.where('kind', '=', 'password') : others).executeTakeFirst();
  return other ? person : 'lastAdmin';
}

/** The stored instant, or a later one. */
function laterOf(ms: number) {
  return sql`case when sign_in_attempt.full_ms > ${ms} then sign_in_attempt.full_ms else cast(${ms} as bigint) end`;
}

function toRow({ id, name, kind, role }: Person): Person {
  return { id, name, kind, role };
}

function toPerson({ id, name, kind, role }: Pick<Selectable<Tables['person']>, keyof Person>): Person {
  return { id, name, kind, role };
}

function toToken({
  id,
  name,
  scope,
  created_by: by,
  created_ms,
  expires_ms,
  used_ms,
  revoked_ms,
}: Selectable<Tables['api_token']>): ApiToken {
  return {
    id,
    name,
    scope,
    by,
    createdAt: new Date(created_ms),
    expiresAt: toDate(expires_ms),
    lastUsedAt: toDate(used_ms),
    revokedAt: toDate(revoked_ms),
  };
}
