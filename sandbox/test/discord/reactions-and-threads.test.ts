import { Events, ThreadAutoArchiveDuration } from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

describe('a reaction', () => {
  test('of the bot and of a person are counted and sent as events', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const [, , person] = discord.people;
    const sent = await channelOf(client, 'live').send('Good?');
    await sent.react('👍');
    await sent.react('👍');
    const received = once(client, Events.MessageReactionAdd);

    await discord.order('/discord/reactions', { user: person, message: sent.id, emoji: '👍' });
    await received;

    expect((await sent.fetch(true)).reactions.resolve('👍')).toMatchObject({ count: 2, me: true });
    expect(await discord.messages()).toMatchObject([{ reactions: [{ emoji: '👍', users: ['Fanfare', person] }] }]);
  });

  test('with an invalid emoji is refused', async () => {
    await using discord = await startDiscordSandbox();
    const sent = await channelOf(await discord.login(), 'live').send('Good?');

    await expect(sent.react('good')).rejects.toMatchObject({ code: 10_014 });
  });
});

describe('a thread', () => {
  test('starts once from a message, and contains messages', async () => {
    await using discord = await startDiscordSandbox();
    const sent = await channelOf(await discord.login(), 'general').send('Who wins?');

    const thread = await sent.startThread({ name: 'Bets', autoArchiveDuration: ThreadAutoArchiveDuration.OneDay });
    await thread.send('Ada');

    expect(thread).toMatchObject({ id: sent.id, name: 'Bets', parentId: sent.channelId });
    expect((await sent.fetch(true)).hasThread).toBe(true);
    expect(await discord.messages('Bets')).toMatchObject([{ content: 'Ada' }]);
    await expect(
      discord.rest().post(`/channels/${sent.channelId}/messages/${sent.id}/threads`, { body: { name: 'Again' } }),
    ).rejects.toMatchObject({
      code: 160_004,
    });
  });
});
