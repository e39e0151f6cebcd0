import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Perform, Recover, Search } from './attempt.ts';
import type { Deliveries } from './deliveries.ts';
import type { Delivery, DeliveryChange, Part } from './delivery.ts';
import type { Render } from './rendering.ts';

/** What working on a delivery takes. */
export interface OutboxContext {
  readonly deliveries: Deliveries;
  readonly perform: Perform;
  readonly recover: Recover;
  readonly search: Search;
  readonly render: Render;
  readonly visibleAfterMs: (account: string, verb: string) => number;
  /** Whether a repeat of a verb with the same key is known for one by the account's platform, however late it comes. */
  readonly keepsKeys: (account: string, verb: string) => boolean;
  /** Whether what a verb asks is answered by a person, later. */
  readonly isQuestion: (verb: string) => boolean;
  /** Whether a verb takes these parameters. */
  readonly accepts: (verb: string, params: JsonObject) => boolean;
  /** Nobody answered a question in time. */
  readonly onUnanswered: (delivery: Delivery) => void;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Writes a change and tells those who listen; undefined: the delivery is not what it was, and nothing was written. */
  readonly record: (delivery: Delivery, change: DeliveryChange, parts?: readonly Part[]) => Promise<Delivery | undefined>;
  /** Whether an attempt at this delivery, or a search for its record, has not ended yet. */
  readonly isUnderWay: (id: string) => boolean;
  /** Aborts when what is under way must end as well. */
  readonly signal: AbortSignal;
}
