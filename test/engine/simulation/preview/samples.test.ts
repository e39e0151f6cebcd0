import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { silentLog } from '#src/log.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

const SEND = 'then: [{ do: discord.send, with: { channel: live, content: hi } }]';

/** The scenarios of a rule for the items of a poll: their kinds, their texts, and why they are suppressed. */
async function scenariosFor(source: string, items: readonly JsonObject[] = [], kept?: JsonObject) {
  const accounts: PreviewAccounts = {
    poll: () => Promise.resolve({ items, approximate: false, partialErrors: [] }),
    perform: () => Promise.reject(new Error('the rule has no look-up')),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: () => Promise.resolve([]),
  };
  const rule = rulesIn([source])[0] as Rule; // the source has one rule
  const { scenarios } = await previewRule(rule, { accounts, items: 3, kept, clock: new ManualClock(), log: silentLog });
  return scenarios.map(({ kind, suppression, steps }) => [
    kind,
    suppression?.reason?.kind,
    ...steps.flatMap(({ messages }) => messages.map(({ text }) => text)),
  ]);
}

test('the preview of a webhook shows its messages, although its sample values do not fulfill if', async () => {
  const source = `id: shop\nwhen: { webhook: shop, fields: { amount: number } }\nif: item.amount >= 1.0\n${SEND}`;

  expect(await scenariosFor(source)).toEqual([['received', undefined, 'hi']]);
});

test('the preview of a sample item shows its messages, although its sample values do not fulfill if', async () => {
  const source = `id: live\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nif: item.viewerCount >= 100\n${SEND}`;

  expect(await scenariosFor(source)).toEqual([['goesLive', undefined, 'hi']]);
});

test('the preview of a sample item shows the steps of the end of quiet hours', async () => {
  const source = `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
quiet: { from: "23:00", to: "07:00", timezone: UTC, then: [{ do: discord.send, with: { channel: live, content: "\${{ held.size() }} at night" } }] }
${SEND}`;

  expect(await scenariosFor(source)).toEqual([
    ['goesLive', undefined, 'hi'],
    ['quietEnds', undefined, '1 at night'],
  ]);
});

test('the preview of a rule that watches nothing shows the steps of the end of quiet hours', async () => {
  const source = `
id: hourly
when: { every: 1h }
quiet: { from: "23:00", to: "07:00", timezone: UTC, then: [{ do: discord.send, with: { channel: live, content: "after \${{ held.size() }}" } }] }
${SEND}`;

  expect(await scenariosFor(source)).toEqual([
    ['time', undefined, 'hi'],
    ['quietEnds', undefined, 'after 0'],
  ]);
});

test.for([
  ['cron: "0 9 * * 1", timezone: UTC', '', '2026-11-23'],
  ['at: 2026-12-31T23:00:00Z', '', '2026-12-31'],
  ['at: 2026-11-01T23:00:00Z', '', '2026-11-20'],
  ['cron: "0 9 * * 1", timezone: UTC', ', { do: history.getDeliveries }', '2026-11-20'],
] as const)('the preview of a rule with %s and the look-up %j is of %s', async ([when, lookup, day]) => {
  const source = `id: hi\nwhen: { ${when} }\nthen: [{ do: discord.send, with: { channel: live, content: "\${{ date(now, 'UTC', 'iso') }}" } }${lookup}]`;

  expect((await scenariosFor(source)).flat()).toContain(day);
});

test('each scenario of a preview starts with the stored values', async () => {
  const send = 'do: discord.send, with: { channel: live, content: "number ${{ keep.n }}" }';
  const source = (more: string): string => `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
keep: { n: keep.n + 1 }
${more}
then: [{ ${send} }]`;

  expect(await scenariosFor(source(`limit: { firings: 1, per: 1h, then: [{ ${send} }] }`), [], { n: 5 })).toEqual([
    ['goesLive', undefined, 'number 6'],
    ['limitEnds', undefined, 'number 5'],
  ]);
  expect(await scenariosFor(source(`gather: { count: 2, then: [{ ${send} }] }`), [], { n: 5 })).toContainEqual([
    'gathers',
    undefined,
    'number 5',
  ]);
  expect(await scenariosFor(source(`while: [{ every: 1h, ${send} }]`), [], { n: 5 })).toContainEqual(['repeats', undefined, 'number 6']);
});

test('the preview names the parts of the poll that were not read', async () => {
  const source = `id: live\nwhen: { every: 1m, watch: streaming.getTopStreams }\n${SEND}`;
  const accounts: PreviewAccounts = {
    poll: () => Promise.resolve({ items: [], approximate: false, partialErrors: [{ message: 'row 2 cannot be read', values: ['7'] }] }),
    perform: () => Promise.reject(new Error('the rule has no look-up')),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: () => Promise.resolve([]),
  };
  const rule = rulesIn([source])[0] as Rule; // the source has one rule

  const { read } = await previewRule(rule, { accounts, items: 3, clock: new ManualClock(), log: silentLog });

  expect(read?.partlyFailed?.message).toBe('not read: 7 through twitch (row 2 cannot be read)');
});

test('the preview of a read item shows why if suppresses it', async () => {
  const source = `id: live\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }\nif: item.viewerCount >= 100\n${SEND}`;
  const item = { id: 's1', owner: { id: 'ada', handle: 'ada' }, title: 'Chess', viewerCount: 5, startedAt: '2026-11-20T18:00:00.000Z' };

  expect(await scenariosFor(source, [item])).toEqual([['goesLive', 'opened']]);
});

test('the preview of a rule that fires at each slot has no first poll that suppresses', async () => {
  const source = `id: top\nwhen: { cron: "0 20 * * 5", watch: streaming.getTopStreams, take: 5, per: slot }\n${SEND}`;
  const item = { id: 's1', owner: { id: 'ada', handle: 'ada' }, title: 'Chess', viewerCount: 5, startedAt: '2026-11-20T18:00:00.000Z' };

  expect(await scenariosFor(source, [item])).toEqual([['slot', undefined, 'hi']]);
});
