import type { JsonObject } from '#src/operation/json.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Stopper } from '#src/rules/reasons/stopper.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Delivery, DeliveryChange, Part } from './delivery.ts';
import type { DueStep } from './rendering.ts';

/** Where deliveries are kept; the store fills it. They come into it with the commit that decided them. */
export interface Deliveries {
  /** Resolves when nobody else sends what is kept here, and keeps others from it until it is disposed of; `onWait`: somebody does. */
  claim(options: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined }): Promise<Disposable>;
  /** The accounts that have something to do. */
  accounts(): Promise<readonly string[]>;
  find(id: string): Promise<Delivery | undefined>;
  /** What was begun through an account and has no known end, in the order of the commits. */
  begun(account: string): Promise<readonly Delivery[]>;
  /**
   * What may be worked on through an account at this moment: begun ones first, then in the order of the commits, the parts of a
   * delivery in its place.
   *
   * A delivery waits for its time, for the earlier ones of its queue, for the results that it reads, for the steps that may stop it, and
   * in `while` and `finally` for what its account still does of the firings that it sees. Nobody is held up by one that is behind a
   * `wait`, or that needs an `unknown` result or the answer of a person. A question is due when nobody answered in time.
   */
  due(account: string, options: { readonly nowMs: number; readonly limit: number }): Promise<readonly Delivery[]>;
  /** When the next one's time comes; undefined: nobody waits for a time. */
  nextDueMs(account: string, nowMs: number): Promise<number | undefined>;
  /** Makes due at once what waits because its account was refused, of one account or of all: new credentials may be there. */
  retryRefused(options: { readonly nowMs: number; readonly account?: string | undefined }): Promise<void>;
  /** What rendering a delivery needs. */
  prepare(delivery: Delivery): Promise<Prepared>;
  /**
   * The steps of a firing that is not committed, prepared in their order; undefined: one of them waits for its time, for another step of
   * the firing, or for a delivery that is not settled.
   */
  foresee(firing: Firing): Promise<readonly Prepared[] | undefined>;
  /** What the same step of the episode sent last, for the same element; undefined also where it has to be sent even if it is the same. */
  lastSent(delivery: Delivery): Promise<JsonObject | undefined>;
  /** Whether this message was found missing before, when the episode did the same to it through the same account. */
  knowsGone(delivery: Delivery, message: string): Promise<boolean>;
  /** Ids of the records that other deliveries through the same account made since this one was begun, and in the two days before. */
  taken(delivery: Pick<Delivery, 'id' | 'account' | 'since'>): Promise<ReadonlySet<string>>;
  /**
   * The delivery as it stands after the change; undefined: it is not in the state of `delivery` any more, and nothing was written.
   *
   * `parts` come into being with the change, in its place: whatever waits for the delivery waits for them, too. One that was decided
   * before is not decided again.
   */
  change(delivery: Delivery, change: DeliveryChange, parts?: readonly Part[]): Promise<Delivery | undefined>;
}

/** A step that is due, and what it has to do with others. */
export interface Prepared {
  readonly due: DueStep;
  readonly results: StepResults;
  /** A step that it must not follow, as that failed. */
  readonly stoppedBy?: Stopper | undefined;
}
