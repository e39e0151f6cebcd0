import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { FiringOutcome } from './firing-outcome.ts';
import type { ServerDeliveries } from './server-deliveries.ts';

export interface DeliveryFilter extends ListingOptions {
  readonly rule?: string | undefined;
  /** The key of the item. */
  readonly item?: string | undefined;
  readonly episode?: string | undefined;
  readonly account?: string | undefined;
  /** `sent` does not include steps that only read. */
  readonly state?: DeliveryState | undefined;
  /** Words that the rendered texts of the delivery have, in any order. */
  readonly text?: string | undefined;
  /** Only deliveries that were decided at this instant or later. */
  readonly sinceMs?: number | undefined;
  /** Only deliveries that were decided before this instant. */
  readonly untilMs?: number | undefined;
  /** By default, the newest delivery is first. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** The page ends early after this time. It then has fewer items than `limit`, and a cursor. */
  readonly withinMs?: number | undefined;
  /** Whether the list contains `while` deliveries without a change. */
  readonly idle?: boolean | undefined;
}

/** A delivery that created or changed a record, with its planned time. */
export interface Origin {
  readonly delivery: Delivery;
  /** The instant of the slot that decided it, in milliseconds since 1970. */
  readonly slotMs: number;
  /** The end of its wait; the slot if it had none. */
  readonly wantedMs: number;
}

interface LatestFilter {
  readonly states: readonly DeliveryState[];
  readonly rule?: string | undefined;
  /** Only deliveries of this server. */
  readonly of?: ServerDeliveries | undefined;
  /** Servers whose people's posts are left out. */
  readonly except?: readonly string[] | undefined;
  readonly limit: number;
}

/** A delivery, and the number of stored deliveries that it represents, including itself. */
export interface Latest {
  readonly delivery: Delivery;
  readonly times: number;
}

export interface FailedAttempt {
  /** When it began. */
  readonly atMs: number;
  readonly fault: string;
  readonly message: string;
}

/** The number of failed or unknown deliveries of a rule. */
export interface Undelivered {
  readonly rule: string;
  readonly state: 'failed' | 'unknown';
  readonly count: number;
}

/** A part of the time, in milliseconds since 1970. */
interface Period {
  readonly fromMs: number;
  /** The first instant after it. */
  readonly untilMs: number;
}

/** The open deliveries of an account whose time has come. */
interface DueDeliveries {
  readonly account: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** The history of deliveries. */
export interface DeliveryLog {
  /** The deliveries that failed since an instant, and those of any age that are unknown, by rule. A failure more than 25 hours after the decision counts from the decision. */
  undelivered(sinceMs: number): Promise<readonly Undelivered[]>;
  /** The outcomes of these firings; those without a delivery are not in it. */
  outcomesOf(firings: readonly string[]): Promise<ReadonlyMap<string, FiringOutcome>>;
  /** The newest delivery of each of these rules that failed since an instant, as in `undelivered`, unless the same step succeeded later. */
  failuresOf(rules: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, Delivery>>;
  /** The number of announcements by rule, from an instant until before another one. Edits and the steps at the end of episodes do not count. */
  announcements(period: Period): Promise<ReadonlyMap<string, number>>;
  /** The deliveries that created and changed a record, in order. Of repeated edits, only the last one is stored. */
  of(record: string): Promise<readonly Origin[]>;
  /** The time from the slot, or from the end of the wait, to the receipt, of the last deliveries. */
  lagsMs(count: number): Promise<readonly number[]>;
  list(filter?: DeliveryFilter): Promise<Listing<Delivery>>;
  /** The last attempts of a delivery that failed, oldest first. */
  failedAttempts(id: string): Promise<readonly FailedAttempt[]>;
  /** The instants of the slots that decided firings, in milliseconds since 1970, by the firings' ids. */
  slotsMs(firings: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The deliveries whose ids begin with `name`. Hyphens at the beginning of an id are ignored. */
  named(name: string): Promise<readonly Delivery[]>;
  /** The newest deliveries in these states; `sent` alone does not include steps that only read. Those of all rules in several states have no skipped steps without work. The last edit of a card by a step of `while` represents all edits with its outcome, sent or failed. */
  latest(filter: LatestFilter): Promise<readonly Latest[]>;
  /** The open deliveries whose time has come; accounts without one are not in it. */
  dueByAccount(nowMs: number): Promise<readonly DueDeliveries[]>;
  /** The number of stored deliveries by state, without idle ones, and without sent ones that only read. */
  counts(): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]>;
}
