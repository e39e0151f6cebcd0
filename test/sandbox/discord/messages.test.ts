import { DiscordAPIError, EmbedBuilder, Events, type Message } from 'discord.js';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { channelOf, fetch, startDiscordSandbox } from '../../support/discord-sandbox.ts';

describe('a message of the bot', () => {
  test('is sent, changed and deleted by discord.js, and the control API keeps every state of it', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');

    const sent = await live.send({
      content: 'Ada is live',
      embeds: [new EmbedBuilder().setTitle('Chess').addFields({ name: 'Viewers', value: '12' })],
    });
    const { fields } = sent.embeds[0] ?? {};
    const edited = await sent.edit({ content: 'Ada was live', embeds: [] });
    await edited.delete();

    expect(fields).toEqual([{ name: 'Viewers', value: '12', inline: false }]);
    expect(edited.editedAt).toBeInstanceOf(Date);
    expect(await discord.messages('live')).toMatchObject([
      {
        id: sent.id,
        author: 'Fanfare',
        channel: { name: 'live' },
        content: 'Ada was live',
        embeds: [],
        deletedAt: expect.any(String),
        history: [{ content: 'Ada is live', embeds: [{ title: 'Chess', type: 'rich' }] }],
      },
    ]);
  });

  test('has the wire shape that Discord documents', async () => {
    await using discord = await startDiscordSandbox();
    const path = `/channels/${discord.channelIds.get('live')}/messages`;

    const sent = await (await discord.request('POST', path, { content: ' hello ', nonce: 'n1' })).json();

    expect(sent).toEqual({
      id: expect.stringMatching(/^\d{18,20}$/),
      type: 0,
      channel_id: discord.channelIds.get('live'),
      author: expect.objectContaining({ id: '1202584131993600002', username: 'Fanfare', discriminator: '0', bot: true, global_name: null }),
      content: 'hello',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
      embeds: [],
      components: [],
      pinned: false,
      flags: 0,
      nonce: 'n1',
    });
  });

  test('carries files, which can be fetched, and shows in an embed the one that the embed names', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    const files = [
      { attachment: Buffer.from('points'), name: 'score.txt', description: 'the score' },
      { attachment: Buffer.from('picture'), name: 'card.png' },
    ];

    const sent = await live.send({ files, embeds: [{ image: { url: 'attachment://card.png' } }] });

    const [score, ...others] = sent.attachments.values();
    expect(score).toMatchObject({ name: 'score.txt', size: 6, description: 'the score' });
    expect(others).toEqual([]);
    expect(await (await fetch(score?.url ?? '')).text()).toBe('points');
    expect(await (await fetch(sent.embeds[0]?.image?.url ?? '')).text()).toBe('picture');
  });

  test('keeps on an edit the files that the edit names, and gets new ones', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    const file = (name: string) => ({ attachment: Buffer.from(name), name });
    const sent = await live.send({ files: [file('a.txt'), file('b.txt')] });

    const edited = await sent.edit({
      attachments: sent.attachments.filter(({ name }) => name === 'b.txt').toJSON(),
      files: [file('c.txt')],
    });

    expect(edited.attachments.map(({ name }) => name)).toEqual(['b.txt', 'c.txt']);
  });

  test('keeps all that is done to it at once', async () => {
    await using discord = await startDiscordSandbox();
    const sent = await channelOf(await discord.login(), 'live').send('0');
    const path = `/channels/${sent.channelId}/messages/${sent.id}`;

    await Promise.all([
      ...['1', '2', '3', '4'].map((content) => discord.request('PATCH', path, { content })),
      ...['👍', '🎉'].map((emoji) => discord.request('PUT', `${path}/reactions/${encodeURIComponent(emoji)}/@me`)),
    ]);

    const [message] = await discord.messages();
    const texts = [message?.content, ...(message?.history ?? []).map(({ content }) => content)];
    expect(new Set(texts)).toEqual(new Set(['0', '1', '2', '3', '4']));
    expect(texts).toHaveLength(5);
    expect(new Set(message?.reactions.map(({ emoji }) => emoji))).toEqual(new Set(['👍', '🎉']));
  });

  test('answers another one', async () => {
    await using discord = await startDiscordSandbox();
    const general = channelOf(await discord.login(), 'general');
    const [, , person] = discord.people;
    const asked = await discord.order<{ id: string }>('/discord/messages', { user: person, channel: 'general', content: 'Who is live?' });

    const reply = await (await general.messages.fetch(asked.id)).reply('Nobody');

    expect((await reply.fetchReference()).content).toBe('Who is live?');
    expect(await discord.messages('general')).toMatchObject([
      { author: person },
      { content: 'Nobody', replyTo: asked.id, pinged: { users: [person] } },
    ]);
  });

  test('of a person reaches the bot', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const heard = once(client, Events.MessageCreate);

    await discord.order('/discord/messages', { user: discord.people[2], channel: 'general', content: 'hello' });

    const [message]: Message[] = await heard;
    expect(message).toMatchObject({ content: 'hello', author: { username: discord.people[2], bot: false } });
    expect(message?.member?.joinedAt).toBeInstanceOf(Date);
  });
});

describe('the history of a channel', () => {
  test('is read newest first, before, after and around a message', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    const ids: string[] = [];
    for (const content of ['0', '1', '2', '3', '4']) ids.push((await live.send(content)).id);
    const read = async (options: object) =>
      (await live.messages.fetch({ cache: false, ...options })).map(({ content }) => content).join('');

    expect(await read({})).toBe('43210');
    expect(await read({ limit: 2 })).toBe('43');
    expect(await read({ before: ids[3], limit: 2 })).toBe('21');
    expect(await read({ after: ids[1], limit: 2 })).toBe('32');
    expect(await read({ around: ids[2], limit: 3 })).toBe('321');
  });

  test('is empty or short where that is ordered', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    for (const content of ['0', '1', '2', '3']) await live.send(content);
    discord.sandbox.faults.add({ platform: 'discord', kind: 'emptyList', times: 1 });
    discord.sandbox.faults.add({ platform: 'discord', kind: 'shortList', times: 1 });

    const sizes = [(await live.messages.fetch()).size, (await live.messages.fetch()).size, (await live.messages.fetch()).size];

    expect(sizes).toEqual([0, 2, 4]);
  });

  test('does not show a message whose visibility is delayed, and then does', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    discord.sandbox.faults.add({ platform: 'discord', kind: 'delayedVisibility', ms: 150, times: 1 });

    const { id } = await live.send('late');
    const before = await live.messages.fetch({ cache: false });

    expect(before.size).toBe(0);
    await expect(live.messages.fetch({ message: id, force: true })).rejects.toMatchObject({ code: 10_008 });
    await expect.poll(async () => (await live.messages.fetch({ cache: false })).size).toBe(1);
  });
});

describe('Discord refuses', () => {
  const long = (length: number) => 'x'.repeat(length);

  const fault = (code: string, message: string) => ({ _errors: [{ code, message }] });

  test('a message without content', async () => {
    await using discord = await startDiscordSandbox();

    const response = await discord.request('POST', `/channels/${discord.channelIds.get('live')}/messages`, { content: ' ' });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 50_006, message: 'Cannot send an empty message' });
  });

  test.for([
    ['content of 2001 characters', { content: long(2001) }, { content: fault('BASE_TYPE_MAX_LENGTH', 'Must be 2000 or fewer in length.') }],
    ['a nonce of 26 characters', { nonce: long(26) }, { nonce: fault('BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.') }],
    ['11 embeds', { embeds: Array(11).fill({ title: 'a' }) }, { embeds: fault('BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.') }],
    [
      'embeds of 6001 characters together',
      { embeds: [{ description: long(4000) }, { description: long(2001) }] },
      { embeds: fault('MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000') },
    ],
    ['content that is no text', { content: 1 }, { content: fault('STRING_TYPE_CONVERT', 'Could not interpret the value as string.') }],
    [
      'a reply to nothing',
      { message_reference: { message_id: '1' } },
      { message_reference: fault('REPLIES_UNKNOWN_MESSAGE', 'Unknown message') },
    ],
  ] as const)('%s', async ([, body, errors]) => {
    await using discord = await startDiscordSandbox();

    const response = await discord.request('POST', `/channels/${discord.channelIds.get('live')}/messages`, { content: 'a', ...body });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 50_035, message: 'Invalid Form Body', errors });
  });

  test('names the place of a fault inside an embed as Discord does', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');

    const refused = live.send({ embeds: [{ title: 'a' }, { fields: [{ name: 'b', value: '' }], image: { url: 'ftp://x' } }] });

    await expect(refused).rejects.toThrow('embeds[1].image.url[URL_TYPE_INVALID_SCHEME]');
    await expect(refused).rejects.toThrow('embeds[1].fields[0].value[BASE_TYPE_MIN_LENGTH]');
  });

  test.for([
    ['an unknown channel', '/channels/1/messages', 404, { code: 10_003, message: 'Unknown Channel' }],
    ['an unknown message', '/channels/{live}/messages/1', 404, { code: 10_008, message: 'Unknown Message' }],
    ['an unknown guild', '/guilds/1', 404, { code: 10_004, message: 'Unknown Guild' }],
    ['an unknown route', '/nothing', 404, { code: 0, message: '404: Not Found' }],
  ] as const)('%s', async ([, path, status, body]) => {
    await using discord = await startDiscordSandbox();

    const response = await discord.request('GET', path.replace('{live}', discord.channelIds.get('live') ?? ''));

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
  });

  test('a channel that the bot may not write in, and one that it may not see', async () => {
    await using discord = await startDiscordSandbox();
    const rest = discord.rest();
    await discord.order('/discord/permissions', { channel: 'live', deny: ['SendMessages'] });
    await discord.order('/discord/permissions', { channel: 'puzzles', deny: ['ViewChannel'] });
    const send = (name: string) => rest.post(`/channels/${discord.channelIds.get(name)}/messages`, { body: { content: 'a' } });

    await expect(send('live')).rejects.toMatchObject({ status: 403, code: 50_013, message: 'Missing Permissions' });
    await expect(send('puzzles')).rejects.toMatchObject({ status: 403, code: 50_001, message: 'Missing Access' });
  });

  test('a change of what somebody else wrote', async () => {
    await using discord = await startDiscordSandbox();
    const { id } = await discord.order<{ id: string }>('/discord/messages', { user: discord.people[2], channel: 'live', content: 'mine' });
    const path = `/channels/${discord.channelIds.get('live')}/messages/${id}` as const;

    await expect(discord.rest().patch(path, { body: { content: 'yours' } })).rejects.toMatchObject({ status: 403, code: 50_005 });
    await expect(discord.rest().delete(path)).rejects.toMatchObject({ status: 403, code: 50_013 });
  });

  test('a wrong token, in words that discord.js understands', async () => {
    await using discord = await startDiscordSandbox();

    const refused = discord.rest('wrong').get('/users/@me');

    await expect(refused).rejects.toBeInstanceOf(DiscordAPIError);
    await expect(refused).rejects.toMatchObject({ status: 401, code: 0, message: '401: Unauthorized' });
  });

  test('a body that is no JSON', async () => {
    await using discord = await startDiscordSandbox();
    const url = `${discord.sandbox.environment['DISCORD_API_URL']}/v10/channels/${discord.channelIds.get('live')}/messages`;

    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bot ${discord.token}` }, body: '{' });

    expect(await response.json()).toMatchObject({ code: 50_109 });
  });

  test('a file above 10 MiB', async () => {
    await using discord = await startDiscordSandbox();
    const files = [{ name: 'big.bin', data: Buffer.alloc(10 * 1024 * 1024 + 1) }];

    const refused = discord.rest().post(`/channels/${discord.channelIds.get('live')}/messages`, { files });

    await expect(refused).rejects.toMatchObject({ status: 413, code: 40_005 });
  });
});

test('an answer without content has no content type, which discord.js would trip over', async () => {
  await using discord = await startDiscordSandbox();

  const response = await discord.request('POST', `/channels/${discord.channelIds.get('live')}/typing`);

  expect(response.status).toBe(204);
  expect(response.headers.has('content-type')).toBe(false);
});
