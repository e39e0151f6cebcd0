import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
import { openChat } from './open-chat.ts';

const HOSTILE = '@everyone <@&1202584131993600003> <@1202584131993600002> [free](https://evil.example) \u202Egnp.exe';

test('a message is sent to the channel with its card, and its record has the address', async () => {
  await using fixture = await openChat();
  const embed = {
    title: 'Speedrun',
    url: 'https://twitch.example/ada',
    description: 'Day **two**',
    image: 'https://pictures.example/1.png',
    thumbnail: 'https://pictures.example/2.png',
    footer: '4.2K watching',
    color: 0x9146ff,
    fields: [{ name: 'Game', value: 'Chess', inline: true }],
  };

  const sent = await fixture.chat.send('live', { content: 'Ada is live', embed });
  const [message] = await fixture.standing('live');
  const [read] = await fixture.chat.getMessages('live');

  const channelId = fixture.discord.channelIds.get('live');
  expect(message).toMatchObject({
    content: 'Ada is live',
    embeds: [{ title: 'Speedrun', image: { url: embed.image }, footer: { text: embed.footer } }],
  });
  expect(sent).toEqual({
    platform: 'discord',
    id: `${channelId}/${message?.id}`,
    url: `https://discord.com/channels/${fixture.discord.guildId}/${channelId}/${message?.id}`,
  });
  expect(read).toMatchObject({
    id: sent.id,
    content: 'Ada is live',
    channel: { id: channelId, name: 'live' },
    author: { handle: 'Fanfare' },
  });
  expect(read?.embeds).toEqual([embed]);
});

test.for(['#live', 'live', 'id'])('a channel is found by %s', async (name) => {
  await using fixture = await openChat();
  const channel = name === 'id' ? (fixture.discord.channelIds.get('live') ?? '') : name;

  await fixture.chat.send(channel, { content: 'hello' });

  expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['hello']);
});

test('an unknown channel is the fault missing, and the error names the existing channels', async () => {
  await using fixture = await openChat();

  const sending = fixture.chat.send('lvie', { content: 'hello' });

  await expect(sending).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringMatching(/no channel "lvie".*#live.*#stream-news/),
  });
});

test('texts ping no one', async () => {
  await using fixture = await openChat();

  await fixture.chat.send('live', { content: HOSTILE, embed: { title: HOSTILE, description: HOSTILE } });

  expect(await fixture.standing('live')).toMatchObject([{ content: HOSTILE, pinged: { everyone: false, roles: [], users: [] } }]);
});

test('only the role in `mention` is pinged', async () => {
  await using fixture = await openChat();

  await fixture.chat.send('live', { content: 'Ada is live, @everyone', mention: ['Moderator'] });

  const [message] = await fixture.standing('live');
  expect(message?.pinged).toEqual({ everyone: false, roles: ['Moderator'], users: [] });
  expect(message?.content).toBe('<@&1202584131993600003> Ada is live, @everyone');
});

test('a role or a member can be written in the form of a mention', async () => {
  await using fixture = await openChat();

  await fixture.chat.send('live', { content: 'hi', mention: ['<@&1202584131993600003>', '<@!1202584131993600002>'] });

  expect(await fixture.standing('live')).toMatchObject([{ pinged: { everyone: false, roles: ['Moderator'], users: ['Fanfare'] } }]);
});

test('a mention in the text is not repeated', async () => {
  await using fixture = await openChat();
  const id = '1202584131993600002';

  await fixture.chat.send('live', { content: `Thanks, <@${id}>!`, mention: [id] });

  expect(await fixture.standing('live')).toMatchObject([{ content: `Thanks, <@${id}>!`, pinged: { users: ['Fanfare'] } }]);
});

test.for([
  ['is part of a word', '@everyone0'],
  ['would be cut away', `${'x'.repeat(1_990)} @everyone`],
])('a mention is added if that in the text %s', async ([, content]) => {
  await using fixture = await openChat();

  await fixture.chat.send('live', { content, mention: ['everyone'] });

  const [message] = await fixture.standing('live');
  expect(message).toMatchObject({ content: expect.stringMatching(/^@everyone [@x]/u), pinged: { everyone: true } });
  expect(message?.content.length).toBeLessThanOrEqual(2_000);
});

test.for([
  [['Moderator'], '<@&1202584131993600003> over'],
  [['Moderator', 'everyone', '1202584131993600002'], '<@&1202584131993600003> @everyone <@1202584131993600002> over'],
  [[], 'over'],
] as const)('edits keep the visible pings of %s, and ping no one again', async ([mention, expected]) => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.send('live', { content: 'live', embed: { title: 'Chess' }, mention: [...mention] });

  await fixture.chat.edit(id, { content: 'still live' });
  await fixture.chat.edit(id, { embed: { footer: '4.2K watching' } });
  await fixture.chat.edit(id, { content: 'over', embed: { footer: 'over' } });

  const [message] = await fixture.standing('live');
  expect(message).toMatchObject({ content: expected, embeds: [{ title: 'Chess', footer: { text: 'over' } }] });
  expect(message?.history.length).toBe(3);
  await fixture.chat.edit(id, { content: '' });
  expect((await fixture.standing('live'))[0]?.content).toBe('');
});

test('an edit with a text of the maximum length keeps the whole text, and no ping that has no room', async () => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.send('live', { content: 'live', mention: ['Moderator'] });
  const [long, full] = ['x'.repeat(1975), 'x'.repeat(2000)];

  await fixture.chat.edit(id, { content: long });
  const [kept] = await fixture.standing('live');
  await fixture.chat.edit(id, { content: full });

  expect([kept?.content, (await fixture.standing('live'))[0]?.content]).toEqual([`<@&1202584131993600003> ${long}`, full]);
});

test('an unknown role is the fault missing, and nothing is sent', async () => {
  await using fixture = await openChat();

  await expect(fixture.chat.send('live', { content: 'hello', mention: ['Moderatorz'] })).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('"Moderatorz"'),
  });

  expect(await fixture.standing('live')).toEqual([]);
});

test('a reply references its message and pings no one', async () => {
  await using fixture = await openChat();
  const [owner] = fixture.discord.people;
  const question = await fixture.discord.order<{ id: string }>('/discord/messages', {
    user: owner,
    channel: 'live',
    content: 'Who is live?',
  });

  await fixture.chat.send('live', { content: 'Ada', replyTo: `${fixture.discord.channelIds.get('live')}/${question.id}` });

  expect((await fixture.standing('live')).at(-1)).toMatchObject({ replyTo: question.id, pinged: { users: [] } });
});

test('an edit changes only the given parts of the message and its card', async () => {
  await using fixture = await openChat();
  const sent = await fixture.chat.send('live', {
    content: 'Ada is live',
    embed: { title: 'Speedrun', url: 'https://twitch.example/ada', image: 'https://pictures.example/1.png', footer: '10 watching' },
  });

  const edited = await fixture.chat.edit(sent.id, { embed: { title: 'Speedrun, part two', footer: '20 watching' } });

  expect(edited).toEqual(sent);
  const [message] = await fixture.chat.getMessages('live');
  expect(message).toMatchObject({ content: 'Ada is live', editedAt: expect.any(Date) });
  expect(message?.embeds).toEqual([
    { title: 'Speedrun, part two', url: 'https://twitch.example/ada', image: 'https://pictures.example/1.png', footer: '20 watching' },
  ]);
});

test('an edit removes parts that are empty in it', async () => {
  await using fixture = await openChat();
  const sent = await fixture.chat.send('live', {
    embed: { title: 'Speedrun', url: 'https://twitch.example', image: 'https://pictures.example/1.png' },
  });

  await fixture.chat.edit(sent.id, { embed: { url: '', image: '' } });

  const [message] = await fixture.chat.getMessages('live');
  expect(message?.embeds).toEqual([{ title: 'Speedrun' }]);
});

test('empty parts of a card are left out, and so is an empty card', async () => {
  await using fixture = await openChat();
  const empty = { title: '', url: '', image: '', thumbnail: '', footer: '' };

  await fixture.chat.send('live', { embed: { ...empty, description: 'On air', fields: [{ name: 'Game', value: '' }] } });
  await fixture.chat.send('live', { content: 'Ada is live', embed: empty });

  const [second, first] = await fixture.chat.getMessages('live');
  expect(first?.embeds).toEqual([{ description: 'On air' }]);
  expect(second).toMatchObject({ content: 'Ada is live', embeds: [] });
});

test('an edit pings no one, and an edit of a deleted message is the fault missing', async () => {
  await using fixture = await openChat();
  const sent = await fixture.chat.send('live', { content: 'hello' });

  await fixture.chat.edit(sent.id, { content: HOSTILE });

  expect(await fixture.standing('live')).toMatchObject([{ content: HOSTILE, pinged: { everyone: false, roles: [], users: [] } }]);
  const [channelId] = sent.id.split('/');
  await expect(fixture.chat.edit(`${channelId}/1202584131993600099`, { content: 'x' })).rejects.toMatchObject({ fault: 'missing' });
  await expect(fixture.chat.edit('card', { content: 'x' })).rejects.toMatchObject({ name: 'ValidationError', path: 'message' });
});

test('link previews of Discord are not cards of the message', async () => {
  const author = { id: '7', username: 'Fanfare', global_name: null };
  const preview = { type: 'article', title: 'Ada - Twitch', url: 'https://twitch.example/ada' };
  const card = { type: 'rich', title: 'Speedrun', footer: { text: 'live' } };
  const message = {
    id: '20',
    channel_id: '2',
    author,
    content: 'Ada',
    timestamp: '2026-11-20T18:00:00.000000+00:00',
    edited_timestamp: null,
  };
  await using server = await scriptHttp([
    ['GET /v10/guilds/1/channels', { json: [{ id: '2', name: 'live', type: 0 }] }],
    ['GET /v10/channels/2/messages?limit=100', { json: [{ ...message, embeds: [preview, card] }] }],
    ['GET /v10/users/@me', { json: { id: '7', username: 'fanfare' } }],
  ]);
  const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: server.url, clock: new ManualClock() }) });

  const [read] = await chat.getMessages('live');

  expect(read?.author.self).toBe(true);
  expect(read?.embeds).toEqual([{ title: 'Speedrun', footer: 'live' }]);
});

test('messages are read once, newest first, page by page', async () => {
  await using fixture = await openChat();
  await fixture.fill('live', 130);

  const first = await fixture.chat.getMessages('live');
  const all = await fixture.chat.getMessages('live', { pages: 'all', waitTime: 0 });

  expect(first.length).toBe(100);
  expect(first.hasNext).toBe(true);
  expect(all.items.map(({ content }) => content)).toEqual(Array.from({ length: 130 }, (_, index) => `message ${129 - index}`));
  expect(all.hasNext).toBe(false);
});

test('a text of the maximum length has room for mentions', async () => {
  await using fixture = await openChat();
  const content = `${'long '.repeat(398)}the end`;

  await fixture.chat.send('live', { content: content.padEnd(2000, '!'), mention: ['Moderator'] });

  const [message] = await fixture.standing('live');
  expect(message?.pinged.roles).toEqual(['Moderator']);
  expect(message?.content).toMatch(/^<@&\d+> long .*…$/);
});

test('a read is repeated once if the connection is reset', async () => {
  await using fixture = await openChat();
  fixture.lose('resetBefore', 'GET');

  expect(await fixture.chat.getMessages('live', {})).toHaveLength(0);
});

test('a call leaves no listener on its signal', async () => {
  await using fixture = await openChat();
  const life = new AbortController();
  const call = () => fixture.chat.getMessages('live', { signal: life.signal });
  for (let calls = 0; calls < 20; calls++) await call();

  expect(getEventListeners(life.signal, 'abort')).toHaveLength(0);
});
