import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
/** Running processes report their transactions within a second. */
const QUIET_CHECKS = 12;
const QUIET_CHECK_MS = 100;

/** The cost of one kind of statement, planning included. */
interface StatementCost {
  readonly text: string;
  readonly calls: number;
  readonly totalMs: number;
}

/** What the database did since the last reset. */
export interface DatabaseCost {
  readonly statements: number;
  /** A statement outside of a transaction counts as one. */
  readonly transactions: number;
  /** Transactions of more than one statement. */
  readonly commits: number;
  readonly syncs: number;
  /** CPU time of all processes of the server. */
  readonly cpuMs: number;
  /** The kinds of statements, the one with the longest time first. */
  readonly byTime: readonly StatementCost[];
}

/** A server whose commits survive a power failure, and its counters. */
export interface MeasuredDatabase extends AsyncDisposable {
  readonly server: TestPostgres;
  reset(): Promise<void>;
  read(): Promise<DatabaseCost>;
  query<T extends pg.QueryResultRow>(text: string): Promise<readonly T[]>;
}

/** Starts a server that counts its statements. */
export async function startDatabase(): Promise<MeasuredDatabase> {
  await using stack = new AsyncDisposableStack();
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'top',
    'pg_stat_statements.track_planning': 'on',
    track_commit_timestamp: 'on',
    shared_buffers: '128MB',
  };
  const server = stack.use(await startPostgres({ isDurable: true, settings }));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  client.on('error', () => undefined);
  stack.defer(() => client.end());
  await client.query('create extension pg_stat_statements');
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  let cpuBefore = 0;
  let syncsBefore = 0;
  let transactionsBefore = 0;
  const query = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows;

  async function syncs(): Promise<number> {
    const [row] = await query<{ readonly syncs: string }>(`select coalesce(sum(fsyncs), 0) as syncs from pg_stat_io where object = 'wal'`);
    return Number(row?.syncs);
  }

  /** Processes of the server count when they end, or once in a second. */
  async function transactions(): Promise<number> {
    for (let check = 0; check < QUIET_CHECKS; check++) {
      const [row] = await query<{ readonly others: number }>(
        `select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (row?.others === 0) break;
      await sleep(QUIET_CHECK_MS);
    }
    const [row] = await query<{ readonly transactions: number }>(
      `select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = current_database()`,
    );
    return row?.transactions ?? 0;
  }

  const opened = stack.move();
  return {
    server,
    query,
    async reset() {
      transactionsBefore = await transactions();
      await query('select pg_stat_statements_reset()');
      cpuBefore = cpuMsOfServer(postmaster);
      syncsBefore = await syncs();
    },
    async read() {
      const cpuMs = cpuMsOfServer(postmaster) - cpuBefore;
      const byTime = await query<StatementCost>(`
        select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::float8 as calls, sum(total_exec_time + total_plan_time)::float8 as "totalMs"
        from pg_stat_statements where query not like '%pg_stat%' group by 1 order by 3 desc`);
      const commits = byTime.filter(({ text }) => text.toLowerCase() === 'commit').reduce((sum, { calls }) => sum + calls, 0);
      const statements = byTime.reduce((sum, { calls }) => sum + calls, 0);
      return {
        statements,
        transactions: (await transactions()) - transactionsBefore,
        commits,
        syncs: (await syncs()) - syncsBefore,
        cpuMs,
        byTime,
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The fields of a process after its name. */
function statOf(pid: number | string): readonly string[] {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/u);
    return fields.split(' ');
  } catch {
    // The process has ended.
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The CPU time of a server with its children, also those that ended. */
function cpuMsOfServer(postmaster: number): number {
  const [, , , , , , , , , , , ...ticksOfServer] = statOf(postmaster);
  let ticks = ticksOfServer.slice(0, 4).reduce((sum, field) => sum + Number(field), 0);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    const stat = statOf(pid);
    if (Number(stat[1]) === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
  }
  return ticks * TICK_MS;
}
