import type { Delivery } from './delivery/delivery.ts';
import type { EndedAttempt } from './delivery/attempt.ts';
import type { Commit } from './scheduler/rule-states.ts';
import type { SlotTimes } from './scheduler/slot-times.ts';

/** Receives what happens in the engine. No method throws. */
interface EngineObserver {
  /** A slot was committed; `times`: of a slot, but not of a deleted rule. */
  slotCommitted?(commit: Commit, times?: SlotTimes): void;
  /** Deliveries were stored that no slot decided. */
  stored?(): void;
  /** A delivery has changed. */
  delivered?(delivery: Delivery): void;
  /** An attempt or a reconciliation has ended. */
  attempted?(ended: EndedAttempt): void;
  /** A question was closed, but not with its button: no one answered in time, or a person answered elsewhere. */
  questionClosed?(question: Delivery): void;
}

/** Passes what happens in the engine to its observers, in the order in which they were added. */
export interface EngineObservers extends Required<EngineObserver> {
  add(...observers: readonly EngineObserver[]): void;
}

export function createObservers(): EngineObservers {
  const observers: EngineObserver[] = [];
  return {
    add: (...more) => void observers.push(...more),
    slotCommitted: (commit, times) => observers.forEach((one) => one.slotCommitted?.(commit, times)),
    stored: () => observers.forEach((one) => one.stored?.()),
    delivered: (delivery) => observers.forEach((one) => one.delivered?.(delivery)),
    attempted: (ended) => observers.forEach((one) => one.attempted?.(ended)),
    questionClosed: (question) => observers.forEach((one) => one.questionClosed?.(question)),
  };
}
