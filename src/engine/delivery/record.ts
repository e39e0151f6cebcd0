import { messageOf } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { EngineContext } from './engine-context.ts';
import { isBegunBy, isChangedBy, isSettled, type Delivery, type DeliveryChange, type Part } from './delivery.ts';
import { isRead } from './is-read.ts';
import type { LaneLease } from './lane-lease.ts';
import { logFieldsOf } from './log-fields.ts';

const STORE_PAUSE_MS = 1_000;
/** An equal failure after so long is a new outage. */
const LOG_AGAIN_AFTER_MS = 5 * 60_000;

export interface RecorderOptions extends Pick<EngineContext, 'deliveries' | 'clock' | 'log' | 'signal'> {
  /** The lane that the changes belong to. */
  readonly lease: LaneLease | undefined;
  /** Does not throw. */
  readonly onDelivery: ((delivery: Delivery) => void) | undefined;
  readonly onSettled: (delivery: Delivery) => void;
}

/** Stores changes of deliveries, repeats failed writes, and logs the changes. */
export function createRecorder({ deliveries, lease, clock, log, onDelivery, onSettled, signal }: RecorderOptions): EngineContext['record'] {
  let lastFailure: { readonly message: string; readonly atMs: number } | undefined;

  async function record(...[delivery, change, parts]: Parameters<EngineContext['record']>): Promise<Delivery | undefined> {
    const changed = await write(delivery, change, parts);
    if (changed) logChange(changed, delivery);
    return changed;
  }

  async function write(delivery: Delivery, change: DeliveryChange, parts?: readonly Part[]): Promise<Delivery | undefined> {
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        const changed = await deliveries.change(delivery, settles(change, clock), { parts, lease });
        if (changed || !isRepeated) return changed;
        // The failed write may have been stored, although its answer was lost.
        const stored = await deliveries.find(delivery.id);
        return isChangedBy(change, { before: delivery, stored }) ? stored : undefined;
      } catch (error) {
        await pauseAfter(error, delivery);
        // Only this process knows the response of the platform, so it repeats the write until it succeeds.
        if (delivery.state !== 'pending' || change.state !== 'sending') continue;
        // The error does not show whether the beginning was stored, and only this process knows that nothing was sent.
        const stored = await findStored(delivery);
        const begun = isBegunBy(change, stored) ? stored : undefined;
        // An attempt that did not begin is decided again, because it may be too late at the end of an outage.
        if (delivery.searchSince === undefined) return begun && takeBack(begun, delivery);
        // A search came before it, for which a platform may bill.
        if (begun) return begun;
      }
    }
  }

  /** Stores a delivery as it was before an attempt that did not begin. It keeps its text, as for each later attempt. */
  async function takeBack(begun: Delivery, before: Delivery): Promise<undefined> {
    const { attempts, attemptedAt, giveUpAt, error, message, reason } = before;
    await record(begun, { state: 'pending', attempts, attemptedAt, giveUpAt, error, message, reason });
    return undefined;
  }

  async function findStored(delivery: Delivery): Promise<Delivery | undefined> {
    for (;;) {
      try {
        return await deliveries.find(delivery.id);
      } catch (error) {
        await pauseAfter(error, delivery);
      }
    }
  }

  async function pauseAfter(error: unknown, delivery: Delivery): Promise<void> {
    const [message, atMs] = [messageOf(error), clock.nowMs()];
    const isKnown = message === lastFailure?.message && atMs - lastFailure.atMs < LOG_AGAIN_AFTER_MS;
    if (!isKnown) log.error({ ...logFieldsOf(delivery), error }, 'a delivery could not be stored; Fanfare retries');
    lastFailure = { message, atMs };
    await clock.sleep(STORE_PAUSE_MS, signal);
  }

  function logChange(delivery: Delivery, before: Delivery): void {
    const { account, state, error, message: reason } = delivery;
    const fields = {
      ...logFieldsOf(delivery),
      do: delivery.do,
      account,
      ...(error && { fault: error.fault, why: error.message }),
      ...(reason && { reason }),
    };
    if (state === 'sent' && delivery.omitted)
      log.warn({ ...fields, omitted: delivery.omitted }, 'sent without a part that was not available');
    else if (state === 'sent') log.info(fields, isRead(delivery.do) ? 'read' : 'sent');
    if (state === 'asked' && before.state !== 'asked') log.info(fields, 'the question was sent; waiting for an answer');
    if (state === 'failed')
      log.error(
        fields,
        delivery.sentAt ? 'the platform created something else than requested' : `could not be ${isRead(delivery.do) ? 'read' : 'sent'}`,
      );
    if (state === 'unknown') log.warn(fields, 'the outcome is unknown; decide with npx fanfare resolve');
    if (state === 'sending' && !error) log.debug(fields, 'sending');
    if (state === 'skipped') log.debug(fields, 'not sent');
    if (state === 'pending' && error) log.warn(fields, 'not sent yet; Fanfare retries');
    if (state === 'sending' && error && before.error === undefined)
      log.warn(fields, 'the outcome is unknown; Fanfare searches for the message before it sends it again');
    // Steps that only follow a question do not wait for its answer.
    if (isSettled(delivery) || state === 'asked') onSettled(delivery);
    onDelivery?.(delivery);
  }

  return record;
}

/** A change that settles a delivery has its time: the time of the deliveries that need its result begins. */
function settles(change: DeliveryChange, clock: Clock): DeliveryChange {
  return isSettled(change) ? { ...change, settledAt: new Date(clock.nowMs()) } : change;
}
