import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listDeliveries } from '#src/store/delivery-list.ts';
import { filterCombinations, type RecordedDatabase } from '../support/filtered-deliveries.ts';
import { LARGE } from '../support/large-installation.ts';
import { slowdown } from '../support/processor-time.ts';

/** As in the API. */
const WITHIN_MS = 15;
const LIMIT_MS = 50;
const ROUNDS = 10;
const TIMEOUT_MS = 900_000;

/** The times of all filtered lists of the deliveries of a large installation. The database has no other reader. */
export function deliveryListTimes(name: 'SQLite' | 'PostgreSQL', database: () => RecordedDatabase): void {
  test(`each page of a filtered list takes less than ${LIMIT_MS} ms`, { timeout: TIMEOUT_MS }, async () => {
    const { db } = database();
    const usedMs = await cpuTimeOf(name, db);
    const pages: { readonly tookMs: number; readonly page: object }[] = [];
    for (const filter of filterCombinations()) {
      // The first page, the next one, and one in the middle.
      const { cursor } = await listDeliveries(db, { ...filter, withinMs: WITHIN_MS });
      for (const at of [undefined, cursor, String(LARGE.deliveries / 2)]) {
        const page = { ...filter, cursor: at, withinMs: WITHIN_MS };
        let tookMs = Infinity;
        // Other work on the machine slows single rounds, also in CPU time.
        for (let round = 0; round < ROUNDS && tookMs > LIMIT_MS; round++) {
          const begunMs = usedMs();
          await listDeliveries(db, page);
          tookMs = Math.min(tookMs, usedMs() - begunMs);
        }
        pages.push({ tookMs, page });
      }
    }
    const sorted = pages.toSorted((a, b) => a.tookMs - b.tookMs);
    const of = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)]?.tookMs ?? Number.NaN).toFixed(1);
    console.log(`${name}, ${LARGE.deliveries} deliveries, ${pages.length} pages: p50 ${of(0.5)} ms, p95 ${of(0.95)} ms, max ${of(1)} ms`);

    const limitMs = LIMIT_MS * slowdown();
    expect(pages.filter(({ tookMs }) => tookMs > limitMs)).toEqual([]);
  });
}

/** No statement of a filtered list reads the whole table of deliveries. */
export function deliveryListPlans(database: () => RecordedDatabase): void {
  test('PostgreSQL reads no whole table of deliveries', { timeout: TIMEOUT_MS }, async () => {
    const { db, queries } = database();
    queries.length = 0;
    for (const filter of filterCombinations()) await listDeliveries(db, { ...filter, withinMs: 0 });
    const statements = new Map(queries.map((query) => [query.sql, query]));
    const scans: string[] = [];
    for (const query of statements.values()) {
      if (query.sql.startsWith('explain')) continue;
      const { rows } = await db.executeQuery<{ readonly 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}` });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      if (/Seq Scan on delivery/u.test(plan)) scans.push(`${query.sql}\n${plan}`);
    }

    expect(statements.size).toBeGreaterThan(100);
    expect(scans).toEqual([]);
  });
}

/** The process of PostgreSQL that has the only connection. */
async function serverProcess(db: RecordedDatabase['db']): Promise<number> {
  const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? Number.NaN;
}

/** The CPU time that this process and the database use, in milliseconds. The database has no other reader. */
export async function cpuTimeOf(name: 'SQLite' | 'PostgreSQL', db: RecordedDatabase['db']): Promise<() => number> {
  return cpuTime(name === 'SQLite' ? undefined : await serverProcess(db));
}

/** The CPU time of this process and of the server's process, in milliseconds; if the system does not report the latter, the elapsed time. */
function cpuTime(server: number | undefined): () => number {
  if (server !== undefined && platform() !== 'linux') return () => performance.now();
  return () => {
    const { user, system } = process.cpuUsage();
    // The first number is the time on a CPU in nanoseconds.
    const serverNs = server === undefined ? 0 : Number(readFileSync(`/proc/${server}/schedstat`, 'utf8').split(' ')[0]);
    return (user + system) / 1_000 + serverNs / 1e6;
  };
}
