import { expect, test } from 'vitest';
import { openControls, textOf } from './fixture.ts';

const FILES = {
  'empty.yaml': `id: empty
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, with: { channel: live, content: " ", embed: { title: Hi } } }
`,
};

test('the card of a rule whose message has no text beside its embed is shown', async () => {
  await using fixture = await openControls({ files: FILES });

  const card = textOf(await fixture.owner.command('automation show', { rule: 'empty' }));

  expect(card).toContain('empty');
  expect(card).toContain('discord.send');
});
