import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

const HOUR_MS = 3_600_000;

const SOURCE = `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: card, do: discord.send, with: { channel: live, content: LIVE } }
while:
  - { id: edit, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }}" } }
  - { id: hourly, every: 1h, do: discord.send, with: { channel: live, content: "since \${{ duration(episode.lengthMs) }}" } }
  - { id: reminder, every: 4h, do: discord.send, with: { channel: live, content: "since \${{ duration(episode.lengthMs) }}" } }
`;

/** The scenarios of the preview in which a multiple of `every` comes, for a stream that began `sinceMs` ago. */
async function repeats(sinceMs: number) {
  const clock = new ManualClock();
  const startedAt = new Date(clock.nowMs() - sinceMs).toISOString();
  const accounts: PreviewAccounts = {
    poll: () =>
      Promise.resolve({
        items: [{ id: 's1', owner: { id: 'ada', handle: 'ada' }, title: 'Chess', startedAt }],
        approximate: false,
        partialErrors: [],
      }),
    perform: () => Promise.reject(new Error('the rule has no look-up')),
    textLimitOf: () => undefined,
    missingParts: () => Promise.resolve([]),
    targetProblems: () => Promise.resolve([]),
  };
  const rule = rulesIn([SOURCE])[0] as Rule; // the source has one rule
  const { scenarios } = await previewRule(rule, { accounts, items: 1, clock, log: silentLog });
  const shown = scenarios.filter(({ kind }) => kind === 'repeats');
  return shown.flatMap(({ steps }) => steps.map(({ name, messages }) => [name, ...messages.map(({ text }) => text)]));
}

test.each([
  ['that just began', 0, '1h', '4h'],
  ['that has lasted for hours', 5.5 * HOUR_MS, '6h', '8h'],
])('the preview shows each step with every at its next multiple, for a stream %s', async (_, sinceMs, hourly, reminder) => {
  expect(await repeats(sinceMs)).toEqual([
    ['hourly', `since ${hourly}`],
    ['reminder', `since ${reminder}`],
  ]);
});
