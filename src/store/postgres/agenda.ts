import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { DueSlot, StoredEntry } from '#src/engine/scheduler/entry.ts';
import { restOf, type RestingSince } from '#src/engine/scheduler/rest.ts';
import type { AgendaRow, SharedAgenda, SlotBatch } from '#src/engine/scheduler/shared-agenda.ts';
import { chunks, fromText } from '#src/store/columns.ts';
import type { SharedTables } from './shared-tables.ts';
import type { Job, Jobs } from './jobs.ts';
import { NOW_MS } from './now.ts';
import { repeat } from './repeat.ts';

/** How many rules one transaction distributes. */
const DISTRIBUTED_AT_ONCE = 500;
/** The rules of one batch: the planner unites their polls. */
const BATCH = 50;
/** How many batches a worker runs at once: a slow platform must not hold up the others. */
const BATCHES_AT_ONCE = 32;
/** A batch without a job is one whose worker died while a person ran the rule. */
const ORPHANED_AFTER_MS = 30_000;
const FIND_ORPHANS_EVERY_MS = 15_000;

/** The place of a rule among those that are due. */
interface Place {
  readonly nextMs: number;
  readonly rule: string;
}

const FIRST_PLACE: Place = { nextMs: 0, rule: '' };

/** The slots of a batch, in the data of its job. */
interface BatchData {
  readonly slots: Readonly<Record<string, DueSlot>>;
}

export interface SharedAgendaOptions {
  readonly db: Kysely<SharedTables>;
  readonly jobs: Jobs;
  readonly jobsSchema: string;
  readonly wasDown: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The agenda of all workers in PostgreSQL. */
export function createSharedAgenda({ db, jobs, jobsSchema, wasDown, clock, log }: SharedAgendaOptions): SharedAgenda {
  const columns = ['rule', 'version', 'entry'] as const;

  /** Distributes some of the due rules after a place, and resolves with the place of the last one; undefined: there are no more. */
  async function distributeSome(nowMs: number, plan: Parameters<SharedAgenda['distribute']>[1], after: Place): Promise<Place | undefined> {
    return db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('agenda')
        .select([...columns, 'next_ms'])
        .where('batch', 'is', null)
        .where('next_ms', '<=', nowMs)
        // Rules that no process can run stay due, and must not hide the others.
        .where(sql<boolean>`(next_ms, rule) > (${after.nextMs}::bigint, ${after.rule})`)
        .orderBy('next_ms')
        .orderBy('rule')
        .limit(DISTRIBUTED_AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute();
      const planned = rows.flatMap((row) => {
        const found = plan(toRow(row));
        return found ? [{ ...found, rule: row.rule }] : [];
      });
      const due = planned.flatMap(({ rule, slot }) => (slot ? [{ rule, slot }] : []));
      // The order of the rules keeps those of one file together, which often watch the same list.
      const sorted = due.toSorted((a, b) => (a.rule < b.rule ? -1 : 1));
      const batches = [...chunks(sorted, BATCH)].map((some) => ({
        id: randomUUID(),
        data: { slots: Object.fromEntries(some.map(({ rule, slot }) => [rule, slot])) } satisfies BatchData,
      }));
      const batchOf = new Map(batches.flatMap(({ id, data }) => Object.keys(data.slots).map((rule) => [rule, id])));
      await write(
        trx,
        planned.map(({ rule, entry }) => ({ rule, entry, batch: batchOf.get(rule) ?? null })),
      );
      await jobs.create(trx, 'slots', batches);
      const last = rows.length === DISTRIBUTED_AT_ONCE ? rows.at(-1) : undefined;
      return last && { nextMs: last.next_ms ?? 0, rule: last.rule };
    });
  }

  async function load({ id, data }: Job<BatchData>): Promise<SlotBatch> {
    const rows = await db.selectFrom('agenda').select(columns).where('batch', '=', id).execute();
    const slots = rows.flatMap((row) => {
      const slot = data.slots[row.rule];
      return slot ? [{ ...toRow(row), ...slot }] : [];
    });
    return { id, slots };
  }

  /** Returns rules to the agenda whose batch has no job. */
  async function findOrphans(): Promise<void> {
    await sql`
      update agenda set batch = null where batch is not null and batched_ms < ${NOW_MS} - ${ORPHANED_AFTER_MS}
      and not exists (select 1 from ${sql.id(jobsSchema, 'job')} as job where job.id = agenda.batch and job.state in ('created', 'retry', 'active'))
    `.execute(db);
  }

  return {
    wasDown,

    async distribute(nowMs, plan) {
      for (let after: Place | undefined = FIRST_PLACE; after;) after = await distributeSome(nowMs, plan, after);
      jobs.wake('slots');
    },

    async work(run, signal) {
      const onError = (error: unknown): void => log.debug({ error }, 'rules without a job could not be found');
      const finding = repeat(findOrphans, { everyMs: FIND_ORPHANS_EVERY_MS, clock, onError, signal });
      await jobs.work<BatchData>('slots', {
        capacity: async () => BATCHES_AT_ONCE,
        async run(job, lost) {
          await run(await load(job), lost);
          await jobs.complete(db, 'slots', job);
        },
        signal,
      });
      await finding;
    },

    async take(rule) {
      const row = await db
        .updateTable('agenda')
        .set({ batch: randomUUID(), batched_ms: NOW_MS })
        .where('rule', '=', rule)
        .where('batch', 'is', null)
        .returning([...columns, 'batch'])
        .executeTakeFirst();
      return row?.batch ? { ...toRow(row), batch: row.batch } : undefined;
    },

    async release(batch, rows) {
      for (const some of chunks(rows)) {
        const values = some.map(({ rule, version, entry, isStuck }) => ({
          rule,
          version,
          entry: JSON.stringify(entry),
          next_ms: entry.nextMs ?? null,
          stuck: isStuck ? 1 : 0,
        }));
        await sql`
          update agenda set
            batch = null,
            stuck = its.stuck,
            entry = case when agenda.version = its.version then its.entry else agenda.entry end,
            next_ms = case when agenda.version = its.version then its.next_ms else agenda.next_ms end
          from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as its (rule text, version text, entry text, next_ms bigint, stuck smallint)
          where agenda.rule = its.rule and agenda.batch = ${batch}
        `.execute(db);
      }
    },

    async has(rule) {
      return (await db.selectFrom('agenda').select('rule').where('rule', '=', rule).executeTakeFirst()) !== undefined;
    },

    async put(rules, entryOf, { endsBatches = false } = {}) {
      await db.transaction().execute(async (trx) => {
        // Two workers that start with new rules change them one after the other. A weaker lock lets another worker lock rows and wait for this
        // transaction, which waits for these rows.
        await sql`lock table agenda in exclusive mode`.execute(trx);
        const rows = new Map<string, AgendaRow>();
        for (const some of chunks(rules.map(({ id }) => id))) {
          for (const row of await trx.selectFrom('agenda').select(columns).where('rule', 'in', some).execute())
            rows.set(row.rule, toRow(row));
        }
        const changed = rules.flatMap((rule) => {
          const entry = entryOf(rule, rows.get(rule.id));
          return entry ? [{ rule: rule.id, version: rule.version, entry }] : [];
        });
        for (const some of chunks(changed)) {
          await trx
            .insertInto('agenda')
            .values(
              some.map(({ rule, version, entry }) => ({
                rule,
                version,
                entry: JSON.stringify(entry),
                next_ms: entry.nextMs ?? null,
                stuck: 0 as const,
              })),
            )
            .onConflict((conflict) =>
              conflict.column('rule').doUpdateSet((eb) => ({
                version: eb.ref('excluded.version'),
                entry: eb.ref('excluded.entry'),
                next_ms: eb.ref('excluded.next_ms'),
                ...(endsBatches && { batch: null }),
              })),
            )
            .execute();
        }
      });
    },

    async drop(rule, batch) {
      await db.deleteFrom('agenda').where('rule', '=', rule).where('batch', '=', batch).execute();
    },

    async status(nowMs) {
      const stuck = await db.selectFrom('agenda').select('rule').where('stuck', '=', 1).orderBy('rule').execute();
      const { open } = await db
        .selectFrom('agenda')
        .select(({ fn }) => fn.countAll<number>().as('open'))
        .where(sql<boolean>`batch is not null or next_ms <= ${nowMs}`)
        .executeTakeFirstOrThrow();
      return { stuck: stuck.map(({ rule }) => rule), open };
    },

    async plansOf(rules) {
      const found = await db
        .selectFrom('agenda')
        .select(['rule', 'next_ms', sql<RestingSince | null>`entry::json -> 'resting'`.as('resting')])
        .where(sql<boolean>`rule = any(${rules}::text[])`)
        .execute();
      return new Map(found.map(({ rule, next_ms, resting }) => [rule, { nextMs: next_ms ?? undefined, resting: restOf(resting) }]));
    },
  };
}

interface Written {
  readonly rule: string;
  readonly entry: StoredEntry;
  readonly batch: string | null;
}

/** Writes the entries of rules that were distributed. */
async function write(trx: Transaction<SharedTables>, rows: readonly Written[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ rule, entry, batch }) => ({ rule, entry: JSON.stringify(entry), next_ms: entry.nextMs ?? null, batch }));
  await sql`
    update agenda set entry = its.entry, next_ms = its.next_ms, batch = its.batch, batched_ms = ${NOW_MS}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as its (rule text, entry text, next_ms bigint, batch uuid)
    where agenda.rule = its.rule
  `.execute(trx);
}

function toRow({ rule, version, entry }: { readonly rule: string; readonly version: string; readonly entry: string }): AgendaRow {
  return { rule, version, entry: fromText<StoredEntry>(entry) };
}
