import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

const source = (onError: string): string => `
id: slots
when: { every: 1m }
then:
  - { id: who, do: streaming.getUser, as: twitch, with: { user: ada }, onError: ${onError} }
  - { id: other, do: social.createPost, with: { text: hello } }
`;

/** The outcomes of the steps in a preview whose look-up fails. */
async function outcomes(onError: string): Promise<readonly unknown[]> {
  const accounts: PreviewAccounts = {
    poll: () => Promise.reject(new Error('the rule watches nothing')),
    perform: (): Promise<Json> => Promise.reject(new PlatformError('no such user', { platform: 'twitch', fault: 'missing' })),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: () => Promise.resolve([]),
  };
  const rule = rulesIn([source(onError)])[0] as Rule; // the source has one rule
  const { scenarios } = await previewRule(rule, { accounts, items: 1, clock: new ManualClock(), log: silentLog });
  return scenarios.flatMap(({ steps }) =>
    steps.map(({ name, notRun, messages }) => [name, notRun?.kind, notRun?.reason?.kind, messages.length]),
  );
}

test('the preview skips the steps after a failed step with `onError: stop`', async () => {
  expect(await outcomes('stop')).toEqual([
    ['who', 'failed', undefined, 0],
    ['other', 'skipped', 'earlierStepFailed', 0],
  ]);
});

test('the preview shows the steps after a failed step with `onError: continue`', async () => {
  expect(await outcomes('continue')).toEqual([
    ['who', 'failed', undefined, 0],
    ['other', undefined, undefined, 1],
  ]);
});

test('the preview shows why an element of a list fails beside the messages of the other ones', async () => {
  const list = `
id: slots
when: { every: 1m }
then: [{ do: social.createPost, forEach: "[1, 0]", with: { text: "ten \${{ 10 / it }}" } }]
`;
  const accounts: PreviewAccounts = {
    poll: () => Promise.reject(new Error('the rule watches nothing')),
    perform: () => Promise.reject(new Error('the rule has no look-up')),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: () => Promise.resolve([]),
  };
  const rule = rulesIn([list])[0] as Rule; // the source has one rule

  const { scenarios } = await previewRule(rule, { accounts, items: 1, clock: new ManualClock(), log: silentLog });

  expect(scenarios.flatMap(({ steps }) => steps)).toMatchObject([
    { notRun: { kind: 'failed', message: expect.stringContaining('division by zero') }, messages: [{ text: 'ten 10' }] },
  ]);
});
