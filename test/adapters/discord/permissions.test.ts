import { describe, expect, test } from 'vitest';
import { discord, type DiscordPlatform } from '#adapters/discord/index.ts';
import { lacks, PERMISSIONS } from '#adapters/discord/permissions/permission.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const CURE = 'Allow it there for its role "Fanfare bot".';

async function deny(fixture: ChatFixture, channel: string, ...permissions: readonly string[]): Promise<void> {
  await fixture.discord.order('/discord/permissions', { channel, deny: permissions });
}

describe('an error names the missing permission, the channel and the role', () => {
  test.for([
    ['SendMessages', 'Send Messages', (fixture: ChatFixture) => fixture.chat.send('live', { content: 'x' })],
    ['EmbedLinks', 'Embed Links', (fixture: ChatFixture) => fixture.chat.send('live', { embed: { title: 'x' } })],
    ['AttachFiles', 'Attach Files', (fixture: ChatFixture) => fixture.chat.send('live', { files: [{ base64: 'aGk=', name: 'x' }] })],
    ['CreatePublicThreads', 'Create Public Threads', (fixture: ChatFixture) => fixture.chat.thread({ channel: 'live' }, 'x')],
    ['ViewChannel', 'View Channel', (fixture: ChatFixture) => fixture.chat.send('live', { content: 'x' })],
  ] as const)('%s', async ([permission, name, act]) => {
    await using fixture = await openChat();
    await deny(fixture, 'live', permission);

    const error: unknown = await act(fixture).catch((reason: unknown) => reason);

    expect(error).toMatchObject({
      fault: 'forbidden',
      message: expect.stringMatching(
        `^Fanfare does not have the permission ${name} in #live: the channel denies it to its role "Fanfare bot"\\. ${CURE} \\(Discord's code 500(13|01)\\.\\)$`,
      ),
    });
    expect(await fixture.standing('live')).toEqual([]);
  });

  test('for an existing message', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { content: 'x', embed: { title: 'x' } });
    await fixture.fill('live', 1);
    const [other] = await fixture.chat.getMessages('live');

    await expect(fixture.chat.delete(other?.id ?? '')).rejects.toThrow(
      `Fanfare does not have the permission Manage Messages in #live: its roles do not have the permission. ${CURE}`,
    );
    await deny(fixture, 'live', 'AddReactions', 'EmbedLinks');
    await expect(fixture.chat.react(id, '🎉')).rejects.toThrow('Fanfare does not have the permission Add Reactions in #live');
    await expect(fixture.chat.edit(id, { embed: { footer: 'y' } })).rejects.toThrow(
      'Fanfare does not have the permission Embed Links in #live',
    );
  });

  test('in a thread and in a reply', async () => {
    await using fixture = await openChat();
    const thread = await fixture.chat.thread({ channel: 'general' }, 'Talk');
    const { id } = await fixture.chat.send('general', { content: 'x' });
    await deny(fixture, 'general', 'SendMessagesInThreads', 'ReadMessageHistory');

    await expect(fixture.chat.send(thread.id, { content: 'x' })).rejects.toThrow(
      'Fanfare does not have the permission Send Messages in Threads in Talk, a thread of #general: the channel denies it to its role "Fanfare bot".',
    );
    await expect(fixture.chat.send('general', { content: 'y', replyTo: id })).rejects.toThrow(
      'Fanfare does not have the permission Read Message History in #general: the channel denies it to its role "Fanfare bot".',
    );
  });

  test('for a deleted channel', async () => {
    await using fixture = await openChat();
    await fixture.chat.send('live', { content: 'x' });
    await fixture.discord.order('/discord/removals', { channel: 'live' });

    await expect(fixture.chat.send('live', { content: 'x' })).rejects.toMatchObject({
      fault: 'missing',
      message: expect.stringMatching(/code 10003\)\. The channel or the thread was deleted/),
    });
    await expect(fixture.chat.send('live', { content: 'x' })).rejects.toMatchObject({
      message: expect.stringMatching(/no channel "live".*#general/),
    });
  });
});

describe('a check before a write', () => {
  const wish = { channel: 'live', needs: ['View Channel', 'Send Messages', 'Embed Links'], writes: true } as const;

  function platformOf({ discord: { token, guildId, sandbox }, clock }: ChatFixture): DiscordPlatform {
    return discord({ token, guildId, apiUrl: sandbox.environment['DISCORD_API_URL'], clock });
  }

  test('finds all missing permissions, and none after they are granted', async () => {
    await using fixture = await openChat();
    const platform = platformOf(fixture);

    const before = await platform.examine(wish);
    await deny(fixture, 'live', 'EmbedLinks', 'SendMessages');
    const between = await platform.examine(wish);
    await deny(fixture, 'live');

    expect(before).toBeUndefined();
    expect(between).toBe(
      `Fanfare does not have the permissions Send Messages and Embed Links in #live: the channel denies it to its role "Fanfare bot". ${CURE}`,
    );
    expect(await platform.examine(wish)).toBeUndefined();
  });

  test.for([
    ['a missing channel', { ...wish, channel: 'lvie' }, /no channel "lvie"/],
    ['a missing thread', { ...wish, thread: 'Talk' }, /#live has no thread "Talk"/],
    ['a forum that requires a tag', { ...wish, channel: 'questions' }, /requires a tag for each post/],
    ['a missing tag', { ...wish, channel: 'questions', tags: ['Shut'] }, /has no tag "Shut"/],
  ] as const)('finds %s', async ([, wanted, problem]) => {
    await using fixture = await openChat();

    expect(await platformOf(fixture).examine(wanted)).toMatch(problem);
  });

  test.for(['lounge', 'guides', 'announcements', 'moderators'])('finds no missing permission in #%s', async (channel) => {
    await using fixture = await openChat();

    expect(await platformOf(fixture).examine({ ...wish, channel })).toBeUndefined();
  });
});

test.for(['general', 'guides'])('a check of what a rule reads in #%s finds messages that Discord withholds', async (channel) => {
  await using fixture = await openChat();
  const platform = discord({
    token: fixture.discord.token,
    guildId: fixture.discord.guildId,
    apiUrl: fixture.discord.sandbox.environment['DISCORD_API_URL'],
    clock: fixture.clock,
  });
  const wish = { channel, needs: ['View Channel', 'Read Message History'], writes: false } as const;
  const [user] = fixture.discord.people;
  await fixture.chat.thread({ channel }, 'Talk', { content: 'hello' });
  await fixture.discord.order('/discord/messages', { user, channel, content: 'hi', ...(channel === 'guides' && { title: 'Hi' }) });

  const before = await platform.examine(wish);
  await fixture.discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] });

  expect(before).toBeUndefined();
  expect((await fixture.chat.getMessages(channel)).items.map(({ content }) => content)).toContain('');
  expect(await platform.examine(wish)).toContain('turn on Message Content Intent');
});

describe('for a member', () => {
  const bit = PERMISSIONS['Send Messages'];
  const roles = [
    { id: '1', name: '@everyone', permissions: 0n },
    { id: '2', name: 'Bots', permissions: bit },
    { id: '3', name: 'Muted', permissions: 0n },
  ];
  const base = { guildId: '1', memberId: '9', roles };
  const deny = (id: string) => ({ id, allow: 0n, deny: bit });
  const allow = (id: string) => ({ id, allow: bit, deny: 0n });

  test.for([
    ['not missing if a role has it', [], []],
    ['missing if it is denied to everyone', [deny('1')], ['denied']],
    ['not missing if it is denied to everyone and allowed to a role', [deny('1'), allow('2')], []],
    ['missing if it is denied to a role', [deny('3')], ['denied']],
    ['not missing if it is denied to a role and allowed to another', [deny('3'), allow('2')], []],
    ['missing if it is denied to the member and allowed to a role', [allow('2'), deny('9')], ['denied']],
    ['not missing if it is allowed to the member', [deny('1'), deny('3'), allow('9')], []],
    ['not missing if it is denied to a role that the member does not have', [deny('4')], []],
  ] as const)('a permission is %s', ([, overwrites, kinds]) => {
    expect(lacks({ ...base, overwrites }, ['Send Messages']).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('an administrator has all permissions, and a permission that no role grants is missing', () => {
    const admin = { ...base, roles: [...roles, { id: '5', name: 'Admin', permissions: 1n << 3n }], overwrites: [deny('9')] };

    expect(lacks(admin, ['Send Messages'])).toEqual([]);
    expect(lacks({ ...base, overwrites: [] }, ['Embed Links'])).toEqual([{ permission: 'Embed Links', kind: 'neverGiven' }]);
  });
});
