import { expect, test } from 'vitest';
import { toRuleAnswer } from '#src/admin/queries/rule-answer.ts';
import { rule, settledDecision } from '../../support/view-records.ts';

test('the answer about a rule has the instant of its last decision and the error of its unsent deliveries', () => {
  const lastDecision = settledDecision({
    outcome: 'fired',
    unsent: { state: 'failed', count: 2, error: { fault: 'forbidden', message: 'no access' } },
  });

  expect(toRuleAnswer(rule('a', { lastDecision })).lastDecision).toEqual({
    rule: lastDecision.rule,
    at: new Date(lastDecision.atMs),
    outcome: 'fired',
    message: lastDecision.message,
    unsent: { state: 'failed', count: 2, fault: 'forbidden', message: 'no access' },
  });
});
