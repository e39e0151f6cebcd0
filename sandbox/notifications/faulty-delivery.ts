import type { Clock } from '#src/clock.ts';
import type { FaultKind, Faults } from '../faults.ts';

const DEFAULT_LATE_MS = 60_000;

interface FaultyDeliveryOptions {
  readonly platform: string;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Ends waits. */
  readonly signal: AbortSignal;
}

/** A notification to one receiver, and what others send instead or too. */
interface Notification {
  /** What faults see, for example `/mastodon/streaming/user/update`. */
  readonly path: string;
  readonly send: () => void;
  /** Sends the notification of another installation. */
  readonly sendForeign: () => void;
  /** Sends a notification without a valid proof, or what is no message of the platform. */
  readonly sendForged: () => void;
}

/** Sends notifications with the effects of faults. */
export type DeliverWithFaults = (notification: Notification) => void;

/** Creates a function that sends notifications with the effects of the faults of a platform. */
export function faultyDelivery({ platform, clock, faults, signal }: FaultyDeliveryOptions): DeliverWithFaults {
  /** Notifications that a fault sends after the next one. */
  let held: (() => void)[] = [];

  return ({ path, send: sendOnce, sendForeign, sendForged }) => {
    const fault = (kind: FaultKind) => faults.take(kind, { platform, method: 'POST', path });
    if (fault('forgedNotification')) sendForged();
    if (fault('foreignNotification')) sendForeign();
    if (fault('lostNotification')) return;
    const times = fault('repeatedNotification') ? 2 : 1;
    const send = (): void => {
      for (let time = 0; time < times; time++) sendOnce();
    };
    const late = fault('lateNotification');
    if (late) {
      clock.sleep(late.ms ?? DEFAULT_LATE_MS, signal).then(send, () => undefined);
      return;
    }
    if (fault('swappedNotification')) {
      held.push(send);
      return;
    }
    send();
    const waiting = held;
    held = [];
    for (const sendHeld of waiting) sendHeld();
  };
}
