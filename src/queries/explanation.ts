import type { StepPosition } from '#src/rules/step-name.ts';
import type { Spent } from '#src/operation/spending.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import type { Decision, Outcome } from '#src/rules/decision.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';

/** What there is to know about one rule, or one instance of it. */
export interface Explanation {
  readonly rule: Rule;
  /** Whether it runs with the accounts that there are. */
  readonly on: boolean;
  /** What is wrong with its file; then it runs as it was before. */
  readonly problems: readonly Diagnostic[];
  readonly schedule: string;
  readonly timezone: string;
  readonly nextRuns: readonly Date[];
  readonly cost: CostExplanation;
  /** Of the accounts that it uses and that are billed. */
  readonly bills: readonly BillExplanation[];
  /** Why it says nothing before the operator resumes it; absent: it is not paused. */
  readonly paused?: Pause | undefined;
  /** Fuse, quiet hours, cooldown. */
  readonly remarks: readonly Remark[];
  readonly episodes: EpisodesExplanation;
  /** Open, failed and unknown deliveries, and deliveries that were sent without a part; newest first. */
  readonly deliveries: readonly (Delivery & { readonly position: StepPosition })[];
  /** The newest of each outcome that there is, those that matter first. */
  readonly outcomes: readonly OutcomeExplanation[];
}

export interface CostExplanation {
  readonly requestsPerMinute: number;
  /** Rules that its polls go out together with. */
  readonly sharedWith: readonly string[];
  /** What all rules together ask of its accounts, and what these allow where that is known. */
  readonly accounts: readonly { readonly account: string; readonly perMinute: number; readonly allowed?: number | undefined }[];
  /** The steps that read a platform, each time the rule fires; with `forEach`, once for each element. */
  readonly lookups: readonly Lookup[];
}

export interface Lookup {
  readonly verb: string;
  readonly account: string;
  /** The most pages that are read, with one request each at least. */
  readonly requests: number;
  readonly isForEach: boolean;
}

/** What a rule costs through an account whose platform bills. */
export interface BillExplanation {
  readonly account: string;
  /** What is read: so many rows at most, each billed once a day. */
  readonly reads?:
    | { readonly verb: string; readonly rows: number; readonly row: string; readonly rowUsd: number; readonly monthUsd: number }
    | undefined;
  /** What is done, each time. */
  readonly writes: readonly { readonly verb: string; readonly usd: number; readonly usdWithLink?: number | undefined }[];
  readonly spent: Spent;
}

/** Something that holds the rule back, or might. */
export interface Remark {
  readonly text: string;
  /** Whether it holds the rule back at this moment. */
  readonly holds: boolean;
}

interface EpisodesExplanation {
  /** How many are open. */
  readonly open: number;
  /** Those that began last. */
  readonly newest: readonly { readonly name: string; readonly since: Date; readonly spoke: boolean }[];
}

interface OutcomeExplanation {
  readonly outcome: Outcome;
  /** How many are kept. */
  readonly count: number;
  /** Newest first. */
  readonly latest: readonly Decision[];
}
