import { expect, test } from 'vitest';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { createDoctor } from '#src/admin/doctor/doctor.ts';
import type { LateWebhook } from '#src/admin/queries/records.ts';
import type { OffRule } from '#src/rules/messages/off-rules.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIRST: OffRule = { name: 'first-rule', file: 'rules/first-rule.yaml', enabledLine: 6, enabled: 'sandbox' };

interface Found {
  readonly on: number;
  readonly off: readonly OffRule[];
  readonly lateWebhooks?: readonly LateWebhook[];
}

/** What the doctor finds about a part. */
async function findAbout(part: string, { on, off, lateWebhooks = [] }: Found): Promise<readonly CheckResult[]> {
  using folder = temporaryFolder();
  const doctor = createDoctor({
    machine: {
      dataDirectory: folder.path,
      keyFile: `${folder.path}/key`,
      environmentKey: 'a-key-with-enough-characters',
      environmentFile: `${folder.path}/.env`,
    },
    accounts: [],
    usesSandbox: true,
    whoIs: () => Promise.reject(new Error('there is no account')),
    missingScopes: async () => [],
    lateWebhooks: async () => lateWebhooks,
    rules: async () => ({
      on,
      off,
      mistakes: 0,
      listMistakes: 0,
      secrets: [],
      channels: [],
    }),
    storedClock: { aheadMs: async () => 0, lastSetBack: async () => undefined },
    clock: new ManualClock('2026-11-20T18:00:00Z'),
  });

  const results = await Array.fromAsync(doctor.examine(new AbortController().signal));

  return results.filter(({ about }) => about === part);
}

test.each([
  [0, 'warning'],
  [2, 'good'],
])('the doctor names the rules that are off, with %i rules that run: %s', async (on, state) => {
  expect(await findAbout('rules', { on, off: [FIRST] })).toEqual([
    {
      about: 'rules',
      state,
      what: `${on} ready to run, off: first-rule, rules/first-rule.yaml:6 (enabled: sandbox)`,
      remedy: 'to run a rule that is off, write enabled: true in this line',
      reason: { kind: 'rulesReady', on, off: 1, named: ['first-rule, rules/first-rule.yaml:6 (enabled: sandbox)'] },
    },
  ]);
});

test('the doctor names the command for a first rule', async () => {
  expect(await findAbout('rules', { on: 0, off: [] })).toMatchObject([
    { state: 'warning', what: 'none', remedy: 'write one: npx fanfare new', reason: { on: 0, off: 0 } },
  ]);
});

test('the doctor counts the rules that are off if they are many', async () => {
  const off = ['second', 'third'].map((name) => ({ ...FIRST, name }));

  expect(await findAbout('rules', { on: 2, off: [FIRST, ...off] })).toMatchObject([
    { what: '2 ready to run, 3 off', remedy: 'see which rules are off: npx fanfare check', reason: { off: 3, named: [] } },
  ]);
});

test('the doctor names a webhook whose receiver accepts no events', async () => {
  const since = new Date('2026-11-20T16:00:00Z');
  const lateWebhooks = [
    { webhook: 'pager', since, isGone: false },
    { webhook: 'old', since, isGone: true },
  ];

  expect(await findAbout('webhooks', { on: 0, off: [], lateWebhooks })).toMatchObject([
    {
      state: 'bad',
      what: expect.stringContaining('pager') as unknown,
      remedy: expect.stringContaining('23 hours') as unknown,
      reason: { kind: 'webhookLate', webhook: 'pager', ageMs: 7_200_000, isGone: false },
    },
    {
      state: 'bad',
      remedy: expect.not.stringContaining('hours') as unknown,
      reason: { kind: 'webhookLate', webhook: 'old', ageMs: 7_200_000, isGone: true },
    },
  ]);
});
