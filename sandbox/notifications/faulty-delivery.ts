import type { Clock } from '#src/clock.ts';
import type { FaultKind, FaultOrder } from '../faults.ts';

const DEFAULT_LATE_MS = 60_000;

interface FaultyDeliveryOptions {
  readonly clock: Clock;
  /** Ends waits. */
  readonly signal: AbortSignal;
}

/** How a notification is sent, and what others send instead or too. */
export interface Deliverable {
  send(): void;
  /** Sends a copy with a wrong proof. */
  forge(): void;
  /** Sends the notification of another installation. */
  sendForeign(): void;
}

/** Sends notifications with the effects of faults. */
export class FaultyDelivery {
  readonly #options: FaultyDeliveryOptions;
  /** Notifications that a fault sends after the next one. */
  #held: (() => void)[] = [];

  constructor(options: FaultyDeliveryOptions) {
    this.#options = options;
  }

  /** `fault` consumes a fault that applies to the notification. */
  deliver(fault: (kind: FaultKind) => FaultOrder | undefined, notification: Deliverable): void {
    if (fault('forgedNotification')) notification.forge();
    if (fault('foreignNotification')) notification.sendForeign();
    if (fault('lostNotification')) return;
    const times = fault('repeatedNotification') ? 2 : 1;
    const send = (): void => {
      for (let time = 0; time < times; time++) notification.send();
    };

    const late = fault('lateNotification');
    if (late) {
      const { clock, signal } = this.#options;
      clock.sleep(late.ms ?? DEFAULT_LATE_MS, signal).then(send, () => undefined);
      return;
    }
    if (fault('swappedNotification')) {
      this.#held.push(send);
      return;
    }
    send();
    const held = this.#held;
    this.#held = [];
    for (const sendHeld of held) sendHeld();
  }
}
