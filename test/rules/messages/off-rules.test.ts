import { expect, test } from 'vitest';
import { offRuleLines, offRules } from '#src/rules/messages/off-rules.ts';
import { check } from '../../support/rule-language.ts';

const STEPS = 'when: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';

test('rules that are off have the line of their key, each file once, the sandbox first', () => {
  const rules = [
    `id: never\nenabled: false\n${STEPS}`,
    `id: always\n${STEPS}`,
    `id: several\n\nenabled: sandbox # for now\neach: { game: [Chess, Go] }\n${STEPS}`,
  ].flatMap((source) => check(source).rules);

  const off = offRules(rules, ({ enabled }) => enabled === true);

  expect(off.map(({ name, enabledLine, enabled }) => [name, enabledLine, enabled])).toEqual([
    ['several', 3, 'sandbox'],
    ['never', 2, false],
  ]);
  expect(offRuleLines(off, 1)).toEqual([
    'off: several, rules/x.yaml:3 (enabled: sandbox)',
    'off: 1 more; npx fanfare check names them',
    'To run a rule that is off, write enabled: true in this line',
  ]);
  expect(offRuleLines([])).toEqual([]);
});
