import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** The tables of PostgreSQL: those of every store, and what the workers share. Columns in `_ms` are milliseconds since 1970. */
export interface ClusterTables extends Tables {
  readonly worker: WorkerTable;
  readonly agenda: AgendaTable;
  readonly lane: LaneTable;
  readonly timeline: TimelineTable;
}

/** The running processes. */
interface WorkerTable {
  id: string;
  role: string;
  host: string;
  /** The newest version of the schema that its program knows. */
  schema_version: number;
  started_ms: number;
  /** The last sign of life. */
  seen_ms: number;
  key_fingerprint: string;
}

/** When each rule is due. */
interface AgendaTable {
  rule: string;
  version: string;
  /** JSON. */
  entry: string;
  next_ms: number | null;
  /** The job that runs its slot. */
  batch: string | null;
  batched_ms: number | null;
  stuck: 0 | 1;
}

/** Who sends through each account. */
interface LaneTable {
  account: string;
  /** Increases with each holder. */
  token: number;
  holder: string | null;
  /** When the holder took it. */
  since_ms: number;
  until_ms: number;
}

/** The only row names the server and its timeline that has the state. */
interface TimelineTable {
  name: string;
}

/** The same database with the tables that the workers share. */
export function asCluster(db: Kysely<Tables>): Kysely<ClusterTables> {
  return db.withTables<Pick<ClusterTables, 'worker' | 'agenda' | 'lane' | 'timeline'>>();
}
