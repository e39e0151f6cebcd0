import { describe, expect, test } from 'vitest';
import { openPosting } from './fixture.ts';

const HOSTILE = [
  '@everyone @here <@&1> <@2> **bold** [click](https://evil.example) ‮desrever',
  'https://example.com/@everyone',
  `${'a\u0300'.repeat(3)}${'\u0301'.repeat(200)}`,
  '```\ncode',
  '> quote\n# head\n-# small',
];

describe('texts of users', () => {
  test.each(HOSTILE)('ping no one and break no preview, result or list: %s', async (text) => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text });
    const sent = await fixture.click(shown, 'Send');
    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('**Sent.**');
    const list = await fixture.command('post queue');

    for (const message of await fixture.discord.messages()) expect(message.pinged).toEqual({ everyone: false, roles: [], users: [] });
    expect(list.message?.content).not.toMatch(/(?<!\\)@everyone/);
    expect(shown.message?.embeds).toHaveLength(1);
    expect((await fixture.posts()).map((post) => post.text)).toEqual([text]);
  });

  test('10 000 characters are shown within the limits of Discord', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post now', { text: '*_'.repeat(3000) });

    expect(shown.outcome).toBe('message');
    expect(JSON.stringify(shown.message?.embeds)).toContain('the preview shows only this part');
  });

  test('a text that is too long for a thread cannot be sent', async () => {
    await using fixture = await openPosting();
    const opened = await fixture.command('post now');

    const shown = await fixture.write(opened, { text: 'word '.repeat(790) });
    expect(shown.message?.components).toMatchObject([{}, { components: [{ label: 'Send' }, {}, {}, {}] }]);
    const empty = await fixture.write(await fixture.click(shown, 'Edit'), { text: ' ' });

    expect(empty.message?.embeds).toMatchObject([{ description: expect.stringContaining('The post is empty') }]);
    await expect(fixture.click(empty, 'Send')).rejects.toThrow('disabled');
  });
});

describe('users without permission', () => {
  test('cannot use a forged command, button, select or form', async () => {
    await using fixture = await openPosting();
    const [, , member] = fixture.discord.people;
    const shown = await fixture.command('post now', { text: 'mine' });
    const [id = ''] = (await fixture.store.postDrafts.all()).map((draft) => draft.id);
    const forged = { user: member, message: shown.message?.id, forged: true };

    const answers = [
      await fixture.command('post now', { text: 'theirs' }, { user: member, forged: true }),
      await fixture.command('post queue', {}, { user: member, forged: true }),
      await fixture.discord.interact({ ...forged, customId: `post:send:${id}` }),
      await fixture.discord.interact({ ...forged, customId: `post:accounts:${id}`, values: ['club'] }),
      await fixture.discord.interact({ ...forged, customId: 'post:list:0' }),
      await fixture.discord.interact({
        user: member,
        message: shown.message?.id,
        forgedForm: `post:text:${id}`,
        fields: { text: 'theirs' },
        forged: true,
      }),
    ];

    for (const { message, followUps } of answers)
      expect((message?.ephemeral ? message : followUps[0])?.content).toContain('You do not have permission to do this here');
    expect(await fixture.posts()).toEqual([]);
    expect((await fixture.store.postDrafts.find(id))?.body).toMatchObject({ text: 'mine' });
  });

  test('a user cannot send the draft of another user', async () => {
    await using fixture = await openPosting();
    const [, moderator] = fixture.discord.people;
    const shown = await fixture.command('post now', { text: 'mine' });
    const [id = ''] = (await fixture.store.postDrafts.all()).map((draft) => draft.id);

    const click = await fixture.discord.interact({
      user: moderator,
      message: shown.message?.id,
      customId: `post:send:${id}`,
      forged: true,
    });

    expect(click.message?.content).toContain('another member');
    expect(await fixture.posts()).toEqual([]);
  });

  test('a menu without a known account leaves the accounts of the draft', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'x' });
    const [{ id } = { id: '' }] = await fixture.store.postDrafts.all();

    const click = await fixture.discord.interact({
      user: fixture.owner,
      message: shown.message?.id,
      customId: `post:accounts:${id}`,
      values: ['renamed'],
      forged: true,
    });

    expect(click.message?.content).toContain('earlier version of the bot');
    expect((await fixture.store.postDrafts.find(id))?.body).toMatchObject({ accounts: ['sandbox'] });
  });

  test('buttons with forged ids are refused', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'x' });

    for (const customId of [
      'post:',
      'post:send:',
      'post:send:../..',
      'post:list:NaN',
      'post:list:-5',
      'post:nothing:1',
      'post:now:x',
      'post:moved:x',
    ]) {
      const click = await fixture.discord.interact({ user: fixture.owner, message: shown.message?.id, customId, forged: true });
      expect(click.outcome).not.toBe('failed');
    }
    expect(await fixture.posts()).toEqual([]);
  });
});

describe('in German', () => {
  test('the command and its answers are in German', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post jetzt', { text: 'Wir sind live!', konten: 'club' }, { locale: 'de' });
    const sent = await fixture.click(shown, 'Senden', { locale: 'de' });

    expect(shown.message?.content).toContain('**Vorschau.**');
    await expect.poll(async () => (await fixture.reload(sent)).message?.content).toContain('**Gesendet.**');
    const late = await fixture.command('post planen', { zeit: 'heute 0:00', text: 'x' }, { locale: 'de' });
    expect(late.message?.content).toContain('das ist vorbei');
  });
});

test('the log has the user of each post', async () => {
  await using fixture = await openPosting();
  const shown = await fixture.command('post now', { text: 'x' });

  const click = await fixture.click(shown, 'Send');

  await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Sent.**');
  expect(fixture.lines.join('\n')).toMatch(
    new RegExp(`a post was created.*${fixture.owner} \\(\\d+\\)|${fixture.owner} \\(\\d+\\).*a post was created`),
  );
});
