import { expect, test } from 'vitest';
import { createDoctor } from '#src/admin/doctor/doctor.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  [0, 'warning'],
  [2, 'good'],
])('the doctor names the rules that are off, with %i rules that run: %s', async (on, state) => {
  using folder = temporaryFolder();
  const doctor = createDoctor({
    machine: { dataDirectory: folder.path, keyFile: `${folder.path}/key`, hasEnvironmentKey: true },
    accounts: [],
    usesSandbox: true,
    whoIs: () => Promise.reject(new Error('there is no account')),
    missingScopes: async () => [],
    rules: async () => ({
      on,
      off: [{ name: 'first-rule', file: 'rules/first-rule.yaml', enabledLine: 6, enabled: 'sandbox' }],
      mistakes: 0,
      secrets: [],
      channels: [],
    }),
    storedClock: { aheadMs: async () => 0, lastSetBack: async () => undefined },
    clock: new ManualClock('2026-11-20T18:00:00Z'),
  });

  const results = await Array.fromAsync(doctor.examine(new AbortController().signal));

  expect(results.filter(({ about }) => about === 'rules')).toEqual([
    {
      about: 'rules',
      state,
      what: `${on} ready to run, off: first-rule, rules/first-rule.yaml:6 (enabled: sandbox)`,
      remedy: 'to run a rule that is off, write enabled: true in this line',
      reason: { kind: 'rulesReady', on, off: ['first-rule, rules/first-rule.yaml:6 (enabled: sandbox)'] },
    },
  ]);
});
