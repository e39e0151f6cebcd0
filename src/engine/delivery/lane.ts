import { isDatabaseUnavailable, isOutage, messageOf } from '#src/errors.ts';
import { Alarm } from '#src/engine/alarm.ts';
import { MAX_PAUSE_MS } from './lanes.ts';
import { createOvertaking } from './overtaking.ts';
import type { EngineContext } from './engine-context.ts';
import { serverInKey } from '#src/rules/people/entry-key.ts';
import type { Delivery } from './delivery.ts';
import { sendBegun } from './send.ts';
import { workOn } from './work.ts';
import { logFieldsOf } from './log-fields.ts';

/** The number of deliveries that are read at once. If more posts are due, they do not wait for each other. */
const BATCH = 20;
const DEFECT_PAUSE_MS = 60_000;
const OUTAGE_PAUSE_MS = 1_000;
/** The number of concurrent deliveries of an account. */
const MAX_UNDER_WAY = 8;

/** The deliveries of one account: one at a time in each Discord server, unless one takes too long or many posts are due. */
export interface Lane {
  /** Works until `signal` aborts, or until there was no work for `idleMs`. Finishes the attempts that are under way. */
  run(signal: AbortSignal, idleMs?: number): Promise<void>;
  /** Reconciles the deliveries that were begun. */
  reconcile(signal: AbortSignal): Promise<void>;
  /**
   * Keeps the lane for the first attempt at a delivery that is being committed, if it has nothing else to do; undefined: it has. Until the
   * reservation ends, no other delivery begins.
   */
  reserve(id: string): Reservation | undefined;
  /** Checks for due deliveries at once. */
  wake(): void;
}

/** The lane of an attempt that begins with a commit. */
export interface Reservation {
  /** Ends the reservation after the attempt at the delivery, which is stored as `sending`; undefined: it is not. */
  end(begun: Delivery | undefined): void;
}

/**
 * Whether a delivery may overlap with others like it: a post has its own place on a social network. Messages are read one below the other, and of two edits or pins the later one
 * has to be the last one, so they keep their order.
 */
function mayOverlap({ do: verb }: Delivery): boolean {
  return verb === 'social.createPost';
}

/** The lane of `account`. */
export function createLane(account: string, engine: EngineContext): Lane {
  const { deliveries, clock, log, maxPauseMs } = engine;
  const alarm = new Alarm();
  const underWay = new Map<string, Promise<void>>();
  /** Called when the attempt at a delivery is over and only its outcome is to be stored. */
  const attempted = new Map<string, () => void>();
  /** Whether the lane waits for new work: every begun delivery of an earlier run was worked on, and no delivery has a later time. */
  let isFree = false;
  let running: AbortSignal | undefined;
  let reserved: Promise<void> | undefined;
  const context: EngineContext = {
    ...engine,
    isUnderWay: (id) => underWay.has(id),
    record(delivery, change, parts) {
      if (change.state !== 'sending') attempted.get(delivery.id)?.();
      return engine.record(delivery, change, parts);
    },
  };

  async function work(delivery: Delivery, signal: AbortSignal, attempt = workOn): Promise<void> {
    try {
      await attempt(delivery, context);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ ...logFieldsOf(delivery), error }, 'a delivery could not be processed; Fanfare retries');
      // The change waits for the end of an outage.
      const pauseMs = isOutage(error) ? OUTAGE_PAUSE_MS : DEFECT_PAUSE_MS;
      await context.record(delivery, { state: delivery.state, dueAt: new Date(clock.nowMs() + pauseMs) });
    }
  }

  /** Begins an attempt. The first promise resolves when only its outcome is to be stored. */
  function begin(id: string, attempt: () => Promise<void>): readonly Promise<void>[] {
    const { promise: isAttempted, resolve } = Promise.withResolvers<void>();
    attempted.set(id, resolve);
    const done = attempt().finally(() => {
      underWay.delete(id);
      attempted.delete(id);
      // Its end may free the next delivery of its queue.
      alarm.ring();
    });
    underWay.set(id, done);
    // If the lane is lost, nothing may wait for it by then.
    done.catch(() => undefined);
    return [isAttempted, done];
  }

  /** Works on the deliveries of different servers at the same time. Those of no server wait for each other. */
  async function workInOrder(batch: readonly Delivery[], signal: AbortSignal): Promise<void> {
    const byServer = Map.groupBy(batch, ({ item }) => item && serverInKey(item.key));
    await Promise.all([...byServer.values()].map((some) => workOneByOne(some, signal)));
  }

  /** Begins the deliveries in their order, as many at once as an account may have. */
  async function workAtOnce(batch: readonly Delivery[], signal: AbortSignal): Promise<void> {
    for (const delivery of batch) {
      while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay.values());
      if (signal.aborted) return;
      void begin(delivery.id, () => work(delivery, signal));
    }
  }

  /**
   * Begins one delivery after the other; each waits for the attempt at the one before it, unless that takes too long.
   *
   * The store then writes the outcome of one and the beginning of the next in one transaction.
   */
  async function workOneByOne(some: readonly Delivery[], signal: AbortSignal): Promise<void> {
    using overtaking = createOvertaking(clock);
    for (const delivery of some) {
      while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay.values());
      if (signal.aborted) return;
      await overtaking.wait(begin(delivery.id, () => work(delivery, signal)));
    }
  }

  async function reconcileBegun(signal: AbortSignal): Promise<boolean> {
    await workInOrder(await deliveries.begun(account), signal);
    return true;
  }

  /** Works on what is due, or waits for it; false if there was no work for `idleMs`. */
  async function workOnDue(signal: AbortSignal, idleMs: number): Promise<boolean> {
    // A delivery that ends while the list is read would appear in its old state.
    await reserved;
    const busy = new Set(underWay.keys());
    const nowMs = clock.nowMs();
    const limit = BATCH + busy.size;
    const due = await deliveries.due(account, { nowMs, limit });
    const batch = due.filter(({ id }) => !busy.has(id));
    const hasMore = due.length === limit;
    await (hasMore && batch.every(mayOverlap) ? workAtOnce : workInOrder)(batch, signal);
    // Otherwise, only the end of an attempt, a later time or other work brings more.
    if (hasMore || signal.aborted) return true;
    const nextMs = await deliveries.nextDueMs(account, nowMs);
    const pauseMs = Math.min(maxPauseMs, Math.max(0, (nextMs ?? Infinity) - clock.nowMs()));
    isFree = nextMs === undefined;
    const isRung = await alarm.wait(Math.min(pauseMs, idleMs), { clock, signal }).finally(() => (isFree = false));
    return isRung || pauseMs < idleMs || underWay.size > 0;
  }

  return {
    async run(signal, idleMs = Infinity) {
      running = signal;
      let next = reconcileBegun as typeof workOnDue; // it waits for nothing
      let logged: string | undefined;
      while (!signal.aborted) {
        try {
          if (!(await next(signal, idleMs))) break;
          next = workOnDue;
          logged = undefined;
        } catch (error) {
          const message = messageOf(error);
          if (message !== logged) log.error({ account, error }, 'the delivery engine failed; it retries');
          logged = message;
          // A single lost connection ends without a notification that would end the pause.
          await alarm.wait(isDatabaseUnavailable(error) ? OUTAGE_PAUSE_MS : MAX_PAUSE_MS, { clock, signal });
        }
      }
      await Promise.allSettled(underWay.values());
    },
    async reconcile(signal) {
      await reconcileBegun(signal);
      await Promise.all(underWay.values());
    },
    reserve(id) {
      const signal = running;
      if (!isFree || !signal || signal.aborted || underWay.size > 0) return undefined;
      const begun = Promise.withResolvers<Delivery | undefined>();
      const overtaking = createOvertaking(clock);
      const attempt = async (): Promise<void> => {
        const delivery = await begun.promise;
        if (delivery) await work(delivery, signal, sendBegun);
      };
      reserved = overtaking.wait(begin(id, attempt)).finally(() => overtaking[Symbol.dispose]());
      return { end: begun.resolve };
    },
    wake: () => alarm.ring(),
  };
}
