import { expect, test } from 'vitest';
import { channelOf, fetch, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

test('a restart keeps messages, edits, reactions, files, nonces, threads, commands and permissions', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const keyed = { nonce: 'step-1', enforceNonce: true };
  let id: string;
  let before: unknown;
  {
    await using discord = await startDiscordSandbox({ file });
    const client = await discord.login();
    const live = channelOf(client, 'live');
    const sent = await live.send({ content: 'one', files: [{ attachment: Buffer.from('kept'), name: 'a.txt' }], ...keyed });
    await sent.edit('two');
    await sent.react('👍');
    await (await sent.startThread({ name: 'Talk' })).send('three');
    await (await live.send('gone')).delete();
    await client.guilds.cache.first()?.commands.set([{ name: 'ask', description: 'Ask' }]);
    await discord.order('/discord/permissions', { channel: 'puzzles', deny: ['SendMessages'] });
    id = sent.id;
    before = await discord.messages();
  }

  await using discord = await startDiscordSandbox({ file });
  const client = await discord.login();
  const live = channelOf(client, 'live');
  const repeat = await live.send({ content: 'one', ...keyed });
  const after = await discord.messages();

  expect(after).toEqual(before);
  expect(repeat.id).toBe(id);
  expect(await (await fetch(repeat.attachments.first()?.url ?? '')).text()).toBe('kept');
  expect((await live.messages.fetch()).map(({ content }) => content)).toEqual(['two']);
  expect(client.channels.cache.get(id)).toMatchObject({ name: 'Talk' });
  expect((await client.guilds.cache.first()?.commands.fetch())?.map(({ name }) => name)).toEqual(['ask']);
  await expect(channelOf(client, 'puzzles').send('a')).rejects.toMatchObject({ code: 50_013 });
});

test('ids after a restart are greater than ids before it, even if the clock went back', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const sendAt = async (at: string, content: string) => {
    await using discord = await startDiscordSandbox({ file, clock: new ManualClock(at) });
    return channelOf(await discord.login(), 'live').send(content);
  };

  const first = await sendAt('2026-11-20T18:00:00Z', 'first');
  const second = await sendAt('2026-11-20T17:00:00Z', 'second');

  expect(BigInt(second.id)).toBeGreaterThan(BigInt(first.id));
});
