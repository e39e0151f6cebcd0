import { sql, type Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { LaneLease } from '#src/engine/delivery/lane-lease.ts';
import type { Lanes } from '#src/engine/delivery/lanes.ts';
import type { HeldLane } from '#src/admin/queries/metrics.ts';
import type { Log } from '#src/log.ts';
import { isOpen } from '#src/store/delivery-needs.ts';
import type { SharedTables } from './shared-tables.ts';
import type { Job, Jobs } from './jobs.ts';
import { createJobs } from './lane-jobs.ts';
import type { Notifications } from './notifications.ts';
import { NOW_MS } from './now.ts';
import { repeat } from './repeat.ts';

/** After this time without a renewal, another worker may take the lane. */
export const LEASE_MS = 12_000;
const RENEW_MS = 3_000;
/** Requests end so long before their lease. */
const MARGIN_MS = 2_000;
/** How often the deadlines are checked. */
const CHECK_MS = 250;
/** A lane without work goes back to the queue after this time. */
const IDLE_MS = 1_000;
/** A lane with work goes back to the queue after this time, so that new workers get their share. */
const HOLD_MS = 30_000;
/** How often a worker looks for accounts with deliveries that no job announced. */
const SWEEP_MS = 15_000;
/** A delivery that became due so shortly before may be unknown to the holder. */
const RECENT_MS = 5_000;
const FEWEST_LANES = 8;
const TAKEN_AT_ONCE = 50;
/** How often a worker with its share of lanes counts the lanes again. */
const COUNT_MS = 100;

/** A lane of this worker. */
interface Held {
  readonly account: string;
  readonly token: number;
  readonly sinceMs: number;
  readonly ended: AbortController;
  /** When requests have to end, by the timer of the process. */
  deadlineMs: number;
}

/** The lanes of all workers. */
export interface SharedLanes extends Lanes {
  /** The lanes of this worker. */
  held(): readonly HeldLane[];
}

export interface SharedLanesOptions {
  readonly db: Kysely<SharedTables>;
  readonly jobs: Jobs;
  readonly notifications: Pick<Notifications, 'send' | 'subscribe'>;
  /** The id of this worker. */
  readonly worker: string;
  /** The share of this worker in all work: 1 if it is alone. */
  readonly share: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the lanes of a worker: it gets a lane as a job, and holds it under a lease. */
export function createSharedLanes({ db, jobs, notifications, worker, share, clock, log }: SharedLanesOptions): SharedLanes {
  const lanes = new Map<string, Held>();
  /** The lanes of all workers that have work or a holder, at `countedMs`. */
  let openLanes = 0;
  let countedMs = -Infinity;

  /** Takes a lane whose lease has ended; undefined: another worker holds it. */
  async function take(account: string): Promise<Held | undefined> {
    const askedMs = performance.now();
    const row = { account, holder: worker, since_ms: NOW_MS, until_ms: sql<number>`${NOW_MS} + ${LEASE_MS}` };
    const taken = await db
      .insertInto('lane')
      .values({ ...row, token: 1 })
      .onConflict((conflict) =>
        conflict
          .column('account')
          .doUpdateSet({ ...row, token: sql<number>`lane.token + 1` })
          .where(sql<boolean>`lane.until_ms <= ${NOW_MS}`),
      )
      .returning(['token', 'since_ms'])
      .executeTakeFirst();
    if (!taken) return undefined;
    return {
      account,
      token: taken.token,
      sinceMs: taken.since_ms,
      ended: new AbortController(),
      deadlineMs: askedMs + LEASE_MS - MARGIN_MS,
    };
  }

  /** Gives a lane back, and completes its job. The next job of the lane starts when its next delivery is due. */
  async function giveBack(job: Job<LaneData>, held: Held | undefined, { isIdle }: { readonly isIdle: boolean }): Promise<void> {
    const { account } = job.data;
    await db.transaction().execute(async (trx) => {
      const untilMs = (await release(trx, account, held)) ? 0 : await untilOf(trx, account);
      await jobs.complete(trx, 'lanes', job);
      // Deliveries that are due and wait for another one have a job when that one ends.
      const nextMs = await nextDueMs(trx, account, isIdle ? clock.nowMs() - RECENT_MS : 0);
      if (nextMs !== undefined)
        await jobs.create(trx, 'lanes', [{ key: account, data: job.data, startAfterMs: Math.max(nextMs, untilMs) }]);
    });
  }

  async function hold(
    job: Job<LaneData>,
    work: (lease: LaneLease) => Promise<void>,
    { lost, stopping }: { readonly lost: AbortSignal; readonly stopping: AbortSignal },
  ): Promise<void> {
    const { account } = job.data;
    const held = await take(account);
    if (!held) return giveBack(job, held, { isIdle: false });
    // If earlier work of this worker still runs, its lease has ended.
    lanes.get(account)?.ended.abort();
    lanes.set(account, held);
    log.debug({ account, token: held.token }, 'this worker sends the deliveries of an account');
    const { signal } = held.ended;
    const timer = new AbortController();
    const holdEnded = clock.sleep(HOLD_MS, timer.signal).catch(() => undefined);
    const leave = new AbortController();
    const working = work({
      account,
      signal: AbortSignal.any([signal, lost]),
      leaving: leave.signal,
      token: held.token,
      idleMs: IDLE_MS,
      assertHeld() {
        if (performance.now() >= held.deadlineMs) held.ended.abort();
        signal.throwIfAborted();
      },
    });
    let isIdle = false;
    try {
      isIdle = await Promise.race([working.then(() => !stopping.aborted), holdEnded.then(() => false)]);
      leave.abort();
      await working;
    } finally {
      timer.abort();
      if (lanes.get(account) === held) lanes.delete(account);
    }
    if (signal.aborted || lost.aborted) log.warn({ account }, 'this worker lost the lease of an account; another worker continues');
    else {
      await giveBack(job, held, { isIdle });
      // Another worker continues at once.
      if (!isIdle) notifications.send({ kind: 'lane', account });
    }
  }

  /** Renews all leases of this worker in one statement. */
  async function renew(): Promise<void> {
    const local = [...lanes.values()];
    if (local.length === 0) return;
    const askedMs = performance.now();
    const rows = await db
      .updateTable('lane')
      .set({ until_ms: sql<number>`${NOW_MS} + ${LEASE_MS}` })
      .where('holder', '=', worker)
      .where(
        'account',
        'in',
        local.map(({ account }) => account),
      )
      .returning(['account', 'token'])
      .execute();
    const renewed = new Map(rows.map(({ account, token }) => [account, token]));
    for (const held of local) {
      if (renewed.get(held.account) === held.token) held.deadlineMs = askedMs + LEASE_MS - MARGIN_MS;
      // A lane that was returned during the statement is not lost.
      else if (lanes.get(held.account) === held) held.ended.abort();
    }
  }

  async function sweep(): Promise<void> {
    const rows = await db
      .selectFrom('delivery')
      .select('account')
      .distinct()
      .where(isOpen('delivery'))
      .where('due_ms', '<=', clock.nowMs())
      .execute();
    const others = rows.map(({ account }) => account).filter((account) => !lanes.has(account));
    if (others.length > 0) await db.transaction().execute((trx) => createJobs(trx, jobs, others));
  }

  /** How many lanes this worker may hold: its share of those that have work or a holder. */
  async function capacity(): Promise<number> {
    // A worker that is alone gets all lanes.
    if (share() === 1) return lanes.size + TAKEN_AT_ONCE;
    const most = (): number => Math.max(FEWEST_LANES, Math.ceil(Math.max(openLanes, lanes.size) * share()));
    if (lanes.size >= most() && performance.now() - countedMs >= COUNT_MS) {
      countedMs = performance.now();
      openLanes = await countLanes(db, clock.nowMs());
    }
    return most();
  }

  function endLate(): void {
    for (const held of lanes.values()) if (performance.now() >= held.deadlineMs) held.ended.abort();
  }

  return {
    held: () => [...lanes.values()].map(({ account, sinceMs }) => ({ account, heldMs: clock.nowMs() - sinceMs })),

    wake: () => jobs.wake('lanes'),

    announcesFreed: true,

    async run(work, { onWork, signal }) {
      const unsubscribe = notifications.subscribe((message) => {
        if (message.kind === 'lane') onWork(message.account);
        if (message.kind === 'missed') onWork(undefined);
        if (message.kind === 'lane' || message.kind === 'missed') jobs.wake('lanes');
      });
      const over = new AbortController();
      const onError = (error: unknown): void => log.debug({ error }, 'the leases could not be kept');
      const keeping = [
        repeat(renew, { everyMs: RENEW_MS, clock, onError, signal: over.signal }),
        repeat(endLate, { everyMs: CHECK_MS, clock, onError, signal: over.signal }),
        repeat(sweep, { everyMs: SWEEP_MS, clock, onError, signal }),
      ];
      await jobs.work<LaneData>('lanes', {
        capacity,
        run: (job, lost) => hold(job, work, { lost, stopping: signal }),
        signal,
      });
      unsubscribe();
      over.abort();
      await Promise.all(keeping);
    },
  };
}

/** Ends the lease of a lane; false: this worker does not hold it. The lock is that of `untilOf`. */
async function release(trx: Kysely<SharedTables>, account: string, held: Pick<Held, 'token'> | undefined): Promise<boolean> {
  if (!held) return false;
  const its = trx.selectFrom('lane').select('account').where('account', '=', account).where('token', '=', held.token).forUpdate();
  const lane = trx.updateTable('lane').where('account', '=', its);
  const { numUpdatedRows } = await lane.set({ holder: null, until_ms: NOW_MS }).executeTakeFirstOrThrow();
  return numUpdatedRows !== 0n;
}

/** When the lease of another worker ends. The lock makes transactions that create deliveries of the lane wait. */
async function untilOf(trx: Kysely<SharedTables>, account: string): Promise<number> {
  const lane = await trx.selectFrom('lane').select('until_ms').where('account', '=', account).forUpdate().executeTakeFirst();
  return lane?.until_ms ?? 0;
}

/** The account of a lane. */
interface LaneData {
  readonly account: string;
}

/** When the next delivery of an account is due after `afterMs`. */
async function nextDueMs(db: Kysely<SharedTables>, account: string, afterMs: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('due_ms').as('next_ms'))
    .where('account', '=', account)
    .where(isOpen('delivery'))
    .where('due_ms', '>', afterMs)
    .executeTakeFirst();
  return row?.next_ms ?? undefined;
}

/** The number of accounts that have work or a holder. */
async function countLanes(db: Kysely<SharedTables>, nowMs: number): Promise<number> {
  const { rows } = await sql<{ readonly lanes: number }>`
    select count(*) as lanes from (
      select account from delivery where ${isOpen('delivery')} and due_ms <= ${nowMs}
      union select account from lane where until_ms > ${NOW_MS}
    ) as its
  `.execute(db);
  return rows[0]?.lanes ?? 0;
}
