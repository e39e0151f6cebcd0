import { silentLog } from '#src/log.ts';
import type { StateChange } from '#src/rules/episode.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import { needsOf } from '#src/rules/needs.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { draftPrepared } from './draft.ts';
import type { EngineContext } from './engine-context.ts';
import { newDelivery } from './new-delivery.ts';
import { RETRY_MS } from './retry.ts';

/** The first attempt at a step of a firing that is not committed. */
export interface FirstAttempt {
  /** The delivery as its firing stores it. */
  readonly delivery: Delivery;
  /** The change to `sending`. */
  readonly change: DeliveryChange;
  /** `LaneLease.token` of the lane that makes the attempt. */
  readonly token: number | undefined;
}

/** Attempts that begin with a commit. The end of the commit disposes them: then those that were stored are made. */
export interface BegunAttempts extends AsyncDisposable {
  readonly begun: readonly FirstAttempt[];
}

/** The firings of a commit, and the episodes that it stores. */
export interface Firings {
  readonly firings: readonly Firing[];
  readonly change?: Pick<StateChange, 'put'> | undefined;
}

/**
 * The firings whose episodes are stored as the firings have them. A step after the commit reads from the state whether its episode is open,
 * and the same slot may close it.
 */
export function withKeptEpisodes({ firings, change }: Firings): readonly Firing[] {
  const stored = new Map(change?.put.map(({ id, closedMs }) => [id, closedMs === undefined]));
  return firings.filter(({ episode: id, scope: { episode } }) => !episode || stored.get(id) === episode['open']);
}

/** The steps of a firing that may be sent in its order at once: they need no other delivery and no later time, and nothing answers them. */
export function firstSteps(firing: Firing, { isQuestion }: Pick<EngineContext, 'isQuestion'>): readonly PlannedStep[] {
  const { section, sees, steps } = firing;
  if (section !== 'then' || sees.length > 0) return [];
  const waiting = new Set(needsOf(firing, []).map(({ delivery }) => delivery));
  return steps.filter(({ key, step }) => {
    const isPlain = step.creates && step.forEach === undefined && !step.afterMs && step.reads.length === 0 && !isQuestion(step.do);
    return isPlain && !waiting.has(key);
  });
}

/** The beginning of the attempt at a step of `firstSteps`; undefined: it is not sent now, or becomes several deliveries. */
export async function draftFirst(
  planned: PlannedStep,
  firing: Firing,
  context: Pick<EngineContext, 'clock' | 'deliveries' | 'render' | 'readsAtEachPoll'>,
): Promise<Omit<FirstAttempt, 'token'> | undefined> {
  const { scope, names } = firing;
  const now = new Date(context.clock.nowMs());
  const delivery = newDelivery(planned, firing, { nowMs: now.getTime() });
  const { state, expiresAt, retry, dueAt } = delivery;
  if (state !== 'pending' || dueAt > now || (expiresAt && now > expiresAt)) return undefined;
  const prepared = { due: { delivery, step: planned.step, scope, names }, results: {} };
  // The lane renders the step again, and logs a defect.
  const drafted = await draftPrepared(delivery, prepared, { ...context, log: silentLog });
  if (!('params' in drafted) || (drafted.parts ?? []).length > 0) return undefined;
  const { params, origins } = drafted;
  const giveUpAt = new Date(now.getTime() + (retry?.forMs ?? RETRY_MS));
  const begun = { state: 'sending', attempts: 1, params, since: now, giveUpAt, attemptedAt: now } as const;
  return { delivery, change: { ...begun, ...(origins && { origins }) } };
}
