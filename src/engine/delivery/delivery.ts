import { canonical, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import type { FiredItem, Section } from '#src/rules/firing.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { Origin } from '#src/rules/audience/origin.ts';
import type { Element } from '#src/rules/element.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import type { DeliveryError } from './delivery-error.ts';
import type { DeliveryReason } from './reason.ts';

export const DELIVERY_STATES = ['pending', 'sending', 'asked', 'sent', 'failed', 'unknown', 'skipped'] as const;

/**
 * The state of a delivery:
 * - `pending`: it is not on the platform yet;
 * - `sending`: begun, without a known outcome;
 * - `asked`: it is on the platform and waits for the answer of a person;
 * - `sent`: it is on the platform;
 * - `failed`: it is not on the platform, and Fanfare does not retry;
 * - `unknown`: only the operator can decide whether it is on the platform;
 * - `skipped`: there was nothing to send.
 */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A resend of a failed delivery by a person. */
interface Resend {
  /** The name of the person. */
  readonly by: string;
  readonly atMs: number;
  /** Why the delivery had failed. */
  readonly failure?: string | undefined;
}

/** One step of a firing through one account. */
export interface Delivery {
  /** The idempotency key of the step, equal for every attempt. */
  readonly id: string;
  readonly rule: string;
  /** `Rule.textVersion` of the rule that decided it; absent for posts of people and for rows of an earlier version. */
  readonly textVersion?: string | undefined;
  /** The item of the episode; absent if the rule fired for a whole poll or slot, and for rows of an earlier version. */
  readonly item?: FiredItem | undefined;
  readonly episode: string;
  /** The firing's id. */
  readonly firing: string;
  /** Firings of the same queue are sent in order. */
  readonly queue: string;
  readonly section: Section;
  readonly occasion: string;
  /** The id of the step, else its position in its list from 0. */
  readonly step: string;
  /** The key of its element, if the step is done for each element of a list. */
  readonly element?: string | undefined;
  /** The part of a thread before it: the delivery whose record it replies to. */
  readonly after?: string | undefined;
  /** The verb, for example `social.createPost`. */
  readonly do: string;
  readonly account: string;
  /** Whether a second execution would create a second record. */
  readonly creates: boolean;
  /** Whether it is sent even if its text equals the text that was sent last. */
  readonly evenIfUnchanged: boolean;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** A delivery is not begun after this instant, or `maxAgeMs` after the results that it needs, whichever is later. */
  readonly expiresAt?: Date | undefined;
  /** The longest delay of its first attempt. */
  readonly maxAgeMs?: number | undefined;
  /** How long a person may take to answer. Absent: as `maxAgeMs`. */
  readonly answerWithinMs?: number | undefined;
  readonly retry?: Step['retry'];
  /** Whether it fails if an optional part is not available. */
  readonly strict?: boolean | undefined;
  /** The optional parts that were not available. */
  readonly omitted?: readonly Omission[] | undefined;
  /** When its wait ends; absent if it has none. */
  readonly beginsAt?: Date | undefined;
  /** When the engine attempts it next. */
  readonly dueAt: Date;
  /** A record that was made since then may be its own: a state that was restored does not know it. */
  readonly searchSince?: Date | undefined;
  /** The start of the first attempt. Its record cannot be older. */
  readonly since?: Date | undefined;
  /** The start of the last attempt. */
  readonly attemptedAt?: Date | undefined;
  /** When its last attempt ended without an outcome. If that is not known (the program ended, or a restored state may have sent it): when Fanfare first searched. */
  readonly lostAt?: Date | undefined;
  /** The end of the retries. */
  readonly giveUpAt?: Date | undefined;
  readonly sentAt?: Date | undefined;
  /** When it was settled last; absent for rows of an earlier version. */
  readonly settledAt?: Date | undefined;
  /** Rendered at the first attempt. Every attempt sends exactly this, without the parts in `omitted`. */
  readonly params?: JsonObject | undefined;
  /** The restricted records that it is made from. */
  readonly origins?: readonly Origin[] | undefined;
  /** The response of the platform. */
  readonly result?: Json | undefined;
  readonly error?: DeliveryError | undefined;
  /** Why it is not attempted again: it was withdrawn during an attempt, or its rule was deleted and it is not due yet. */
  readonly withdrawn?: Explained<DeliveryReason> | undefined;
  /** How often, and by whom, it was sent again after a failure. */
  readonly resends?: readonly Resend[] | undefined;
  /** Why it is `skipped` or `unknown`, or a remark about a sent one. */
  readonly message?: string | undefined;
  /** The data of `message`; absent for rows of an earlier version. */
  readonly reason?: DeliveryReason | undefined;
}

/** What can change of a delivery; a new `message` also replaces the `reason` of the one before. */
export type DeliveryChange = Pick<Delivery, 'state'> &
  Partial<
    Pick<
      Delivery,
      | 'attempts'
      | 'dueAt'
      | 'since'
      | 'attemptedAt'
      | 'lostAt'
      | 'giveUpAt'
      | 'sentAt'
      | 'settledAt'
      | 'params'
      | 'origins'
      | 'omitted'
      | 'searchSince'
      | 'result'
      | 'error'
      | 'withdrawn'
      | 'resends'
      | 'expiresAt'
      | 'retry'
      | 'strict'
      | 'message'
      | 'reason'
    >
  >;

/** How a failed or unknown delivery is sent again. */
export interface Reopening {
  /** The current step, with the names that its expressions can use; absent: the delivery keeps its step. */
  readonly planned?: { readonly step: Step; readonly names: StepNames } | undefined;
  /** Further deliveries whose results it reads. */
  readonly reads?: readonly string[] | undefined;
  /** The later parts of its thread, which are sent as well. */
  readonly continues?: readonly string[] | undefined;
}

/** One of several deliveries that one becomes: for an element of a list, or the next text of a thread. */
export type Part = { readonly id: string } & (
  | { readonly element: Element }
  | { readonly params: JsonObject; /** The delivery that it replies to. */ readonly after: string }
);

/** Whether Fanfare does nothing more with a delivery, unless a person acts. */
export function isSettled({ state }: Pick<Delivery, 'state'>): boolean {
  return state !== 'pending' && state !== 'sending' && state !== 'asked';
}

/** Whether a stored delivery is as a change leaves it. Its time in the store may differ. */
export function isChangedBy(
  change: DeliveryChange,
  { before, stored }: { readonly before: Delivery; readonly stored: Delivery | undefined },
): boolean {
  const { state, firing, attempts, sentAt, result } = { ...before, ...change };
  // Another process may have begun the same attempt, and both would send.
  if (state === 'sending' && !isBegunBy({ ...before, ...change }, stored)) return false;
  return (
    stored?.state === state &&
    // Another delivery may have the same id.
    stored.firing === firing &&
    stored.attempts === attempts &&
    stored.sentAt?.getTime() === sentAt?.getTime() &&
    canonical(stored.result ?? null) === canonical(result ?? null)
  );
}

/** Whether a stored delivery is at the attempt that a change to `sending` began. */
export function isBegunBy(change: DeliveryChange, stored: Delivery | undefined): boolean {
  return stored?.state === 'sending' && stored.attemptedAt?.getTime() === change.attemptedAt?.getTime();
}
