import { EmbedBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { channelOf, fetch, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { HOUR_MS } from '../../../test/support/sandbox-world.ts';
import { slowRequest } from '../../../test/support/slow-request.ts';

describe('a message of the bot', () => {
  test('is sent, edited and deleted by discord.js, and the control API has every version', async () => {
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

  test('has files that can be fetched, and an embed shows the file that it references', async () => {
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

  test('keeps the files listed in an edit, and gets the new files', async () => {
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

  test('keeps changes that happen while an edit arrives', async () => {
    await using discord = await startDiscordSandbox();
    const sent = await channelOf(await discord.login(), 'live').send('0');
    const url = `${discord.sandbox.environment['DISCORD_API_URL']}/v10/channels/${sent.channelId}/messages/${sent.id}`;
    const headers = { authorization: `Bot ${discord.token}` };
    const slow = await slowRequest(url, { method: 'PATCH', headers });

    await sent.edit('1');
    await sent.react('👍');
    await slow.end({ content: '2' });

    expect(await discord.messages()).toMatchObject([
      { content: '2', history: [{ content: '0' }, { content: '1' }], reactions: [{ emoji: '👍' }] },
    ]);
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

  test('is empty or short after a fault', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    for (const content of ['0', '1', '2', '3']) await live.send(content);
    discord.sandbox.faults.add({ platform: 'discord', kind: 'emptyList', times: 1 });
    discord.sandbox.faults.add({ platform: 'discord', kind: 'shortList', times: 1 });

    const sizes = [(await live.messages.fetch()).size, (await live.messages.fetch()).size, (await live.messages.fetch()).size];

    expect(sizes).toEqual([0, 2, 4]);
  });

  test('shows a message with delayed visibility later', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const live = channelOf(await discord.login(), 'live');
    discord.sandbox.faults.add({ platform: 'discord', kind: 'delayedVisibility', ms: HOUR_MS, times: 1 });

    const { id } = await live.send('late');
    const before = await live.messages.fetch({ cache: false });

    expect(before.size).toBe(0);
    await expect(live.messages.fetch({ message: id, force: true })).rejects.toMatchObject({ code: 10_008 });
    clock.set(clock.nowMs() + HOUR_MS);
    expect((await live.messages.fetch({ cache: false })).size).toBe(1);
  });
});

test('an answer without content has no content type, because discord.js would fail', async () => {
  await using discord = await startDiscordSandbox();

  const response = await discord.request('POST', `/channels/${discord.channelIds.get('live')}/typing`);

  expect(response.status).toBe(204);
  expect(response.headers.has('content-type')).toBe(false);
});
