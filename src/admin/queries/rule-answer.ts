import type { z } from 'zod';
import { documented, RuleAnswer } from './answers.ts';
import { toDeliveryView } from './deliveries.ts';
import type { RuleView } from './records.ts';
import { toDecisionView } from './rule-view.ts';

/** A rule with the documented fields only. */
export function toRuleAnswer({ lastDecision, lastFailure, ...rule }: RuleView): z.output<typeof RuleAnswer> {
  return documented(RuleAnswer, {
    ...rule,
    lastDecision: lastDecision && toDecisionView(lastDecision),
    lastFailure: lastFailure && toDeliveryView(lastFailure),
  });
}
