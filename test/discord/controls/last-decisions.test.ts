import { expect, test } from 'vitest';
import { committing, SLOT_MS } from '../../support/firings.ts';
import { openControls, textOf } from './fixture.ts';

const FILES = {
  'quiet.yaml': `id: quiet
enabled: false
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, with: { channel: live, content: hi } }
`,
};

test('the card of a rule has its last decisions in the order of time, newest first', async () => {
  await using fixture = await openControls({ files: FILES });
  await fixture.keep(async ({ ruleStates }) => {
    const decisions = (
      [
        ['suppressed', 'the oldest'],
        ['closed', 'in the middle'],
        ['failed', 'the newest'],
      ] as const
    ).map(([outcome, message], index) => ({ rule: 'quiet', atMs: SLOT_MS + index * 60_000, outcome, message }));
    await ruleStates.commit(committing([], { rule: 'quiet', decisions }));
  });

  const card = textOf(await fixture.owner.command('automation show', { rule: 'quiet' }));

  expect([...card.matchAll(/the oldest|in the middle|the newest/gu)].map(([text]) => text)).toEqual([
    'the newest',
    'in the middle',
    'the oldest',
  ]);
});
