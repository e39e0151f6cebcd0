import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import type { SavedTables } from './checker/explain.ts';
import type { HistoryFile } from './history.ts';

const POLL_MS = 200;
/** A batch of slots that takes longer was held up, usually by a fault. */
const LONG_BATCH_MS = 2_000;

const Lanes = z.array(
  z.object({ account: z.string(), token: z.coerce.number(), holder: z.string().nullable(), since_ms: z.coerce.number() }),
);
const Batches = z.array(z.object({ batch: z.string(), batched_ms: z.coerce.number() }));

export interface ClusterMonitorOptions {
  /** The address of the database without a proxy. */
  readonly url: string;
  readonly history: HistoryFile;
  readonly signal: AbortSignal;
}

/** Writes to the history who holds which lane, and how long slots take, until `signal` aborts. */
export async function monitorCluster({ url, history, signal }: ClusterMonitorOptions): Promise<void> {
  const known = new Map<string, string>();
  const batches = new Map<string, number>();

  function noteLanes(rows: z.output<typeof Lanes>): void {
    for (const { account, token, holder, since_ms: sinceMs } of rows) {
      const state = `${token} ${holder}`;
      if (known.get(account) === state) continue;
      known.set(account, state);
      history.add({ kind: 'lane', account, process: holder ?? undefined, sinceMs });
    }
  }

  function noteBatches(rows: z.output<typeof Batches>): void {
    const current = new Set(rows.map(({ batch }) => batch));
    for (const [batch, sinceMs] of batches) {
      if (current.has(batch)) continue;
      batches.delete(batch);
      if (Date.now() - sinceMs > LONG_BATCH_MS) history.add({ kind: 'batch', sinceMs });
    }
    for (const { batch, batched_ms: sinceMs } of rows) batches.set(batch, sinceMs);
  }

  while (!signal.aborted) {
    const client = new Client({ connectionString: url, application_name: 'fanfare chaos' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!signal.aborted) {
        noteLanes(Lanes.parse((await client.query('select account, token, holder, since_ms from fanfare.lane')).rows));
        const found = await client.query(
          'select batch, min(batched_ms) as batched_ms from fanfare.agenda where batch is not null group by batch',
        );
        noteBatches(Batches.parse(found.rows));
        await sleep(POLL_MS, undefined, { signal });
      }
    } catch {
      // The database is down, or the tables do not exist yet.
      await sleep(POLL_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The tables that explain a violation. */
const EVIDENCE = ['delivery', 'need', 'firing', 'decision', 'rule_state', 'episode', 'past_episode', 'lane'] as const;

/** Saves what the database knows about the announcements, and resolves with it. */
export async function saveTables(url: string, folder: string): Promise<SavedTables> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables: Record<string, readonly unknown[]> = {};
    for (const table of EVIDENCE) tables[table] = (await client.query(`select * from fanfare.${table}`)).rows;
    writeFileSync(join(folder, 'tables.json'), JSON.stringify(tables));
    return tables;
  } finally {
    await client.end();
  }
}
