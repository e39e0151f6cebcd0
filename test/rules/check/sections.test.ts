import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';

const SEND = 'do: discord.send, with: { channel: live, content: hi }';
const HINT_OF_ORDER = 'a step can read the steps above it; while and finally can also read the steps of then';

/** A rule with a step `a` in one section, and a step in another section that reads it. */
function reading(source: string, reader: string, read = 'steps.a.id'): string {
  const sections: Record<string, string> = { then: `[{ ${SEND} }]` };
  sections[source] = `[{ id: a, ${source === 'while' ? 'every: 3h, ' : ''}${SEND} }]`;
  sections[reader] = `[{ do: discord.delete, with: { message: "\${{ ${read} }}" } }]`;
  const collected = (name: string): string => (name === 'gather' ? `{ count: 2, then: ${sections[name]} }` : String(sections[name]));
  const keys = Object.keys(sections).map((name) => `${name}: ${collected(name)}\n`);
  return `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\n${keys.join('')}`;
}

const reported = (source: string): readonly (readonly [message: string, hint: string | undefined])[] =>
  check(source).diagnostics.map(({ message, hint }) => [message, hint]);

describe('a step that cannot read the result of another section', () => {
  test.for([
    ['while', 'finally'],
    ['then', 'gather'],
    ['gather', 'finally'],
  ] as const)('of %s, in %s, is told how to look it up', ([source, reader]) => {
    expect(reported(reading(source, reader))).toEqual([
      [
        `the step a is in ${source}, and ${reader} cannot read it`,
        'look up what it sent, in a step with do: history.getDeliveries and with: { rule: "${{ rule.id }}", step: a }',
      ],
    ]);
  });

  test.for([
    ['while', 'then'],
    ['finally', 'then'],
    ['finally', 'while'],
  ] as const)('of %s, in %s, is told that it runs later', ([source, reader]) => {
    expect(reported(reading(source, reader))).toContainEqual(['the step a runs later than this one', HINT_OF_ORDER]);
  });

  test('is told the same for episode.steps', () => {
    expect(reported(reading('while', 'finally', 'episode.steps.a.id'))).toEqual([
      [
        'episode.steps has the results of then, and the step a is in while',
        'look up what it sent, in a step with do: history.getDeliveries and with: { rule: "${{ rule.id }}", step: a }',
      ],
    ]);
  });

  test('repeats a look-up', () => {
    const source = reading('while', 'finally').replace(`every: 3h, ${SEND}`, 'do: streaming.getUser, with: { user: ada }');

    expect(reported(source)[0]?.[1]).toBe('repeat the look-up in finally');
  });
});

describe('a key that needs a list', () => {
  const rule = (when: string, top = ''): string => `id: r\nabout: x\nwhen: { ${when} }\n${top}then: [{ ${SEND} }]\n`;
  const WEBHOOK = 'webhook: shop, fields: { amount: number }';

  test.for([
    [`${WEBHOOK}, where: item.amount >= 1.0`, 'where', 'write the condition as if of the rule, beside when'],
    [`${WEBHOOK}, take: 3`, 'take', 'remove take'],
    [`${WEBHOOK}, grace: 1m`, 'grace', 'remove grace'],
  ] as const)('is not for a webhook: %s', ([when, key, hint]) => {
    expect(reported(rule(when))).toEqual([[`a rule that a webhook starts has no ${key}`, hint]]);
  });

  test('is not for a command', () => {
    const source = rule('command: hello, where: "true"').replace(SEND, 'do: discord.answer, with: { content: hi }');

    expect(reported(source)).toEqual([
      ['a rule that answers a command has no where', 'write the condition as if of the rule, beside when'],
    ]);
  });

  test('is not for the sections of an episode', () => {
    expect(reported(rule(WEBHOOK, 'finally: []\n'))).toEqual([
      ['a rule that a webhook starts has no finally', 'move its steps to then, or remove finally'],
    ]);
    expect(reported(rule(WEBHOOK, 'cooldown: { for: 1h, per: item }\n'))).toEqual([
      ['a rule that a webhook starts has no cooldown per item', 'write per: rule'],
    ]);
  });

  test('needs watch in all other rules', () => {
    expect(reported(rule('every: 5m, take: 3'))).toEqual([['take needs watch', 'add watch, or remove take']]);
  });
});
