import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageFlags } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { loginWith } from '../../../test/support/discord-commands.ts';
import { hasChromium, pictureOf } from '../../../test/support/discord-picture.ts';
import { channelOf, fetch, startDiscordSandbox, type DiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

async function pageOf({ sandbox }: DiscordSandbox, path: string): Promise<string> {
  const response = await fetch(`${sandbox.url}/discord/view/${path}`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  return response.text();
}

describe('a channel on the sandbox’s Discord', () => {
  test('shows text, cards, buttons, selects, replies, threads and reactions', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();
    const channel = channelOf(client, 'general');
    const role = channel.guild.roles.cache.find(({ name }) => name === 'Live');
    const sent = await channel.send({
      content: `# Head\n**bold** \`code\` <@&${role?.id}> <t:1795176000:R>\n\`\`\`ts\nlet a;\n\`\`\``,
      embeds: [
        {
          title: 'A title',
          url: 'https://example.com/a',
          author: { name: 'An author' },
          fields: [{ name: 'A field', value: 'of it' }],
          footer: { text: 'A footer' },
          image: { url: 'https://example.com/picture.png' },
        },
      ],
      components: [
        {
          type: 1,
          components: [
            { type: 2, style: 1, custom_id: 'a', label: 'A button' },
            { type: 2, style: 5, url: 'https://example.com/b', label: 'A link' },
          ],
        },
        { type: 1, components: [{ type: 3, custom_id: 'b', placeholder: 'Choose', options: [{ label: 'An option', value: 'o' }] }] },
      ],
    });
    await sent.react('👍');
    await (await sent.startThread({ name: 'A thread' })).send('inside of it');
    await sent.reply('A reply');
    await sent.edit('Now this');

    const page = await pageOf(discord, 'general');

    const texts = ['Now this', '(edited)', 'A title', 'An author', 'A field', 'A footer', 'picture.png', 'A button', 'A link', 'Choose'];
    for (const text of [...texts, '👍 1', 'A thread', '1 Message', 'A reply']) expect(page).toContain(text);
    expect(page).toMatch(/aria-current="page"\s*>\s*<span class="hash">#<\/span>general/u);
    expect(await pageOf(discord, 'A%20thread')).toContain('inside of it');
  });

  test('shows that the bot opened a thread without a message', async () => {
    await using discord = await startDiscordSandbox();
    await discord.request('POST', `/channels/${discord.channelIds.get('general')}/threads`, { name: 'Bets', type: 11 });

    expect(await pageOf(discord, 'general')).toContain('started a thread: <strong>Bets</strong>');
  });

  test('says that it is empty, and where a person can write', async () => {
    await using discord = await startDiscordSandbox();

    const page = await pageOf(discord, 'general');

    expect(page).toContain('No messages yet.');
    expect(page.replaceAll(/\s+/gu, ' ')).toContain('open Sandbox on the page of Fanfare');
    expect(page).not.toContain('Message #general');
  });

  test('shows an ephemeral message only to its user', async () => {
    await using discord = await startDiscordSandbox();
    const [owner, , member] = discord.people;
    await loginWith(
      discord,
      (interaction) => interaction.isChatInputCommand() && interaction.reply({ content: 'A secret', flags: MessageFlags.Ephemeral }),
    );

    await discord.interact({ user: owner, channel: 'general', command: 'go' });

    const pages = await Promise.all(
      ['', `?as=${member}`, `?as=${owner}`].map(async (query) => (await pageOf(discord, `general${query}`)).includes('A secret')),
    );
    expect(pages).toEqual([false, false, true]);
  });

  test('escapes text: no tag, no script, only addresses of web pages', async () => {
    await using discord = await startDiscordSandbox();
    const channel = channelOf(await discord.login(), 'general');
    const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) "onload="x';
    await channel.send({
      content: hostile,
      embeds: [{ title: hostile, description: hostile, fields: [{ name: hostile, value: hostile }] }],
    });

    const page = await pageOf(discord, 'general');

    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('href="javascript');
  });

  test('that does not exist is an error with the existing channels', async () => {
    await using discord = await startDiscordSandbox();

    const response = await fetch(`${discord.sandbox.url}/discord/view/nowhere`);

    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('unknown channel "nowhere"')]);
  });
});

test.runIf(hasChromium)('a picture of a channel is saved', async () => {
  await using discord = await startDiscordSandbox();
  await channelOf(await discord.login(), 'general').send('Hello');
  using folder = temporaryFolder();
  const file = join(folder.path, 'general.png');

  await pictureOf({ url: discord.sandbox.url, channel: 'general', file });

  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
});
