import { expect, test } from 'vitest';
import { anyServer } from '#adapters/discord/any-server.ts';
import type { KnownChannel } from '#adapters/discord/channels.ts';
import { discordApi } from '#adapters/discord/client.ts';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { platformsOf } from '#src/app/platforms.ts';
import { systemClock } from '#src/clock.ts';
import { mergeConfig } from '#src/config/config.ts';
import type { FanfareFile } from '#src/config/fanfare-file.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';

interface Created {
  readonly guild: { readonly id: string };
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

async function openAnyServer(isServed: (guildId: string) => boolean = () => true) {
  const running = await startDiscordSandbox();
  const { token, guildId: homeId, sandbox } = running;
  const { DISCORD_API_URL: apiUrl = '' } = sandbox.environment;
  const api = discordApi({ token, apiUrl, clock: systemClock });
  const open = (guildId: string, knownChannel?: KnownChannel) => discord({ token, guildId, apiUrl, api, knownChannel, clock: systemClock });
  const platform = anyServer({ api, homeId, home: open(homeId), isServed, open });
  const chat = new Chat({ platform });
  const { guild, channels } = await running.order<Created>('/discord/servers', { name: 'Chess Club' });
  const { roles } = await running.order<{ roles: { id: string; name: string }[] }>(`/discord?guild=${guild.id}`, undefined);
  const idOf = (all: readonly { readonly id: string; readonly name: string }[], wanted: string) =>
    all.find(({ name }) => name === wanted)?.id ?? '';
  return { running, platform, chat, guild, live: idOf(channels, 'live'), role: idOf(roles, 'Live') };
}

test('an id of a channel decides in which server a message is sent, pinged, edited and deleted', async () => {
  const { running, chat, guild, live, role } = await openAnyServer();
  await using _running = running;

  const sent = await chat.send(live, { content: 'Ada is live', mention: [role] });
  await chat.edit(sent.id, { content: 'Ada was live' });
  const atHome = await chat.send('live', { content: 'Grace is live' });

  expect(sent.url).toContain(`/${guild.id}/${live}/`);
  const [message] = await running.messages(live);
  expect(message).toMatchObject({ content: expect.stringContaining('Ada was live'), pinged: { roles: ['Live'] } });
  expect(atHome.url).toContain(`/${running.guildId}/`);
  await chat.delete(sent.id);
  expect((await running.messages(live)).filter(({ deletedAt }) => deletedAt === undefined)).toEqual([]);
});

test('the first message in a channel of another server takes two requests, and later ones take one', async () => {
  const { running, chat, live } = await openAnyServer();
  await using _running = running;
  const requests = async (): Promise<number> => {
    const { items } = await running.order<{ items: { count: number }[] }>('/requests?platform=discord', undefined);
    return items.reduce((sum, { count }) => sum + count, 0);
  };
  const before = await requests();

  const counts: number[] = [];
  for (const content of ['one', 'two']) {
    await chat.send(live, { content });
    counts.push((await requests()) - before);
  }

  expect(counts).toEqual([2, 3]);
});

test.for([
  [true, undefined],
  [false, expect.stringContaining('a Discord server that Fanfare does not serve')],
] as const)('a channel of another server, which is served: %o, is checked there', async ([isServed, problem]) => {
  const { running, platform, live } = await openAnyServer(() => isServed);
  await using _running = running;

  expect(await platform.examine({ channel: live, needs: ['View Channel', 'Send Messages'], writes: true })).toEqual(problem);
  expect(await platform.examine({ channel: 'live', needs: ['View Channel', 'Send Messages'], writes: true })).toBeUndefined();
});

test('a problem in another server names no channel and no role of it', async () => {
  const { running, platform, guild, live } = await openAnyServer();
  await using _running = running;
  await running.order('/discord/permissions', { guild: guild.id, channel: 'live', deny: ['SendMessages'] });

  const problem = await platform.examine({ channel: live, needs: ['View Channel', 'Send Messages'], writes: true });

  expect(problem).toContain(`${live} of another Discord server`);
  expect(problem).toContain('View Channel, Send Messages');
  expect(problem).not.toContain('#live');
});

test('a role of another server is not pinged, and not taken for a member', async () => {
  const { running, chat, live } = await openAnyServer();
  await using _running = running;
  const { roles } = await running.order<{ roles: { id: string; name: string }[] }>('/discord', undefined);
  const foreign = roles.find(({ name }) => name === 'Live')?.id ?? '';

  await chat.send(live, { content: 'Ada is live', mention: [foreign] });

  expect((await running.messages(live))[0]?.pinged).toMatchObject({ roles: [] });
});

test('a server that removed the bot gets nothing', async () => {
  const { running, chat, guild, live } = await openAnyServer();
  await using _running = running;
  await chat.send(live, { content: 'before' });
  await running.order('/discord/guild', { guild: guild.id, hasBot: false });

  await expect(chat.send(live, { content: 'after' })).rejects.toMatchObject({ fault: 'forbidden' });
  expect((await running.messages(live)).map(({ content }) => content)).toEqual(['before']);
});

test('a server that removed the bot is no problem of the account', async () => {
  const { running, chat, guild, live, role } = await openAnyServer();
  await using _running = running;
  await chat.send(live, { content: 'before' });
  await running.order('/discord/guild', { guild: guild.id, hasBot: false });

  const [user] = running.people;
  const failures = await Promise.allSettled([
    chat.send(live, { content: 'after', mention: [role] }),
    chat.addRole(user, role, { server: guild.id }),
  ]);

  expect(failures).toMatchObject([
    { reason: { fault: 'forbidden', refusesAccount: false } },
    { reason: { fault: 'forbidden', refusesAccount: false } },
  ]);
});

test('a role of another server that became a role of moderators is not given, but taken', async () => {
  const { running, chat, guild, role } = await openAnyServer();
  await using _running = running;
  const [, , user] = running.people;
  const server = guild.id;
  await running.order('/discord/roles', { guild: server, role, permissions: ['ManageMessages'] });

  await expect(chat.addRole(user, role, { server })).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringContaining('moderators'),
  });
  const { id } = await chat.removeRole(user, role, { server });
  const member: `/${string}` = `/guilds/${server}/members/${id}`;
  await running.rest().put(`${member}/roles/${role}`);
  await chat.removeRole(user, role, { server });
  expect(await running.rest().get(member)).toMatchObject({ roles: [] });
});

test('a rule can give a role of moderators of its own server', async () => {
  const { running, chat } = await openAnyServer();
  await using _running = running;
  await running.order('/discord/roles', { role: 'Live', permissions: ['ManageMessages'] });

  expect(await chat.addRole(running.people[2], 'Live')).toMatchObject({ handle: running.people[2] });
});

test.for([
  ['a failure', { kind: 'status', status: 502 }],
  ['a rate limit', { kind: 'rateLimit', ms: 30_000 }],
] as const)('%s of the look-up of a channel passes, and names no channel of the home server', async ([, fault]) => {
  const { running, chat, live } = await openAnyServer();
  await using _running = running;
  running.sandbox.faults.add({ platform: 'discord', method: 'GET', route: '/channels', times: 1, ...fault });

  const failure = await chat.send(live, { content: 'Ada is live' }).catch((error: unknown) => error);

  expect(failure).toMatchObject({ fault: expect.stringMatching(/^(?:unavailable|rateLimited)$/u) });
  expect(String(failure)).not.toContain('#moderators');
});

test('a server that the bot does not serve gets nothing, and nothing of it is read', async () => {
  const { running, chat, guild, live, role } = await openAnyServer(() => false);
  await using _running = running;
  const rest = running.rest();
  const { id } = (await rest.post(`/channels/${live}/messages`, { body: { content: 'for the members' } })) as { id: string }; // Discord's
  const { id: thread } = (await rest.post(`/channels/${live}/threads`, { body: { name: 'talk', type: 11 } })) as { id: string }; // Discord's
  const address = `https://discord.com/channels/${guild.id}/${live}/${id}`;

  const failures = await Promise.allSettled([
    chat.send(live, { content: 'hi' }),
    chat.send(thread, { content: 'hi' }),
    chat.thread({ message: address }, 'hi'),
    chat.react(`${live}/${id}`, '👍'),
    chat.getMessages(live),
    chat.editChannel(live, 'taken'),
    chat.editThread(thread, { name: 'taken' }),
    chat.addRole(running.people[2], role, { server: guild.id }),
  ]);

  expect(failures.map((one) => (one.status === 'rejected' ? one.reason : one))).toMatchObject(failures.map(() => ({ fault: 'missing' })));
  expect((await running.messages(live)).map(({ content }) => content)).not.toContain('hi');
});

test('a server that the bot serves no longer has its cards closed and its roles taken', async () => {
  let isServed = true;
  const { running, chat, guild, live, role } = await openAnyServer(() => isServed);
  await using _running = running;
  const server = guild.id;
  const [card, other] = [await chat.send(live, { content: 'Ada is live' }), await chat.send(live, { content: 'Grace is live' })];
  const { id } = await chat.addRole(running.people[2], role, { server });
  isServed = false;

  await chat.edit(card.id, { content: 'Ada was live' });
  await chat.delete(other.id);
  await chat.removeRole(id, role, { server });

  const left = (await running.messages(live)).filter(({ deletedAt }) => deletedAt === undefined);
  expect(left.map(({ content }) => content)).toEqual(['Ada was live']);
  expect(await running.rest().get(`/guilds/${server}/members/${id}`)).toMatchObject({ roles: [] });
});

test('cards are also closed, and roles taken, if the bot serves only one server now', async () => {
  await using running = await startDiscordSandbox();
  await using store = await openStore();
  const { guild, channels } = await running.order<Created>('/discord/servers', { name: 'Chess Club' });
  const live = channels.find(({ name }) => name === 'live')?.id ?? '';
  const server = guild.id;
  const chatOf = async (file: FanfareFile): Promise<Chat> => {
    const { config } = mergeConfig(running.sandbox.environment, file);
    const { discord: platforms } = await platformsOf(config, { log: silentLog, store, clock: systemClock });
    const [chat] = platforms.map((platform) => new Chat({ platform }));
    if (!chat) throw new Error('there is no account');
    return chat;
  };
  const both = await chatOf({ accounts: { club: { platform: 'discord', server } } });
  const card = await both.send(live, { content: 'Ada is live' });
  const { id, role } = await both.addRole(running.people[2], 'Live', { server });

  const one = await chatOf({});
  await one.edit(card.id, { content: 'Ada was live' });
  await one.removeRole(id, role.id, { server });

  await expect(one.send(live, { content: 'Grace is live' })).rejects.toMatchObject({ fault: 'missing' });
  expect((await running.messages(live)).map(({ content }) => content)).toEqual(['Ada was live']);
  expect(await running.rest().get(`/guilds/${server}/members/${id}`)).toMatchObject({ roles: [] });
});
