import { DiscordAPIError } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { channelOf, fetch, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';

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
    ['content that is not a text', { content: 1 }, { content: fault('STRING_TYPE_CONVERT', 'Could not interpret the value as string.') }],
    [
      'an embed of a color and a link',
      { embeds: [{ color: 1, url: 'https://example.com', title: ' ' }] },
      { embeds: { 0: { description: fault('BASE_TYPE_REQUIRED', 'This field is required') } } },
    ],
    ...['http://nas:8080', 'https://example.com/a b'].map(
      (url) =>
        [
          `the address ${url}`,
          { embeds: [{ title: 'a', url }] },
          { embeds: { 0: { url: fault('URL_TYPE_INVALID_URL', 'Not a well formed URL.') } } },
        ] as const,
    ),
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

  test('an invalid value in an embed, with its path', async () => {
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

  test('messages in channels without write or view permission', async () => {
    await using discord = await startDiscordSandbox();
    const rest = discord.rest();
    await discord.order('/discord/permissions', { channel: 'live', deny: ['SendMessages'] });
    await discord.order('/discord/permissions', { channel: 'puzzles', deny: ['ViewChannel'] });
    const send = (name: string) => rest.post(`/channels/${discord.channelIds.get(name)}/messages`, { body: { content: 'a' } });

    await expect(send('live')).rejects.toMatchObject({ status: 403, code: 50_013, message: 'Missing Permissions' });
    await expect(send('puzzles')).rejects.toMatchObject({ status: 403, code: 50_001, message: 'Missing Access' });
  });

  test("an edit of another user's message", async () => {
    await using discord = await startDiscordSandbox();
    const { id } = await discord.order<{ id: string }>('/discord/messages', { user: discord.people[2], channel: 'live', content: 'mine' });
    const path = `/channels/${discord.channelIds.get('live')}/messages/${id}` as const;

    await expect(discord.rest().patch(path, { body: { content: 'yours' } })).rejects.toMatchObject({ status: 403, code: 50_005 });
    await expect(discord.rest().delete(path)).rejects.toMatchObject({ status: 403, code: 50_013 });
  });

  test('a wrong token, with the error that discord.js expects', async () => {
    await using discord = await startDiscordSandbox();

    const refused = discord.rest('wrong').get('/users/@me');

    await expect(refused).rejects.toBeInstanceOf(DiscordAPIError);
    await expect(refused).rejects.toMatchObject({ status: 401, code: 0, message: '401: Unauthorized' });
  });

  test('a body with invalid JSON', async () => {
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

  test('a file above the limit of the boosts of its server', async () => {
    await using discord = await startDiscordSandbox();
    const send = () =>
      discord
        .rest()
        .post(`/channels/${discord.channelIds.get('live')}/messages`, { files: [{ name: 'a.bin', data: Buffer.alloc(11 * 1024 * 1024) }] });

    await discord.order('/discord/guild', { premiumTier: 1 });
    await expect(send()).rejects.toMatchObject({ status: 413, code: 40_005 });
    await discord.order('/discord/guild', { premiumTier: 2 });
    await expect(send()).resolves.toHaveProperty('attachments.0.size', 11 * 1024 * 1024);
  });
});
