import { expect, test } from 'vitest';
import { openPosting } from './fixture.ts';

test('a draft for an account that was removed since its preview is not sent, and can go to the others', async () => {
  await using fixture = await openPosting({ accounts: ['sandbox', 'club', 'other'] });
  const shown = await fixture.command('post now', { text: 'We are live', accounts: 'sandbox, club' });
  await fixture.restart(['sandbox', 'other']);

  const refused = await fixture.click(shown, 'Send');
  const edited = await fixture.write(await fixture.click(shown, 'Edit'), { text: 'We are live' });
  const customId = /post:accounts:[\w-]+/.exec(JSON.stringify(edited.message?.components))?.[0] ?? '';
  const chosen = await fixture.choose(edited, customId, ['sandbox']);
  const sent = await fixture.click(chosen, 'Send');

  await expect
    .poll(async () => (await fixture.reload(refused)).followUps)
    .toMatchObject([{ content: 'There is no account “club”. There are: sandbox, other.' }]);
  expect(JSON.stringify(edited.message?.embeds)).toContain('Sending is not possible: the account is not connected');
  await expect.poll(async () => (await fixture.reload(sent)).message?.content).toMatch(/^\*\*Sent\.\*\*[^]*✅ \*\*sandbox\*\*/);
  expect((await fixture.posts()).map(({ text }) => text)).toEqual(['We are live']);
});

test('a waiting post says that its account was removed', async () => {
  await using fixture = await openPosting();
  const shown = await fixture.command('post schedule', { time: 'in 1h', text: 'In an hour', accounts: 'sandbox, club' });
  const waiting = await fixture.click(shown, 'Schedule');
  await expect.poll(async () => (await fixture.reload(waiting)).message?.content).toContain('**Waiting.**');
  await fixture.restart(['sandbox']);

  fixture.later(60 * 60_000 + 1_000);

  await expect
    .poll(async () => (await fixture.command('post queue')).message?.content)
    .toContain('⏳ **club**: not sent yet. The account is not connected. The operator of the bot has to connect it.');
});
