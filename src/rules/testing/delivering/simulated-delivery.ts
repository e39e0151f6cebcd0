import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Element } from '../../element.ts';
import type { Firing, PlannedStep, Section } from '../../firing.ts';
import type { Need, Needed } from '../../needs.ts';

/** The last instant that there is. */
export const NEVER_MS = 8.64e15;

/** One step of a firing through one account, as it stands at this moment of a simulation; instants are in milliseconds since 1970. */
export interface SimulatedDelivery {
  readonly id: string;
  readonly planned: PlannedStep;
  /** Which of a list it is done for. */
  readonly element?: Element | undefined;
  /** The part of a thread before it. */
  readonly after?: string | undefined;
  /** Which part of a thread it is, from 1. */
  readonly part: number;
  /** What it waits for. */
  needs: Omit<Need, 'delivery'>[];
  /** `asked`: it waits for the answer of a person. */
  state: 'pending' | 'asked' | 'sent' | 'failed' | 'skipped';
  /** Why it was skipped. */
  why?: string | undefined;
  /** When its time came. */
  readonly beginsMs: number;
  /** When it is looked at next. */
  dueMs: number;
  /** After this instant it is not begun any more. */
  readonly expiresMs?: number | undefined;
  /** When it was begun first. */
  sinceMs?: number | undefined;
  attempts: number;
  /** Sent even where it looks like what was sent last. */
  afresh: boolean;
  /** As rendered once. */
  params?: JsonObject | undefined;
  result?: Json | undefined;
}

/** The deliveries of a firing, in their order; what a list or a thread becomes stands behind what it comes from. */
export interface Batch {
  readonly id: string;
  readonly section: Section;
  readonly queue: string;
  readonly episode: string;
  /** Absent once nothing is left to do. */
  firing?: Firing | undefined;
  deliveries: SimulatedDelivery[];
}

/** Whether something may still happen to it. */
export function isOpen({ state }: SimulatedDelivery): boolean {
  return state === 'pending' || state === 'asked';
}

/** The step's id, else its place in its list. */
export function nameOf({ planned: { step, index } }: Pick<SimulatedDelivery, 'planned'>): string {
  return step.id ?? String(index);
}

/** As others may wait for it. */
export function toNeeded(delivery: SimulatedDelivery): Needed {
  const { id, planned, after } = delivery;
  return { id, step: nameOf(delivery), account: planned.account, isTail: after !== undefined };
}

/** A step that was just decided. */
export function newDelivery(planned: PlannedStep, { atMs, afresh }: Firing, needs: SimulatedDelivery['needs']): SimulatedDelivery {
  const { afterMs = 0, maxAgeMs } = planned.step;
  const beginsMs = atMs + afterMs;
  return {
    id: planned.key,
    planned,
    part: 1,
    needs,
    state: 'pending',
    beginsMs,
    dueMs: beginsMs,
    expiresMs: maxAgeMs === undefined ? undefined : beginsMs + maxAgeMs,
    attempts: 0,
    afresh,
  };
}
