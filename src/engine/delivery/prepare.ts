import type { Firing } from '#src/rules/firing.ts';
import { episodeReads, needsOf } from '#src/rules/needs.ts';
import { failedStepOf, type FailedStep } from '#src/rules/reasons/step-reason.ts';
import { isFailedFor, isGone, readableResult, resultsOf, type StepResults } from '#src/rules/results.ts';
import { endsWithEpisode } from '#src/rules/step.ts';
import type { DeliveryRows, NeededDelivery, SeenDelivery } from './delivery-rows.ts';
import { isSettled, type Delivery } from './delivery.ts';
import { newDelivery } from './new-delivery.ts';
import type { DueStep } from './rendering.ts';

/** A step that is due, with the results that it reads. */
export interface Prepared {
  readonly due: DueStep;
  readonly results: StepResults;
  /** A step that failed and stops this one. */
  readonly stoppedBy?: FailedStep | undefined;
  /** Whether its episode ended during its wait, and the step ends with it. */
  readonly isOver?: boolean | undefined;
}

/** What rendering a delivery needs. */
export async function prepare(rows: DeliveryRows, delivery: Delivery): Promise<Prepared> {
  const stored = await rows.plan(delivery);
  if (!stored) throw new Error(`the scope of firing ${delivery.firing} is no longer stored`);
  const { isEpisodeOpen, hasNeeds, scope, ...planned } = stored;
  const { episode } = scope;
  const due = { delivery, ...planned, scope: episode ? { ...scope, episode: { ...episode, open: isEpisodeOpen } } : scope };
  // An edit of the rule may have removed the wait, so that the end of the episode withdrew nothing.
  const isOver = delivery.section === 'then' && episode?.['open'] === true && !isEpisodeOpen && endsWithEpisode(planned.step);
  const needed = hasNeeds ? await rows.needed(delivery.id) : [];
  return { due, isOver, ...effectsOf(needed, due) };
}

/**
 * The steps of a firing that is not committed, prepared in their order; undefined: one of them waits for its time, for another step of
 * the firing, or for a delivery that is not settled.
 */
export async function projectDeliveries(rows: DeliveryRows, firing: Firing): Promise<readonly Prepared[] | undefined> {
  const { sees, steps, scope, names, atMs } = firing;
  // An earlier poll may send its deliveries at any moment: the next text is compared with theirs.
  if (await rows.hasOpen(firing)) return undefined;
  const seen = sees.length === 0 ? [] : await rows.ofFirings(sees);
  const read = episodeReads(firing);
  const earlier = read.length === 0 ? [] : await rows.ofEpisode(firing, read);
  const byId = new Map([...earlier, ...seen].map((one) => [one.id, one]));
  const needs = Map.groupBy(needsOf(firing, seen.map(toNeeded), earlier.map(toNeeded)), ({ delivery }) => delivery);

  const prepared: Prepared[] = [];
  for (const planned of steps) {
    const { key, step } = planned;
    const its = needs.get(key) ?? [];
    const needed = its.flatMap(({ needed: id, reads, stops }) => {
      const one = byId.get(id);
      return one ? [{ ...one, reads, stops }] : [];
    });
    const waits = needed.length < its.length || needed.some((one) => !isSettled(one) || one.state === 'unknown');
    if (waits || step.afterMs) return undefined;
    const due = { delivery: newDelivery(planned, firing, { nowMs: atMs }), step, scope, names };
    prepared.push({ due, ...effectsOf(needed, due) });
  }
  return prepared;
}

/** A delivery as `needsOf` takes it. */
export function toNeeded({
  id,
  step,
  account,
  after,
  waitsUntilMs,
}: Pick<SeenDelivery, 'id' | 'step' | 'account' | 'after' | 'waitsUntilMs'>) {
  return { id, step, account, isTail: after !== undefined, waitsUntilMs };
}

/** Whether a file was left out, because it was not available. */
function lacksFile({ omitted = [] }: SeenDelivery): boolean {
  return omitted.some(({ parameter }) => parameter === 'files');
}

/** The result of a post on an account on which it was cancelled. */
const CANCELLED = { id: 'cancelled' } as const;

/** What the deliveries that one needs mean for it. */
function effectsOf(needed: readonly NeededDelivery[], { delivery, step, names }: DueStep): Pick<Prepared, 'results' | 'stoppedBy'> {
  const failed = step.reportsFailures ? undefined : needed.find(({ stops, state }) => stops && state === 'failed');
  const isIncomplete = (one: NeededDelivery): boolean =>
    step.reportsFailures === true &&
    needed.some((part) => part.account === one.account && (part.after === undefined ? lacksFile(part) : part.state !== 'sent'));
  // An account on which a person cancelled the post did not fail.
  const cancelled = new Set(needed.flatMap(({ account, reasonKind }) => (reasonKind === 'postWithdrawn' ? [account] : [])));
  const read = needed.filter(({ reads }) => reads);
  return {
    results: resultsOf(
      read.map(({ reasonKind: reason, element = '', ...one }) => ({
        ...one,
        element,
        result: cancelled.has(one.account) ? CANCELLED : isIncomplete(one) ? undefined : readableResult(one.result, one.plan),
        keepsAudience: one.plan.creates && one.plan.audience === undefined,
        isFailed: isFailedFor(one.plan, { ...one, reason }),
        isGone: one.plan.onError !== 'continue' && isGone(one.result),
      })),
      { names, firing: delivery.firing, reads: step.reads },
    ),
    stoppedBy: failed && failedStepOf({ step: failed.plan, index: Number(failed.step), account: failed.account }),
  };
}
