import { z } from 'zod';
import { DecisionAnswer, DeliveryAnswer, jsonObject, PauseAnswer, PlannedPauseAnswer } from '#src/admin/queries/answers.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import {
  BillAnswer,
  CostAnswer,
  OpenEpisodesAnswer,
  RemarkAnswer,
  type Explanation,
  type OutcomeExplanation,
} from '#src/admin/queries/explanation.ts';
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
  remarks: z.array(RemarkAnswer).readonly().describe('What suppresses announcements, or could.'),
  values: jsonObject.optional().describe('The stored values of `keep` by name.'),
  cost: CostAnswer,
  polling: PollingAnswer.optional().describe('How the rule learns of changes, how late, and at which cost. Absent: it watches nothing.'),
  bills: z.array(BillAnswer).readonly().describe('The costs through billed accounts.'),
  episodes: OpenEpisodesAnswer,
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
