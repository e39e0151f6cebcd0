import type { Explained } from '#src/rules/reasons/reason.ts';
import type { Delivery } from './delivery.ts';
import { isRead } from './is-read.ts';
import { isStop, withDeliveryMessage, type DeliveryReason } from './reason.ts';

/** The states of deliveries that are not on their platform, the most urgent first. */
export const UNSENT_STATES = ['failed', 'unknown', 'asked', 'pending', 'skipped'] as const;

/** The deliveries of a firing that are not on their platform, in the state that needs the most attention. */
export interface Unsent extends Pick<Delivery, 'message' | 'reason' | 'error'> {
  /** `pending`: they wait, or are being sent. `skipped`: no delivery of the firing is in another state, except sent ones that only read. */
  readonly state: (typeof UNSENT_STATES)[number];
  readonly count: number;
}

/** The outcome of the steps of a firing. */
export interface FiringOutcome {
  /** The number of failed and unknown deliveries. */
  readonly undelivered: number;
  /** Why a person stopped deliveries; absent: no one did. */
  readonly stop?: Explained<DeliveryReason> | undefined;
  /** Absent: everything is sent, or a person stopped the rest. */
  readonly unsent?: Unsent | undefined;
}

/** A delivery of a firing. */
export type FiringDelivery = Pick<Delivery, 'do' | 'state' | 'message' | 'reason' | 'error'>;

/** The outcome of a firing with these deliveries. */
export function firingOutcome(all: readonly FiringDelivery[]): FiringOutcome {
  const stopped = all.map(({ reason }) => reason).find(isStop);
  return {
    undelivered: all.filter(({ state }) => state === 'failed' || state === 'unknown').length,
    ...(stopped && { stop: withDeliveryMessage(stopped) }),
    unsent: unsentOf(all),
  };
}

function unsentOf(all: readonly FiringDelivery[]): Unsent | undefined {
  // A step with a list is skipped, because its parts are delivered instead. A step that read something shows nothing to anyone.
  const real = all.filter(({ do: verb, state, reason }) => reason?.kind !== 'forEachDone' && !(state === 'sent' && isRead(verb)));
  for (const state of UNSENT_STATES) {
    const found = real.filter((one) => (one.state === 'sending' ? 'pending' : one.state) === state);
    const [first] = found;
    if (!first || (state === 'skipped' && (found.length < real.length || found.some(({ reason }) => isStop(reason))))) continue;
    const { message, reason, error } = first;
    return { state, count: found.length, message, reason, error };
  }
  return undefined;
}
