import type { Clock } from '#src/clock.ts';
import type { Delivery, DeliveryState, Reopening } from '#src/engine/delivery/delivery.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { isAnnouncement } from '#src/engine/delivery/ordering.ts';
import { toNeeded } from '#src/engine/delivery/prepare.ts';
import { RESEND_WITHIN_MS, resendFailed } from '#src/engine/delivery/resolution.ts';
import { readsOf } from '#src/rules/needs.ts';
import type { Rule } from '#src/rules/rule.ts';
import { currentStep } from '#src/rules/step-name.ts';
import type { Step } from '#src/rules/step.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';

/** Why a delivery cannot be sent again. */
export type ResendRefusal =
  /** Only a failed delivery can be sent again. */
  | { readonly kind: 'state'; readonly state: DeliveryState }
  | { readonly kind: 'paused'; readonly by: string }
  /** A person muted its item until the episode ends. */
  | { readonly kind: 'muted'; readonly by: string }
  /** The rule was deleted, is off, or no longer has the step. */
  | { readonly kind: 'ruleGone' | 'ruleOff' | 'stepGone' }
  /** It is an edit of `while`: the next poll edits the message. */
  | { readonly kind: 'superseded' }
  /** The values of its texts are no longer stored. */
  | { readonly kind: 'tooOld' }
  /** The platform created something else than requested. */
  | { readonly kind: 'otherRecord' };

/** The delivery that is sent again, or why not; undefined: there is no such delivery. */
export type ResendOutcome = { readonly resent: Delivery } | { readonly refused: ResendRefusal } | undefined;

export interface ResendOptions {
  readonly deliveries: Pick<DeliveryStore, 'find' | 'plan' | 'ofFirings' | 'reopen'>;
  readonly ruleStates: Pick<RuleStates, 'paused'>;
  /** A loaded rule, and whether it is on. */
  readonly findRule: (id: string) => { readonly rule: Rule; readonly isOn: boolean } | undefined;
  /** Whether deliveries with this rule id are posts of people, which no rule can change. */
  readonly isPost: (rule: string) => boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** A further round means that two people, or a person and a reload, acted at the same time. */
const ROUNDS = 3;

/** Sends a failed delivery again in the name of `by`: with the current step and the values of its firing. */
export async function resend(id: string, by: string, options: ResendOptions): Promise<ResendOutcome> {
  const { deliveries, clock } = options;
  for (let round = 0; round < ROUNDS; round++) {
    const delivery = await deliveries.find(id);
    if (!delivery) return undefined;
    const allowed = await allow(delivery, options);
    if ('kind' in allowed) return { refused: allowed };
    const change = resendFailed(delivery, { step: allowed.planned?.step, by, nowMs: clock.nowMs() });
    const resent = await deliveries.reopen(delivery, change, allowed);
    if (resent) return { resent };
    // Another person was faster, the rule was paused or deleted, or the item was muted: the next round finds the reason.
  }
  return { refused: { kind: 'ruleGone' } };
}

async function allow(
  delivery: Delivery,
  { deliveries, ruleStates, findRule, isPost, clock }: ResendOptions,
): Promise<Reopening | ResendRefusal> {
  const { state, rule: id, section, creates, after, sentAt, result, createdAt, settledAt = createdAt } = delivery;
  if (state !== 'failed') return { kind: 'state', state };
  if (sentAt !== undefined && result !== undefined) return { kind: 'otherRecord' };
  if (section === 'while' && !creates) return { kind: 'superseded' };
  const stored = await deliveries.plan(delivery);
  if (!stored || clock.nowMs() - settledAt.getTime() > RESEND_WITHIN_MS) return { kind: 'tooOld' };
  const continues = after === undefined ? [] : await laterParts(delivery, deliveries);
  if (isPost(id)) return { continues };

  const found = findRule(id);
  if (!found) return { kind: 'ruleGone' };
  if (!found.isOn) return { kind: 'ruleOff' };
  const person = (await ruleStates.paused()).get(id)?.person;
  if (person) return { kind: 'paused', by: person.by };
  if (stored.mutedBy !== undefined && isAnnouncement(delivery)) return { kind: 'muted', by: stored.mutedBy };
  // A part of a thread keeps its text, because the other parts are on the platform.
  if (after !== undefined) return { continues };
  const step = currentStep(found.rule, { ...delivery, plan: stored.step });
  if (!step || (delivery.element !== undefined && step.forEach === undefined)) return { kind: 'stepGone' };
  return { planned: { step, names: found.rule.names }, reads: await readsOfStep(step, delivery, deliveries) };
}

/** The earlier deliveries of the firing that the step reads. */
async function readsOfStep(
  step: Step,
  { id, firing, account }: Delivery,
  deliveries: Pick<DeliveryStore, 'ofFirings'>,
): Promise<readonly string[]> {
  const all = await deliveries.ofFirings([firing]);
  const earlier = all.slice(
    0,
    all.findIndex((one) => one.id === id),
  );
  return [...readsOf(step, account, earlier.map(toNeeded))];
}

/** The parts after a failed part of a thread. */
async function laterParts({ id, firing }: Delivery, deliveries: Pick<DeliveryStore, 'ofFirings'>): Promise<readonly string[]> {
  const all = await deliveries.ofFirings([firing]);
  const later: string[] = [];
  for (let last: string | undefined = id; last !== undefined;) {
    const next: string | undefined = all.find((one) => one.after === last && one.reasonKind === 'previousPartNotSent')?.id;
    if (next !== undefined) later.push(next);
    last = next;
  }
  return later;
}
