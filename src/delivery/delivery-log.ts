import type { Listing, ListingOptions } from '#src/operation/listing.ts';
import type { Delivery, DeliveryState } from './delivery.ts';

interface DeliveryFilter extends ListingOptions {
  readonly rule?: string | undefined;
  readonly episode?: string | undefined;
  readonly account?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Whether the list contains `while` deliveries without a change. */
  readonly idle?: boolean | undefined;
}

/** A delivery that made or changed a record, and since when it was wanted. */
export interface Origin {
  readonly delivery: Delivery;
  /** The instant of the slot that decided it, in milliseconds since 1970. */
  readonly slotMs: number;
  /** The end of its wait, or the slot where it had none. */
  readonly wantedMs: number;
}

interface LatestFilter {
  readonly states: readonly DeliveryState[];
  readonly rule?: string | undefined;
  /** Servers whose people's posts are left out. */
  readonly except?: readonly string[] | undefined;
  readonly limit: number;
}

/** A delivery, and how many of those that are kept it stands for, itself included. */
export interface Latest {
  readonly delivery: Delivery;
  readonly times: number;
}

/** How many deliveries of a rule did not arrive, or may not have arrived. */
export interface Undelivered {
  readonly rule: string;
  readonly state: 'failed' | 'unknown';
  readonly count: number;
}

/** The open deliveries of an account whose time has come. */
interface DueDeliveries {
  readonly account: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** The history of deliveries. */
export interface DeliveryLog {
  /** The deliveries that failed and were decided since an instant, and those of any age that are unknown, by rule. */
  undelivered(sinceMs: number): Promise<readonly Undelivered[]>;
  /** How many deliveries of these firings failed or are unknown, by firing; firings without one are not in it. */
  undeliveredOf(firings: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The newest failed delivery of each of these rules that was decided since an instant, unless the same step succeeded later. */
  failuresOf(rules: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, Delivery>>;
  /** What made and changed a record, in this order; of what repeats itself for long the last is kept. */
  of(record: string): Promise<readonly Origin[]>;
  /** How long the last ones took from the slot, or the end of their wait, until they were there. */
  lagsMs(count: number): Promise<readonly number[]>;
  list(filter?: DeliveryFilter): Promise<Listing<Delivery>>;
  /** The instants of the slots that decided firings, in milliseconds since 1970, by the firings' ids. */
  slotsMs(firings: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Those whose ids begin with `name`; hyphens at the beginning of an id do not count. */
  named(name: string): Promise<readonly Delivery[]>;
  /** The newest in these states. The last edit of a card by a step of `while` represents all edits with its outcome, sent or failed. */
  latest(filter: LatestFilter): Promise<readonly Latest[]>;
  /** The open deliveries whose time has come; accounts without one are not in it. */
  dueByAccount(nowMs: number): Promise<readonly DueDeliveries[]>;
  /** How many are kept in each state that there is, but for those that had nothing to do. */
  counts(): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]>;
}
