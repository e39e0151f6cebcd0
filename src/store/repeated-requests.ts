import type { Kysely } from 'kysely';
import {
  CLAIM_EXPIRES_MS,
  REPEATED_WITHIN_MS,
  type KnownRequest,
  type RepeatedRequests,
  type RequestKey,
} from '#src/admin/actions/repeated-requests.ts';
import type { Clock } from '#src/clock.ts';
import { isOneOf } from './json-list.ts';
import { preparedDelete, type OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The requests that may be repeated, in the database. */
export function createRepeatedRequests(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): RepeatedRequests {
  async function claim({ actor, key, fingerprint }: RequestKey & Pick<KnownRequest, 'fingerprint'>): Promise<KnownRequest | undefined> {
    const nowMs = clock.nowMs();
    const row = { actor, key, fingerprint, at_ms: nowMs, status: null, body: null };
    const { numInsertedOrUpdatedRows: claimed = 0n } = await db
      .insertInto('repeated_request')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['actor', 'key'])
          .doUpdateSet(row)
          .where((eb) =>
            eb.or([
              eb('repeated_request.at_ms', '<=', nowMs - REPEATED_WITHIN_MS),
              eb.and([eb('repeated_request.status', 'is', null), eb('repeated_request.at_ms', '<=', nowMs - CLAIM_EXPIRES_MS)]),
            ]),
          ),
      )
      .executeTakeFirstOrThrow();
    if (claimed > 0n) return undefined;
    const known = await db.selectFrom('repeated_request').selectAll().where('actor', '=', actor).where('key', '=', key).executeTakeFirst();
    // It was released since then.
    if (!known) return claim({ actor, key, fingerprint });
    const { status, body } = known;
    return { fingerprint: known.fingerprint, ...(status !== null && body !== null && { answer: { status, body } }) };
  }

  return {
    claim,

    async renew({ actor, key }) {
      const running = db.updateTable('repeated_request').set({ at_ms: clock.nowMs() }).where('status', 'is', null);
      await running.where('actor', '=', actor).where('key', '=', key).execute();
    },

    async answer({ actor, key }, { status, body }) {
      await db.updateTable('repeated_request').set({ status, body }).where('actor', '=', actor).where('key', '=', key).execute();
    },

    async answered(actor, keys) {
      const known = db.selectFrom('repeated_request').select('key').where('actor', '=', actor).where('status', 'is not', null);
      const rows = await known.where(isOneOf('key', keys)).execute();
      return new Set(rows.map(({ key }) => key));
    },

    async release({ actor, key }) {
      const running = db.deleteFrom('repeated_request').where('status', 'is', null);
      await running.where('actor', '=', actor).where('key', '=', key).execute();
    },

    async forget({ actor, key }) {
      await db.deleteFrom('repeated_request').where('actor', '=', actor).where('key', '=', key).execute();
    },
  };
}

/** Deletes old requests. Resolves with their number. */
export const dropRequests = preparedDelete((db, { beforeMs, limit }: OldRows) => {
  const old = db.selectFrom('repeated_request').select(['actor', 'key']).where('at_ms', '<', beforeMs).limit(limit);
  return db.deleteFrom('repeated_request').where((eb) => eb(eb.refTuple('actor', 'key'), 'in', old.$asTuple('actor', 'key')));
});
