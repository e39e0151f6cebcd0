import { z } from 'zod';
import { DecisionAnswer, DeliveryAnswer, jsonObject, PauseAnswer, PlannedPauseAnswer } from '#src/admin/queries/answers.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import type { Explanation, OutcomeExplanation } from '#src/admin/queries/explanation.ts';
import type { GoneExplanation } from '#src/admin/queries/gone-rules.ts';
import { PollingAnswer } from '#src/admin/queries/polling.ts';
import { goneRule, ItemExplanationAnswer } from '#src/admin/queries/item-answer.ts';
import { toDecisionView, toPauseView, toPlannedView } from '#src/admin/queries/rule-view.ts';
import { OUTCOMES } from '#src/rules/decision.ts';

const count = z.int().min(0);

const decisions = z
  .array(
    z.object({
      outcome: z.enum(OUTCOMES).describe('The outcome.'),
      count: count.describe('The number of stored decisions with it.'),
      latest: z.array(DecisionAnswer).readonly().describe('The newest, newest first.'),
    }),
  )
  .readonly()
  .describe('The decisions by outcome.');

const cost = z
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

const bill = z.object({
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

const ExplanationAnswer = z.object({
  id: z.string().describe('The id of the rule, or of the instance.'),
  about: z.string().optional().describe('The description in the rule.'),
  file: z.string().describe('The rule file.'),
  enabled: z.union([z.boolean(), z.literal('sandbox')]).describe('The value of `enabled`.'),
  on: z.boolean().describe('Whether the rule runs with the configured accounts.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the file.'),
  schedule: z.string().describe('The schedule, for example `every 10s`.'),
  timezone: z.string().describe('The time zone of the rule.'),
  nextRuns: z.array(z.date()).readonly().describe('When it runs next.'),
  paused: PauseAnswer.optional().describe('The pause.'),
  plannedPauses: z.array(PlannedPauseAnswer).readonly().optional().describe('The pauses that have not begun. Absent: none.'),
  remarks: z
    .array(
      z.object({
        text: z.string().describe('The remark.'),
        holds: z.boolean().describe('Whether it suppresses announcements now.'),
      }),
    )
    .readonly()
    .describe('What suppresses announcements, or could.'),
  values: jsonObject.optional().describe('The stored values of `keep` by name.'),
  cost,
  polling: PollingAnswer.optional().describe('How the rule learns of changes, how late, and at which cost. Absent: it watches nothing.'),
  bills: z.array(bill).readonly().describe('The costs through billed accounts.'),
  episodes: z
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
    .describe('The open episodes.'),
  deliveries: z
    .array(DeliveryAnswer)
    .readonly()
    .describe('Open, failed and unknown deliveries, and deliveries that were sent without a part.'),
  decisions,
});

const GoneAnswer = z.object({
  ...goneRule,
  deliveries: z.array(DeliveryAnswer).readonly().describe('Its newest deliveries.'),
  decisions,
});

/** What `fanfare explain` answers. */
export const ExplainAnswer = z.union([
  z
    .object({
      rules: z.array(ExplanationAnswer).readonly().describe('The instances of the rule.'),
      gone: z.array(GoneAnswer).readonly().describe('What is stored of a deleted or renamed rule.'),
    })
    .describe('With a rule.'),
  z.object({ item: ItemExplanationAnswer.describe('What the rules know about the item.') }).describe('With `--item`.'),
]);

/** An explanation of a rule as data. */
export function toExplanationAnswer({
  rule,
  paused,
  planned,
  deliveries,
  outcomes,
  ...rest
}: Explanation): z.input<typeof ExplanationAnswer> {
  const { id, about, file, enabled } = rule;
  return {
    ...rest,
    id,
    about,
    file,
    enabled,
    paused: paused && toPauseView(paused, rule),
    plannedPauses: planned?.map(toPlannedView),
    deliveries: deliveries.map(toDeliveryView),
    decisions: toDecisions(outcomes),
  };
}

/** An explanation of a rule that is gone, as data. */
export function toGoneAnswer({ deliveries, outcomes, ...rest }: GoneExplanation): z.input<typeof GoneAnswer> {
  return { ...rest, deliveries: deliveries.map(toDeliveryView), decisions: toDecisions(outcomes) };
}

function toDecisions(outcomes: readonly OutcomeExplanation[]): z.input<typeof decisions> {
  return outcomes.map(({ outcome, count: stored, latest: newest }) => ({ outcome, count: stored, latest: newest.map(toDecisionView) }));
}
