import type { Generated, GeneratedAlways } from 'kysely';
import type { DeliveryState } from '#src/delivery/delivery.ts';
import type { Section } from '#src/rules/firing.ts';

/** 0 is no, 1 is yes. */
export type Flag = 0 | 1;

export interface FiringTable {
  id: string;
  rule: string;
  episode: string;
  section: Section;
  at_ms: number;
  /** JSON; null when all steps are rendered. */
  scope: string | null;
  /** JSON. */
  names: string;
}

export interface DeliveryTable {
  /** Increases with every delivery. */
  seq: Generated<number>;
  id: string;
  firing: string;
  rule: string;
  episode: string;
  queue: string;
  section: Section;
  occasion: string;
  step: string;
  /** The key of its `forEach` element; empty without one. */
  element: Generated<string>;
  /** The `turn` of the delivery that it is a part of. */
  head: number | null;
  /** Deliveries of a queue are in the order of `turn`, and then of `part`. */
  turn: GeneratedAlways<number>;
  part: Generated<number>;
  /** The part of a thread that it replies to. */
  after: string | null;
  verb: string;
  account: string;
  creates: Flag;
  afresh: Flag;
  /** The step at the time of the decision: JSON. */
  plan: string;
  /** Its `forEach` element: JSON; null when all steps are rendered. */
  it: string | null;
  state: DeliveryState;
  attempts: number;
  created_ms: number;
  /** The end of its wait. Before that, it delays no other delivery. */
  begins_ms: number;
  due_ms: number;
  expires_ms: number | null;
  /** Why it is not attempted again: JSON. */
  withdrawn: string | null;
  /** By whom it was sent again: JSON. */
  resends: string | null;
  /** The names for the expressions of a step that was sent again: JSON; null: those of the firing. */
  names: string | null;
  max_age_ms: number | null;
  answer_within_ms: number | null;
  retry_ms: number | null;
  retry_attempts: number | null;
  /** Before the first attempt, Fanfare searches for a record that was created since this instant. */
  search_ms: number | null;
  strict: Generated<Flag>;
  /** JSON. */
  omitted: string | null;
  /** JSON. */
  origins: string | null;
  since_ms: number | null;
  attempted_ms: number | null;
  lost_ms: number | null;
  give_up_ms: number | null;
  sent_ms: number | null;
  settled_ms: number | null;
  /** JSON. */
  params: string | null;
  params_message: GeneratedAlways<string | null>;
  /** JSON. */
  result: string | null;
  /** The id of the resulting record. */
  record: string | null;
  fault: string | null;
  message: string | null;
  reason: string | null;
  /** The data of the reason: JSON. */
  why: string | null;
}

/** Dependencies between deliveries. */
export interface NeedTable {
  /** The waiting delivery. */
  delivery: string;
  /** The delivery that it waits for. */
  needed: string;
  /** Whether it reads the result, so that it also waits while the outcome is unknown. */
  reads: Flag;
  /** Whether it is skipped if the other fails. */
  stops: Flag;
}
