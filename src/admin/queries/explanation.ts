import { z } from 'zod';
import type { KeptValues } from '#src/rules/step.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { SettledDecision } from './settled-decisions.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Polling } from './polling.ts';
import type { Pause, PlannedPause } from '#src/engine/scheduler/rule-states.ts';

const count = z.int().min(0);

/** The requests of a rule. */
export const CostAnswer = z
  .object({
    requestsPerMinute: z.number().describe('The requests of its polls.'),
    sharedWith: z.array(z.string()).readonly().describe('The rules that share its polls.'),
    accounts: z
      .array(
        z.object({
          account: z.string().describe('The account.'),
          perMinute: z.number().describe('The requests of all rules.'),
          allowed: z.number().optional().describe('The limit of the account, if known.'),
        }),
      )
      .readonly()
      .describe('The requests through its accounts.'),
    lookups: z
      .array(
        z.object({
          verb: z.string().describe('The operation.'),
          account: z.string().describe('The account.'),
          requests: count.describe('The largest number of pages.'),
          isForEach: z.boolean().describe('Whether it reads for each element of a list.'),
        }),
      )
      .readonly()
      .describe('The steps that read a platform at each firing.'),
  })
  .describe('The requests of the rule.');

/** The costs of a rule through a billed account. */
export const BillAnswer = z.object({
  account: z.string().describe('The account.'),
  reads: z
    .object({
      verb: z.string().describe('The operation.'),
      rows: count.describe('The largest number of rows in a day.'),
      row: z.string().describe('The name of a row.'),
      rowUsd: z.number().describe('The price of a row.'),
      monthUsd: z.number().describe('The largest cost of a month.'),
    })
    .optional()
    .describe('The cost of its polls.'),
  writes: z
    .array(
      z.object({
        verb: z.string().describe('The operation.'),
        usd: z.number().describe('The price of a call.'),
        usdWithLink: z.number().optional().describe('The price of a call with a link.'),
      }),
    )
    .readonly()
    .describe('The prices of its steps.'),
  spent: z
    .object({
      spentUsd: z.number().describe('What is spent in this month.'),
      monthUsd: z.number().optional().describe('The budget.'),
      month: z.string().describe('The month, for example `2026-11`.'),
      until: z.date().describe('The start of the next month.'),
    })
    .describe('The budget of the account.'),
});

/** A state that suppresses announcements of the rule, or could. */
export const RemarkAnswer = z.object({
  text: z.string().describe('The remark.'),
  holds: z.boolean().describe('Whether it suppresses announcements now.'),
});

/** The open episodes of a rule. */
export const OpenEpisodesAnswer = z
  .object({
    open: count.describe('The number of open episodes.'),
    newest: z
      .array(
        z.object({
          name: z.string().describe('The item.'),
          since: z.date().describe('When it began.'),
          announced: z.boolean().describe('Whether it was announced.'),
        }),
      )
      .readonly()
      .describe('The episodes that began last.'),
  })
  .describe('The open episodes.');

export type CostExplanation = z.output<typeof CostAnswer>;
export type BillExplanation = z.output<typeof BillAnswer>;
export type Remark = z.output<typeof RemarkAnswer>;

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
  readonly episodes: z.output<typeof OpenEpisodesAnswer>;
  /** Open, failed and unknown deliveries, and deliveries that were sent without a part; newest first. */
  readonly deliveries: readonly (Delivery & { readonly position: StepPosition })[];
  /** The newest decisions by outcome. Outcomes that explain a missing announcement come first. */
  readonly outcomes: readonly OutcomeExplanation[];
}

/** The newest decisions with one outcome. */
export interface OutcomeExplanation {
  readonly outcome: Outcome;
  /** The number of stored decisions. */
  readonly count: number;
  /** Newest first. */
  readonly latest: readonly SettledDecision[];
}
