import { isCollecting } from '#src/rules/collecting.ts';
import type { Section, Withdrawal } from '#src/rules/firing.ts';
import type { Need } from '#src/rules/needs.ts';
import { endsWithEpisode, type Step } from '#src/rules/step.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { Delivery, DeliveryChange, DeliveryState } from './delivery.ts';
import type { DeliveryReason } from './reason.ts';

/** The position of a delivery among those of its account. */
export interface Position {
  /** The order of the commits. */
  readonly order: number;
  /** The position among the deliveries that one delivery became: elements of a list, parts of a thread. */
  readonly part: number;
}

/** A delivery that is not settled, with everything that decides when it may be attempted. */
export interface OpenDelivery extends Position, Pick<Delivery, 'id' | 'account' | 'queue'> {
  readonly state: 'pending' | 'sending' | 'asked';
  /** The end of its wait, in milliseconds since 1970; -Infinity without a wait, so that no clock decides about its queue. */
  readonly beginsMs: number;
  /** A delivery is not begun after this instant. */
  readonly expiresMs?: number | undefined;
  readonly maxAgeMs?: number | undefined;
  readonly isBegun: boolean;
}

/** A need, and the state of the delivery that is needed. */
export interface NeedState extends Need {
  readonly state: DeliveryState;
  /** When the needed delivery was settled, in milliseconds since 1970; absent for rows of an earlier version. */
  readonly settledMs?: number | undefined;
}

/** Ids of open deliveries that wait for somebody. */
export interface Waiting {
  /** For a resolution of an `unknown` delivery. */
  readonly operator: ReadonlySet<string>;
  /** For the answer to a question. */
  readonly person: ReadonlySet<string>;
}

/** No delivery waits for anybody. */
export const NOBODY: Waiting = { operator: new Set(), person: new Set() };

/** Compares two positions, as `toSorted` takes it. */
export function byPosition(one: Position, other: Position): number {
  return one.order - other.order || one.part - other.part;
}

/** Whether a delivery is worked on whatever it waits for: it was begun, its question timed out, or it is too late to begin it. */
export function isUnconditional({ state, isBegun, expiresMs }: OpenDelivery, nowMs: number): boolean {
  return state !== 'pending' || (!isBegun && expiresMs !== undefined && expiresMs < nowMs);
}

/** Whether a delivery has to wait for one that it needs. An operator may never resolve an `unknown` delivery, so only readers wait for that. */
export function isUnmet({ needed, reads, stops, state }: NeedState, { operator }: Waiting): boolean {
  if (state === 'pending' || state === 'sending') return reads || stops || !operator.has(needed);
  return reads && (state === 'unknown' || state === 'asked');
}

/**
 * The instant after which a delivery is not begun, in milliseconds since 1970; undefined: none, or a result that it needs does not exist yet.
 *
 * The time in which it waited for results does not count.
 */
export function latestBeginMs(
  { expiresMs, maxAgeMs }: Pick<OpenDelivery, 'expiresMs' | 'maxAgeMs'>,
  needs: readonly NeedState[],
): number | undefined {
  if (expiresMs === undefined || maxAgeMs === undefined) return expiresMs;
  const results = needs.filter(({ reads, stops }) => reads || stops);
  if (results.some((need) => isUnmet(need, NOBODY))) return undefined;
  return Math.max(expiresMs, ...results.map(({ settledMs = -Infinity }) => settledMs + maxAgeMs));
}

/** Whether `ahead` holds up every later delivery of its queue and account. During its wait, it holds up nothing. */
export function holdsQueue({ id, state, beginsMs }: OpenDelivery, { operator, person }: Waiting, nowMs: number): boolean {
  return state !== 'asked' && beginsMs <= nowMs && !operator.has(id) && !person.has(id);
}

/** Whether `ahead`, an earlier delivery of the same queue and account, holds up `delivery`. */
export function holdsUp(
  ahead: OpenDelivery,
  { delivery, waiting, nowMs }: { readonly delivery: OpenDelivery; readonly waiting: Waiting; readonly nowMs: number },
): boolean {
  return byPosition(ahead, delivery) < 0 && holdsQueue(ahead, waiting, nowMs);
}

/** Whether a need makes its delivery wait for the operator or for a person. */
export function waitsDirectly({ reads, state }: NeedState, whom: keyof Waiting): boolean {
  return reads && state === (whom === 'operator' ? 'unknown' : 'asked');
}

/** Whether a delivery waits along with the waiting delivery that it needs. */
export function waitsAlong({ reads, stops }: Need, whom: keyof Waiting): boolean {
  return whom === 'person' || reads || stops;
}

/** Whether a withdrawal concerns a delivery: a thread is sent to its end. */
export function isWithdrawn({ state, after }: Pick<Delivery, 'state' | 'after'>): boolean {
  return (state === 'pending' || state === 'sending') && after === undefined;
}

/** Whether a withdrawal concerns an open delivery of its section. `plan`: its step; absent: `only` does not need it. */
export function isConcerned(
  { only, except = [] }: Pick<Withdrawal, 'only' | 'except'>,
  delivery: Pick<Delivery, 'state' | 'after' | 'attempts' | 'step' | 'creates'>,
  plan: Step | undefined,
): boolean {
  if (except.includes(delivery.step)) return false;
  if (only === 'endsWithEpisode') return plan !== undefined && isWithdrawnAtEnd(delivery, plan);
  return isWithdrawn(delivery) && (only === undefined || delivery.creates);
}

/** Whether the end of its episode withdraws a delivery of `then`. */
function isWithdrawnAtEnd({ state, after, attempts }: Pick<Delivery, 'state' | 'after' | 'attempts'>, plan: Step): boolean {
  return state === 'pending' && after === undefined && attempts === 0 && endsWithEpisode(plan);
}

/** The change of a delivery that is withdrawn: an attempt may have made the record, so only its repeat is withdrawn. */
export function withdrawal({ state }: Pick<Delivery, 'state'>, explained: Explained<DeliveryReason>): DeliveryChange {
  return state === 'pending' ? { state: 'skipped', ...explained } : { state, withdrawn: explained };
}

/** A sync or an editor may remove the file of a rule and write it again. */
export const GONE_FOR_MS = 60_000;

/** Whether a delivery was withdrawn because its rule was deleted or turned off: it continues if the rule returns before it is due. */
export function mayReturn(withdrawn: Delivery['withdrawn']): boolean {
  const kind = withdrawn?.reason?.kind;
  return kind === 'ruleDeleted' || kind === 'ruleDisabled';
}

/** Whether a change has a delivery attempted again, which a withdrawal during the last attempt prevents. */
export function isRepeat(delivery: Pick<Delivery, 'state'>, change: Pick<Delivery, 'state'>): boolean {
  return delivery.state === 'sending' && change.state === 'pending';
}

/** Whether a mute of its item takes a delivery back: the item is not announced again, and what stands is still edited. */
export function isAnnouncement({ section, creates }: Pick<Delivery, 'section' | 'creates'>): boolean {
  return section === 'then' || (section === 'while' && creates);
}

/** Whether a pause of the rule takes a delivery back: new posts stop, and what stands is still edited. */
export function isWithdrawnByPause(delivery: Pick<Delivery, 'state' | 'after' | 'creates'> & { readonly section: Section }): boolean {
  return isWithdrawn(delivery) && (delivery.creates || delivery.section === 'then' || isCollecting(delivery.section));
}
