import type { Client } from 'pg';
import type { Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import type { DatabaseHealth } from '#src/admin/queries/database-health.ts';
import { isLostConnection, sqlStateOf } from './database-error.ts';
import { ReadOnlySession } from './session.ts';
import { whyWaiting } from './waiting-session.ts';

const EVERY_MS = 2_000;
/** Failed statements cause rounds no more often than this. */
const SOONEST_MS = 250;
/** A write without an answer for so long is examined over another connection. */
const LATE_MS = 1_000;
/** The time to open a connection and to examine a write. */
const EXAMINE_MS = 2_000;
/** How long a write may wait, for example for a lock. */
const BLOCKED_AFTER_MS = 5_000;
/** How long no statement of the pool may succeed although the database accepts the writes of the probe. */
const STARVED_AFTER_MS = 10_000;

/** Finds out every two seconds whether the database accepts a write. */
export interface Probe {
  /** A statement failed: the probe checks the database at once. */
  failed(cause: unknown): void;
  /** A statement was answered. */
  answered(): void;
  /** Probes until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface ProbeOptions {
  /** Opens a connection that only the probe uses. */
  readonly connect: (limits: { readonly connectMs: number; readonly queryMs?: number }) => Promise<Client>;
  /** Writes, and resolves with the time of the database. */
  readonly write: (client: Client) => Promise<number>;
  readonly health: ProbeHealth;
  readonly clock: Clock;
}

/** Receives what the probe and the statements learn about the database. */
export type ProbeHealth = Omit<DatabaseHealth, 'state'>;

/** The connection that writes. */
interface Session {
  readonly client: Client;
  readonly pid: number;
}

/** Reports what a round found. */
type Report = () => void;

/** Creates the probe. Its connection is not from the pool, whose connections may all be in use. */
export function createProbe({ connect, write, health, clock }: ProbeOptions): Probe {
  const alarm = new Alarm();
  let session: Session | undefined;
  let writing: Promise<Report> | undefined;
  let roundMs = -Infinity;
  let acceptedMs = performance.now();
  /** The first failure of the pool without a success after it. */
  let failingMs: number | undefined;

  async function open(): Promise<Session> {
    const client = await connect({ connectMs: EXAMINE_MS });
    const { rows } = await client.query<{ readonly pid: number }>(
      // The server would end the wait for a standby after this time, and report the commit as done.
      "select pg_backend_pid() as pid, set_config('statement_timeout', '0', false)",
    );
    return { client, pid: rows[0]?.pid ?? 0 };
  }

  async function attempt(): Promise<Report> {
    const before = session;
    let used = before;
    try {
      used ??= await open();
      session = used;
      const atMs = await write(used.client);
      return () => accept(atMs);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused) return refused;
      if (session === used) leave();
      // Only the connection may be lost.
      if (before && before === used) return attempt();
      return () => health.lost(error);
    }
  }

  /** The report of an error by which the database answers; undefined: the connection was lost. */
  function refusalOf(error: unknown): Report | undefined {
    const code = error instanceof ReadOnlySession ? error.code : sqlStateOf(error);
    if (!(error instanceof ReadOnlySession) && isLostConnection(error)) return undefined;
    return () => health.blocked(code ?? '', clock.nowMs());
  }

  function accept(atMs: number): void {
    acceptedMs = performance.now();
    if (failingMs !== undefined && acceptedMs - failingMs >= STARVED_AFTER_MS) health.blocked('pool', atMs);
    else health.accepted(atMs);
  }

  /** Ends the connection, even one that fell silent. */
  function leave(): void {
    session?.client.end().catch(() => undefined);
    session = undefined;
  }

  /** Why the write has no answer. */
  async function examine(): Promise<Report> {
    try {
      const client = await connect({ connectMs: EXAMINE_MS, queryMs: EXAMINE_MS });
      try {
        const { waitsFor, atMs } = await whyWaiting(client, session?.pid ?? 0);
        return () => judge(waitsFor, atMs);
      } finally {
        client.end().catch(() => undefined);
      }
    } catch (error) {
      return refusalOf(error) ?? (() => health.lost(error));
    }
  }

  function judge(waitsFor: string | undefined, atMs: number): void {
    if (waitsFor !== undefined) {
      if (performance.now() - acceptedMs >= BLOCKED_AFTER_MS) health.blocked(waitsFor, atMs);
      return;
    }
    // The connection of the write is dead, and the database answers.
    leave();
    writing = undefined;
    alarm.ring();
  }

  async function answerWithin(ms: number): Promise<Report | undefined> {
    const over = new AbortController();
    const late = clock.sleep(ms, over.signal).then(
      () => undefined,
      () => undefined,
    );
    const answer = await Promise.race([writing, late]);
    over.abort();
    if (answer) writing = undefined;
    return answer;
  }

  async function round(): Promise<void> {
    roundMs = performance.now();
    writing ??= attempt();
    const answer = await answerWithin(LATE_MS);
    if (answer) return answer();
    const reason = await examine();
    // The answer may have arrived in the meantime.
    ((await answerWithin(0)) ?? reason)();
  }

  return {
    failed(cause) {
      failingMs ??= performance.now();
      health.failed(cause);
      if (performance.now() - roundMs >= SOONEST_MS) alarm.ring();
    },

    answered: () => (failingMs = undefined),

    async run(signal) {
      while (!signal.aborted) {
        await round();
        await alarm.wait(EVERY_MS, { clock, signal });
      }
      leave();
    },
  };
}
