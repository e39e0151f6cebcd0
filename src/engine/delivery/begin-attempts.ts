import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import { isBegunBy, type Delivery } from './delivery.ts';
import type { EngineContext } from './engine-context.ts';
import { draftFirst, firstSteps, withKeptEpisodes, type BegunAttempts, type FirstAttempt, type Firings } from './first-attempt.ts';
import type { LaneLease } from './lane-lease.ts';
import type { Lane, Reservation } from './lane.ts';
import { logFieldsOf } from './log-fields.ts';

export interface BeginAttemptsOptions extends Pick<
  EngineContext,
  'deliveries' | 'render' | 'isQuestion' | 'readsAtEachPoll' | 'clock' | 'log'
> {
  /** The lane of this process for an account, with its lease. */
  readonly laneOf: (account: string) => { readonly lane: Lane; readonly lease: LaneLease } | undefined;
  /** Does not throw. */
  readonly onDelivery: ((delivery: Delivery) => void) | undefined;
}

interface Reserved extends FirstAttempt {
  readonly reservation: Reservation;
}

/**
 * Begins the first attempts of firings with their commit, so that one sync of the disk precedes the request and not two. The lane of each
 * account is kept until the commit ends. A delivery that the store left `pending` is sent as every other one.
 */
export function createBeginAttempts(options: BeginAttemptsOptions): (commit: Firings) => Promise<BegunAttempts> {
  const { deliveries, laneOf, onDelivery, log } = options;

  async function reserve(planned: PlannedStep, firing: Firing): Promise<Reserved | undefined> {
    const { lane, lease } = laneOf(planned.account) ?? {};
    const reservation = lane?.reserve(planned.key);
    if (!lease || !reservation) return undefined;
    const drafted = await draftFirst(planned, firing, options).catch((error: unknown) => {
      log.debug({ ...logFieldsOf({ ...firing, id: planned.key }), error }, 'a step is not sent with its commit');
    });
    if (drafted) return { ...drafted, token: lease.token, reservation };
    reservation.end(undefined);
    return undefined;
  }

  /** The delivery, if its commit stored it as begun. The error of a commit does not show whether it was stored. */
  async function storedOf({ delivery, change }: Reserved): Promise<Delivery | undefined> {
    const stored = await deliveries.find(delivery.id).catch(() => undefined);
    return isBegunBy(change, stored) ? stored : undefined;
  }

  async function end(one: Reserved): Promise<void> {
    const stored = await storedOf(one);
    if (stored) {
      log.debug({ ...logFieldsOf(stored), do: stored.do, account: stored.account }, 'sending');
      onDelivery?.(stored);
    }
    one.reservation.end(stored);
  }

  return async (commit) => {
    const begun: Reserved[] = [];
    for (const firing of withKeptEpisodes(commit)) {
      for (const planned of firstSteps(firing, options)) {
        const one = await reserve(planned, firing);
        if (one) begun.push(one);
      }
    }
    return {
      begun,
      async [Symbol.asyncDispose]() {
        await Promise.all(begun.map(end));
      },
    };
  };
}
