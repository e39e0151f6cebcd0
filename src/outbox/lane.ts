import { Alarm } from './alarm.ts';
import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import { findOut } from './find-out.ts';
import { closeUnanswered } from './question.ts';
import { send } from './send.ts';

/** How long nobody looks where nothing is due: what another process wrote is found then. */
export const IDLE_MS = 30_000;

const BATCH = 20;
const DEFECT_PAUSE_MS = 60_000;

/** What is to be done about a delivery that is due. */
const WORK: Readonly<Partial<Record<DeliveryState, (delivery: Delivery, context: OutboxContext) => Promise<void>>>> = {
  pending: send,
  sending: findOut,
  asked: closeUnanswered,
};

/** What goes through one account, one at a time. */
export interface Lane {
  /** Works until `signal` aborts; what is under way then is finished. */
  run(signal: AbortSignal): Promise<void>;
  /** Finds out what became of all that was begun. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** There may be something new. */
  wake(): void;
}

/** The lane of `account`. */
export function createLane(account: string, context: OutboxContext): Lane {
  const { deliveries, clock, log } = context;
  const alarm = new Alarm();

  async function work(batch: readonly Delivery[], signal: AbortSignal): Promise<void> {
    for (const delivery of batch) {
      if (signal.aborted) return;
      try {
        await WORK[delivery.state]?.(delivery, context);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ delivery: delivery.id, error }, 'a delivery could not be worked on; trying again in a minute');
        await context.record(delivery, { state: delivery.state, dueAt: new Date(clock.nowMs() + DEFECT_PAUSE_MS) });
      }
    }
  }

  async function reconcile(signal: AbortSignal): Promise<void> {
    await work(await deliveries.begun(account), signal);
  }

  async function workOnDue(signal: AbortSignal): Promise<void> {
    const batch = await deliveries.due(account, { nowMs: clock.nowMs(), limit: BATCH });
    if (batch.length > 0) return work(batch, signal);
    const nextMs = await deliveries.nextDueMs(account, clock.nowMs());
    const pauseMs = (nextMs ?? Infinity) - clock.nowMs();
    await alarm.wait(Math.min(IDLE_MS, Math.max(0, pauseMs)), { clock, signal });
  }

  return {
    async run(signal) {
      let next = reconcile;
      while (!signal.aborted) {
        try {
          await next(signal);
          next = workOnDue;
        } catch (error) {
          log.error({ account, error }, 'the outbox could not go on; trying again');
          await alarm.wait(IDLE_MS, { clock, signal });
        }
      }
    },
    reconcile,
    wake: () => alarm.ring(),
  };
}
