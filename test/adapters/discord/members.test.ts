import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Step } from '../../support/script-http.ts';
import { openChat } from './open-chat.ts';

const LIST = 1000;

function wire(id: number, fields: object = {}): object {
  return { user: { id: String(id), username: `u${id}`, global_name: `U${id}` }, roles: [], joined_at: '2026-01-02T03:04:05Z', ...fields };
}

function listAfter(after: number, count: number, role?: number): readonly [string, { json: unknown }] {
  const rows = Array.from({ length: count }, (_, index) => wire(after + 1 + index, { roles: after + 1 + index === role ? ['7'] : [] }));
  return [`GET /v10/guilds/1/members?limit=${LIST}&after=${after}`, { json: rows }];
}

const ROLES: Step = ['GET /v10/guilds/1/roles', { json: [{ id: '7', name: 'Supporter' }] }];

async function openScript(steps: readonly Step[]) {
  const server = await scriptHttp(steps);
  const clock = new ManualClock();
  return { server, chat: new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock }), clock }) };
}

test('the members with a role have their roles by name', async () => {
  await using fixture = await openChat();
  const [, moderator, handle] = fixture.discord.people;
  await fixture.chat.addRole(handle, 'Live');
  await fixture.chat.addRole(moderator, 'Live');

  const live = await fixture.chat.getMembers({ role: 'Live' });
  const all = await fixture.chat.getMembers({ pages: 'all' });

  expect(live.items.map((member) => [member.handle, member.roles])).toEqual([
    [moderator, ['Moderator', 'Live']],
    [handle, ['Live']],
  ]);
  const [, member] = live;
  expect(member).toMatchObject({
    platform: 'discord',
    url: `https://discord.com/users/${member?.id}`,
    bot: false,
    joinedAt: expect.any(Date),
  });
  expect(all.items.filter(({ bot }) => bot).map(({ handle: name }) => name)).toEqual(['Fanfare']);
  expect(all).toHaveLength(9);
});

test('an unknown role is the fault missing', async () => {
  await using fixture = await openChat();

  await expect(fixture.chat.getMembers({ role: 'Leader' })).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('no role "Leader"'),
  });
});

test('without the intent, the error names it', async () => {
  await using fixture = await openChat();
  await fixture.discord.order('/discord/gateway', { do: 'disallow', intents: ['GuildMembers'] });

  await expect(fixture.chat.getMembers()).rejects.toMatchObject({
    fault: 'forbidden',
    refusesAccount: false,
    message: expect.stringContaining('turn on Server Members Intent'),
  });
});

test('an empty list of members is an error, because the intent is missing', async () => {
  const { server, chat } = await openScript([[`GET /v10/guilds/1/members?limit=${LIST}&after=0`, { json: [] }]]);
  await using _ = server;

  await expect(chat.getMembers()).rejects.toMatchObject({ fault: 'forbidden', message: expect.stringContaining('Server Members Intent') });
});

test('a nickname is the displayed name, and an unreadable member is a partial error', async () => {
  const rows = [wire(1, { nick: 'Queen' }), wire(2, { roles: 'none' }), wire(3, { joined_at: null })];
  const { server, chat } = await openScript([[`GET /v10/guilds/1/members?limit=${LIST}&after=0`, { json: rows }], ROLES]);
  await using _ = server;

  const members = await chat.getMembers();

  expect(members.items.map(({ displayName, joinedAt }) => [displayName, joinedAt?.getUTCFullYear()])).toEqual([
    ['Queen', 2026],
    ['U3', undefined],
  ]);
  expect(members.partialErrors).toHaveLength(1);
});

test('a page reads ten lists at most, even if few members have the role, and the next page continues', async () => {
  const lists = Array.from({ length: 10 }, (_, index) => listAfter(index * LIST, LIST, 9_001));
  const { server, chat } = await openScript([ROLES, ...lists, listAfter(10 * LIST, 2, 10_001)]);
  await using _ = server;

  const members = await chat.getMembers({ role: 'Supporter', pages: 'all', waitTime: 0 });

  expect(members.items.map(({ id, roles }) => [id, roles])).toEqual([
    ['9001', ['Supporter']],
    ['10001', ['Supporter']],
  ]);
  expect(members.cursor).toBeUndefined();
});

test('a voice state of a user who has left is no member', async () => {
  const known = { 5: { channel: '9' }, 6: { channel: '9' } };
  await using server = await scriptHttp([
    ['GET /v10/guilds/1/members/5', { status: 404, json: { message: 'Unknown Member', code: 10_007 } }],
    ['GET /v10/guilds/1/members/6', { json: wire(6) }],
    ['GET /v10/guilds/1/roles', { json: [] }],
    ['GET /v10/guilds/1/channels', { json: [{ id: '9', name: 'talk' }] }],
  ]);
  const platform = discord({
    token: 't',
    guildId: '1',
    apiUrl: server.url,
    memberStates: { find: () => Promise.resolve(known) },
    clock: new ManualClock(),
  });

  const { items } = await new Chat({ platform }).getVoiceMembers();

  expect(items.map(({ handle, channel }) => [handle, channel.name])).toEqual([['u6', 'talk']]);
});
