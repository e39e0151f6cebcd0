import { fc } from '../../../test/support/property.ts';
import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

const MODERATOR = '1202584131993600003';
const BOT_ROLE = '1202584131993600004';

describe('the pings of a message of the bot', () => {
  test('are all mentioned users and roles by default', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const [owner] = discord.people;
    const user = client.users.cache.find(({ username }) => username === owner);

    const sent = await channelOf(client, 'live').send(`@everyone <@&${MODERATOR}> <@${user?.id}> <@1>`);

    expect(sent.mentions.everyone).toBe(true);
    expect(sent.mentions.roles.map(({ name }) => name)).toEqual(['Moderator']);
    expect(sent.mentions.users.map(({ username }) => username)).toEqual([owner]);
    expect(await discord.messages()).toMatchObject([{ pinged: { everyone: true, roles: ['Moderator'], users: [owner] } }]);
  });

  test('are only the allowed mentions', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');

    await live.send({ content: `@here <@&${MODERATOR}> <@&${BOT_ROLE}>`, allowedMentions: { roles: [MODERATOR, '1'] } });

    expect(await discord.messages()).toMatchObject([{ pinged: { everyone: false, roles: ['Moderator'], users: [] } }]);
  });

  test('are empty if allowed_mentions is empty', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    const parts = fc.constantFrom(
      '@everyone',
      '@here',
      `<@&${MODERATOR}>`,
      '<@1202584131993600002>',
      '<@!1202584131993600002>',
      'hello',
      '`',
      '\\',
    );

    await fc.assert(
      fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 8 }), async (texts) => {
        const sent = await live.send({ content: texts.join(' '), allowedMentions: { parse: [] } });

        expect([sent.mentions.everyone, sent.mentions.roles.size, sent.mentions.users.size]).toEqual([false, 0, 0]);
      }),
      { numRuns: 30 },
    );
  });

  test('exclude everyone and roles that are not mentionable, without the permission', async () => {
    await using discord = await startDiscordSandbox();
    await discord.order('/discord/permissions', { channel: 'live', deny: ['MentionEveryone'] });
    const live = channelOf(await discord.login(), 'live');

    await live.send(`@everyone <@&${MODERATOR}> <@&${BOT_ROLE}>`);

    expect(await discord.messages()).toMatchObject([{ pinged: { everyone: false, roles: ['Moderator'], users: [] } }]);
  });

  test('exclude the role of all members, whose id is the id of the server', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');

    await live.send(`<@&${discord.guildId}> <@&${MODERATOR}>`);

    expect(await discord.messages()).toMatchObject([{ pinged: { everyone: false, roles: ['Moderator'], users: [] } }]);
  });

  test('do not change with an edit', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');

    const edited = await (await live.send('hello')).edit('hello @everyone');

    expect(edited.mentions.everyone).toBe(true);
    expect(await discord.messages()).toMatchObject([{ content: 'hello @everyone', pinged: { everyone: false } }]);
  });
});

test('a person mentions members and roles by their names', async () => {
  await using discord = await startDiscordSandbox();
  const client = await discord.login();
  const [owner, second] = discord.people;

  await discord.order('/discord/messages', {
    user: owner,
    channel: 'general',
    content: '@fanfare and @Fanfare bot, a@Live @Lively @everyone',
  });
  await discord.order('/discord/messages', { user: owner, channel: 'general', content: `(@${second}) @LIVE!` });

  const [first, other] = await discord.messages('general');
  expect(first?.content).toBe(`<@${client.user.id}> and <@&${BOT_ROLE}>, a@Live @Lively @everyone`);
  expect(other?.pinged).toEqual({ everyone: false, roles: ['Live'], users: [second] });
});

test('a request that allows both all users and a list of users is refused', async () => {
  await using discord = await startDiscordSandbox();
  const live = channelOf(await discord.login(), 'live');

  const refused = live.send({ content: 'a', allowedMentions: { parse: ['users'], users: ['1'] } });

  await expect(refused).rejects.toMatchObject({ code: 50_035 });
  await expect(refused).rejects.toThrow('mutually exclusive');
});
