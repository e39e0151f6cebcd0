import { describe, expect, test } from 'vitest';
import { storedStepPosition, stepName, stepPosition } from '#src/rules/step-name.ts';
import { ruleOf } from '../support/rule-language.ts';

const SEND = '{ do: discord.send, with: { channel: live, content: hi } }';

describe('a step without an id is named by its position in the file', () => {
  test('with each wait counted', () => {
    const rule = ruleOf(
      `id: r\nwhen: { every: 1m }\nthen:\n  - wait: 5s\n  - wait: 5s\n  - ${SEND}\n  - wait: 0s\n  - ${SEND}\n  - ${SEND}`,
    );

    expect(rule.then.map((_, index) => stepName(stepPosition(rule, 'then', index)))).toEqual(['step 3', 'step 5', 'step 6']);
    expect(stepName(storedStepPosition(rule, { section: 'then', step: '1' }))).toBe('step 5');
  });

  test('within its list', () => {
    const quiet = `quiet: { from: "23:00", to: "08:00", timezone: UTC, then: [{ wait: 5s }, ${SEND}] }`;
    const rule = ruleOf(`id: r\nwhen: { every: 5m, watch: streaming.getTopStreams }\n${quiet}\nthen: [${SEND}]\nfinally: [${SEND}]`);

    expect(stepName(stepPosition(rule, 'quiet', 0))).toBe('quiet step 2');
    expect(stepName(stepPosition(rule, 'finally', 0))).toBe('finally step 1');
  });
});

test('a step with an id is named by its id', () => {
  const rule = ruleOf(`id: r\nwhen: { every: 1m }\nthen:\n  - wait: 5s\n  - { id: post, ${SEND.slice(2)}`);

  expect(stepName(stepPosition(rule, 'then', 0))).toBe('post');
  expect(stepName(storedStepPosition(rule, { section: 'then', step: 'post' }))).toBe('post');
});
