import type { KeptValues } from '#src/rules/step.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Spent } from '#src/clients/operation/spending.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { StoppedDecision } from './stopped-decisions.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Polling } from './polling.ts';
import type { Pause, PlannedPause } from '#src/engine/scheduler/rule-states.ts';

/** Everything that is known about one rule, or one instance of it. */
export interface Explanation {
  readonly rule: Rule;
  /** Whether the rule runs with the configured accounts. */
  readonly on: boolean;
  /** The errors of its file. With errors, the last version without errors runs. */
  readonly diagnostics: readonly Diagnostic[];
  readonly schedule: string;
  readonly timezone: string;
  readonly nextRuns: readonly Date[];
  readonly cost: CostExplanation;
  /** How the rule learns of changes, and what its polls cost; absent: it watches nothing. */
  readonly polling?: Polling | undefined;
  /** The costs through billed accounts of the rule. */
  readonly bills: readonly BillExplanation[];
  /** Why the rule is paused; absent if it is not paused. */
  readonly paused?: Pause | undefined;
  /** The pauses that have not begun; absent: none. */
  readonly planned?: readonly PlannedPause[] | undefined;
  /** The states of the clock, pause, fuse, quiet hours and cooldown. */
  readonly remarks: readonly Remark[];
  /** The stored values by name; absent: the rule has none. */
  readonly values?: KeptValues | undefined;
  readonly episodes: EpisodesExplanation;
  /** Open, failed and unknown deliveries, and deliveries that were sent without a part; newest first. */
  readonly deliveries: readonly (Delivery & { readonly position: StepPosition })[];
  /** The newest decisions by outcome. Outcomes that explain a missing announcement come first. */
  readonly outcomes: readonly OutcomeExplanation[];
}

export interface CostExplanation {
  readonly requestsPerMinute: number;
  /** The rules that share its polls. */
  readonly sharedWith: readonly string[];
  /** The requests of all rules through its accounts, and the limits of the accounts if known. */
  readonly accounts: readonly { readonly account: string; readonly perMinute: number; readonly allowed?: number | undefined }[];
  /** The steps that read a platform at each firing; with `forEach`, once for each element. */
  readonly lookups: readonly Lookup[];
}

export interface Lookup {
  readonly verb: string;
  readonly account: string;
  /** The largest number of pages. Each page costs at least one request. */
  readonly requests: number;
  readonly isForEach: boolean;
}

/** The costs of a rule through a billed account. */
export interface BillExplanation {
  readonly account: string;
  /** The watched operation, with the largest number of rows. The platform bills a row once a day. */
  readonly reads?:
    | { readonly verb: string; readonly rows: number; readonly row: string; readonly rowUsd: number; readonly monthUsd: number }
    | undefined;
  /** The writes, with the price of one call. */
  readonly writes: readonly { readonly verb: string; readonly usd: number; readonly usdWithLink?: number | undefined }[];
  readonly spent: Spent;
}

/** A state that suppresses announcements of the rule, or could. */
export interface Remark {
  readonly text: string;
  /** Whether it suppresses announcements now. */
  readonly holds: boolean;
}

interface EpisodesExplanation {
  /** The number of open episodes. */
  readonly open: number;
  /** The open episodes that began last. */
  readonly newest: readonly { readonly name: string; readonly since: Date; readonly announced: boolean }[];
}

/** The newest decisions with one outcome. */
export interface OutcomeExplanation {
  readonly outcome: Outcome;
  /** The number of stored decisions. */
  readonly count: number;
  /** Newest first. */
  readonly latest: readonly StoppedDecision[];
}
