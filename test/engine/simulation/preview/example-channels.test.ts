import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { sampleItem } from '#src/engine/simulation/preview/samples.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

const source = `
id: talks
when: { every: 1h }
then:
  - { id: talk, do: discord.thread, with: { channel: nowhere, name: Talk } }
  - { id: first, do: discord.send, with: { channel: "\${{ steps.talk.id }}", content: "Talk here." } }
`;

test('the preview does not look for the thread that an earlier step would create', async () => {
  const accounts: PreviewAccounts = {
    poll: () => Promise.reject(new Error('the rule watches nothing')),
    perform: () => Promise.reject(new Error('the rule reads nothing')),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: (_verb, _account, { channel }) => Promise.resolve([`no channel ${JSON.stringify(channel)}`]),
  };
  const rule = rulesIn([source])[0] as Rule; // the source has one rule

  const { scenarios } = await previewRule(rule, { accounts, items: 1, clock: new ManualClock(), log: silentLog });

  expect(scenarios.flatMap(({ steps }) => steps.map(({ name, remarks }) => [name, remarks]))).toEqual([
    ['talk', [{ kind: 'target', error: 'no channel "nowhere"' }]],
    ['first', []],
  ]);
});

test.for([
  [['twitch'], undefined],
  [['twitch', 'kick'], 'twitch'],
] as const)('the example item of a watch through %j has the account %s', ([accounts, account]) => {
  expect(sampleItem({ verb: 'streaming.getStreams', accounts }, 0)?.['account']).toBe(account);
});
