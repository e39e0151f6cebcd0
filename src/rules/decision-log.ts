import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { Decision, Outcome } from './decision.ts';

export interface DecisionFilter extends ListingOptions {
  readonly rule?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly item?: string | undefined;
  /** A text in the message, in any letter case. Only with a rule, because no index has it. */
  readonly text?: string | undefined;
}

/** The number of decisions stored per rule and outcome, so that frequent outcomes do not displace rare ones. */
export const MOST_DECISIONS = 50;

/** The latest decisions of the rules. */
export interface DecisionLog {
  /** The last decision of each of these rules that has one, by rule. */
  latestOf(rules: readonly string[]): Promise<ReadonlyMap<string, Decision>>;
  list(filter?: DecisionFilter): Promise<Listing<Decision>>;
  /** The number of stored decisions by rule and outcome, of these rules or of all. */
  counts(rules?: readonly string[]): Promise<readonly { readonly rule: string; readonly outcome: Outcome; readonly count: number }[]>;
}
