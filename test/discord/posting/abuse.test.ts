import { describe, expect, test } from 'vitest';
import { openPosting } from './stage.ts';

const HOSTILE = [
  '@everyone @here <@&1> <@2> **bold** [click](https://evil.example) ‮desrever',
  'https://example.com/@everyone',
  `${'a\u0300'.repeat(3)}${'\u0301'.repeat(200)}`,
  '```\ncode',
  '> quote\n# head\n-# small',
];

describe('what people write', () => {
  test.each(HOSTILE)('pings nobody and breaks nothing, in the preview, the result and the list: %s', async (text) => {
    await using stage = await openPosting();

    const shown = await stage.command('post now', { text });
    const sent = await stage.press(shown, 'Send');
    await expect.poll(async () => (await stage.look(sent)).message?.content).toContain('**Sent.**');
    const list = await stage.command('post queue');

    for (const message of await stage.discord.messages()) expect(message.pinged).toEqual({ everyone: false, roles: [], users: [] });
    expect(list.message?.content).not.toMatch(/(?<!\\)@everyone/);
    expect(shown.message?.embeds).toHaveLength(1);
    expect((await stage.posts()).map((post) => post.text)).toEqual([text]);
  });

  test('10 000 characters are shown within the limits of Discord', async () => {
    await using stage = await openPosting();

    const shown = await stage.command('post now', { text: '*_'.repeat(3000) });

    expect(shown.outcome).toBe('message');
    expect(JSON.stringify(shown.message?.embeds)).toContain('just not shown here');
  });

  test('a text that is too long for any thread cannot be sent, and says what to do', async () => {
    await using stage = await openPosting();
    const opened = await stage.command('post now');

    const shown = await stage.write(opened, { text: 'word '.repeat(790) });
    expect(shown.message?.components).toMatchObject([{}, { components: [{ label: 'Send' }, {}, {}, {}] }]);
    const empty = await stage.write(await stage.press(shown, 'Edit'), { text: ' ' });

    expect(empty.message?.embeds).toMatchObject([{ description: expect.stringContaining('There is nothing to send') }]);
    await expect(stage.press(empty, 'Send')).rejects.toThrow('disabled');
  });
});

describe('who may not', () => {
  test('gets nowhere by a forged command, button, select or form', async () => {
    await using stage = await openPosting();
    const [, , member] = stage.discord.people;
    const shown = await stage.command('post now', { text: 'mine' });
    const [id = ''] = (await stage.store.postDrafts.all()).map((draft) => draft.id);
    const forged = { user: member, message: shown.message?.id, forged: true };

    const answers = [
      await stage.command('post now', { text: 'theirs' }, { user: member, forged: true }),
      await stage.command('post queue', {}, { user: member, forged: true }),
      await stage.discord.interact({ ...forged, customId: `post:send:${id}` }),
      await stage.discord.interact({ ...forged, customId: `post:accounts:${id}`, values: ['club'] }),
      await stage.discord.interact({ ...forged, customId: 'post:list:0' }),
      await stage.discord.interact({
        user: member,
        message: shown.message?.id,
        forgedForm: `post:text:${id}`,
        fields: { text: 'theirs' },
        forged: true,
      }),
    ];

    for (const { message, followUps } of answers)
      expect((message?.ephemeral ? message : followUps[0])?.content).toContain('You may not do this here');
    expect(await stage.posts()).toEqual([]);
    expect((await stage.store.postDrafts.find(id))?.body).toMatchObject({ text: 'mine' });
  });

  test('somebody else who may post sends no draft that is not theirs', async () => {
    await using stage = await openPosting();
    const [, moderator] = stage.discord.people;
    const shown = await stage.command('post now', { text: 'mine' });
    const [id = ''] = (await stage.store.postDrafts.all()).map((draft) => draft.id);

    const press = await stage.discord.interact({ user: moderator, message: shown.message?.id, customId: `post:send:${id}`, forged: true });

    expect(press.message?.content).toContain('somebody else’s');
    expect(await stage.posts()).toEqual([]);
  });

  test('buttons with made-up ids are told that they lead nowhere', async () => {
    await using stage = await openPosting();
    const shown = await stage.command('post now', { text: 'x' });

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
      const press = await stage.discord.interact({ user: stage.owner, message: shown.message?.id, customId, forged: true });
      expect(press.outcome).not.toBe('failed');
    }
    expect(await stage.posts()).toEqual([]);
  });
});

describe('in German', () => {
  test('the command goes by its German names, and all that is said is German', async () => {
    await using stage = await openPosting();

    const shown = await stage.command('post jetzt', { text: 'Wir sind live!', konten: 'club' }, { locale: 'de' });
    const sent = await stage.press(shown, 'Senden', { locale: 'de' });

    expect(shown.message?.content).toContain('**Vorschau.**');
    await expect.poll(async () => (await stage.look(sent)).message?.content).toContain('**Gesendet.**');
    const late = await stage.command('post planen', { zeit: 'heute 0:00', text: 'x' }, { locale: 'de' });
    expect(late.message?.content).toContain('das ist vorbei');
  });
});

test('who posted what is logged', async () => {
  await using stage = await openPosting();
  const shown = await stage.command('post now', { text: 'x' });

  const press = await stage.press(shown, 'Send');

  await expect.poll(async () => (await stage.look(press)).message?.content).toContain('**Sent.**');
  expect(stage.lines.join('\n')).toMatch(
    new RegExp(`a post was handed over.*${stage.owner} \\(\\d+\\)|${stage.owner} \\(\\d+\\).*a post was handed over`),
  );
});
