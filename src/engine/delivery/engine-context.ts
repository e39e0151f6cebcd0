import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { EndedAttempt, Perform, Recover, Search } from './attempt.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Delivery, DeliveryChange, Part } from './delivery.ts';
import type { Render } from './rendering.ts';

/** Everything that work on a delivery needs. */
export interface EngineContext {
  readonly deliveries: DeliveryStore;
  readonly perform: Perform;
  readonly recover: Recover;
  /** Searches for a record that was made after the restored backup; `recover` by default. */
  readonly search: Search;
  readonly render: Render;
  /** How long after an attempt its record may be invisible to `recover`; 0 if the platform deduplicates by key. */
  readonly visibleAfterMs: (account: string, verb: string) => number;
  /** Whether the platform of an account deduplicates requests by key, however late a repeat comes. */
  readonly keepsKeys: (account: string, verb: string) => boolean;
  /** Whether a person answers a verb later. */
  readonly isQuestion: (verb: string) => boolean;
  /** Whether a step of `while` with this verb runs at each poll, even with unchanged parameters, because it only reads. */
  readonly readsAtEachPoll: (verb: string) => boolean;
  /** Whether each call of a verb costs money, even if its answer is lost. */
  readonly isBilled: (verb: string) => boolean;
  /** The parameter of a verb that names the record to remove; undefined if the verb removes nothing. */
  readonly removes: (verb: string) => string | undefined;
  /** Whether a verb takes these parameters; by default, all do. */
  readonly accepts: (verb: string, params: JsonObject) => boolean;
  /** Called with a question that no one answered in time; does not throw. */
  readonly onUnanswered: (delivery: Delivery) => void;
  /** Called after each attempt and each reconciliation; does not throw. */
  readonly onAttempt: (ended: EndedAttempt) => void;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** The longest pause without work. Afterwards, the engine finds deliveries that another process stored. */
  readonly maxPauseMs: number;
  readonly log: Log;
  /** Stores a change and publishes it; undefined: the delivery has another state by now, and nothing was stored. */
  readonly record: (delivery: Delivery, change: DeliveryChange, parts?: readonly Part[]) => Promise<Delivery | undefined>;
  /** Whether an attempt at this delivery, or a search for its record, is under way. */
  readonly isUnderWay: (id: string) => boolean;
  /** Aborts when running attempts must also end. */
  readonly signal: AbortSignal;
}
