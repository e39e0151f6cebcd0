import type { RuleView } from '#src/admin/queries/records.ts';
import { expect, test } from 'vitest';
import { ruleCards } from '#src/web/page/parts/rules.ts';
import { stateBar } from '#src/web/page/parts/state.ts';

const AT = new Date('2026-11-20T18:00:00Z');

const rule = (id: string, over: Partial<RuleView>): RuleView => ({
  id,
  file: `rules/${id}.yaml`,
  enabled: true,
  on: true,
  lastDecision: { rule: id, at: AT, outcome: 'fired', message: 'ada is live' },
  diagnostics: [],
  ...over,
});

test.for([
  [0, 0, 'Running'],
  [17, 0, 'Running, but 17 deliveries failed in the last 24 hours'],
  [1, 2, 'Running, but 1 delivery failed in the last 24 hours; 2 deliveries wait for your decision'],
] as const)('the header counts %i failed and %i unknown deliveries', async ([failed, unknown, text]) => {
  const page = String(await stateBar({ ready: true }, { accounts: [], undelivered: { failed, unknown } }));

  expect(page).toContain(`>${text}</p>`);
  expect(page.includes('readiness good')).toBe(failed + unknown === 0);
});

test('a rule with a failed delivery is shown as not sent', async () => {
  const page = String(
    await ruleCards([rule('b-failed', { lastUndelivered: 1, undelivered: { failed: 3, unknown: 0 } }), rule('a-fine', {})], {
      canAct: false,
    }),
  );

  const [failed = '', fine = ''] = page.split('data-key="rules/a-fine.yaml');
  expect(failed).toContain('not sent');
  expect(failed).not.toContain('>fired<');
  expect(failed).toContain('Deliveries: 3 failed in the last 24 hours.');
  expect(fine).toContain('fired');
});
