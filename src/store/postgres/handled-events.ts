import { type Kysely, sql } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import type { Tables } from '#src/store/tables.ts';

/** Discord accepts no response to an interaction that is older than 15 minutes. */
const RETENTION_MS = 60 * 60_000;
/** Each claim deletes more rows than it adds. */
const DELETED_PER_CLAIM = 10;

/** The handled events of all processes. */
export function createHandledEvents({ db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock }): HandledEvents {
  return {
    async claim(id) {
      const nowMs = clock.nowMs();
      const { rows } = await sql`
        with old as (
          delete from handled_event where id in (
            select id from handled_event where handled_ms < ${nowMs - RETENTION_MS}
            order by handled_ms limit ${DELETED_PER_CLAIM} for update skip locked
          )
        )
        insert into handled_event (id, handled_ms) values (${id}, ${nowMs}) on conflict (id) do nothing returning id`.execute(db);
      return rows.length > 0;
    },
  };
}
