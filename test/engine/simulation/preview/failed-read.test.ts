import { expect, test } from 'vitest';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import type { Rule } from '#src/rules/rule.ts';
import { stepName } from '#src/rules/step-name.ts';
import { catalogue } from '../../../support/rule-language.ts';
import { rulesIn, run } from '../replay/replay-fixture.ts';

const source = (onError: string): string => `
id: slots
when: { every: 1m }
then:
  - { id: who, do: streaming.getUser, as: twitch, with: { user: ada }${onError} }
  - { id: next, do: streaming.getUserVideos, as: twitch, with: { user: "\${{ steps.who.handle }}" } }
  - { id: post, do: social.createPost, with: { text: "Live: \${{ steps.who.displayName }}" } }
  - { do: social.createPost, with: { text: "Videos: \${{ steps.next.items.size() }}" } }
  - { id: other, do: social.createPost, with: { text: hello } }
`;

const WHY = 'the look-up who failed on twitch, and this step reads its result';

test('a text that needs a failed look-up, even through another one, is skipped with its reason in the preview and the replay', async () => {
  const rules = rulesIn([source('')]);
  await using stage = await run({ rules, seen: () => [], refuses: (n) => (n === 1 ? 'rejected' : undefined), forMs: 65_000 });

  const { items } = await stage.store.deliveryLog.list({ limit: 100 });
  const view = await stage.replay(rules[0] as Rule); // the source holds one

  expect(Object.fromEntries(items.map(({ step, state, message }) => [step, [state, message]]))).toEqual({
    3: ['skipped', WHY.replace('who', 'next')],
    next: ['skipped', WHY],
    other: ['sent', undefined],
    post: ['skipped', WHY],
    who: ['failed', undefined],
  });
  expect(items.find(({ step }) => step === 'post')?.reason).toEqual({ kind: 'lookUpFailed', step: 'who', account: 'twitch' });
  expect(view.events.map(({ kind, position }) => `${kind} ${stepName(position)}`)).toEqual(['same other']);
});

test('with onError: continue, it is sent without the result', async () => {
  await using stage = await run({
    rules: rulesIn([source(', onError: continue')]),
    seen: () => [],
    refuses: (n) => (n === 1 ? 'rejected' : undefined),
    forMs: 65_000,
  });

  const { items } = await stage.store.deliveryLog.list({ state: 'sent', limit: 100 });

  expect(items.map(({ params }) => params?.['text'])).toContain('Live: ');
});

test('a test of the rule skips it too', async () => {
  const { tests, diagnostics } = readRuleTests({
    file: 'slots.test.yaml',
    source: `
rule: slots
start: 2026-11-20T18:00:00Z
cases:
  - it: says what it knows
    polls: [{ at: 1m, fail: [who.twitch] }]
    expect: [{ at: 1m, do: social.createPost, with: { text: hello } }]
`,
    beside: 'slots',
  });

  expect(diagnostics).toEqual([]);
  const [result] = tests ? await runRuleTests({ tests, rules: rulesIn([source(', retry: { attempts: 1 }')]), catalogue }) : [];

  expect(result?.mismatches).toEqual([]);
  expect(result?.passed).toBe(true);
});
