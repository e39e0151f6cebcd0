import { describe, expect, test } from 'vitest';
import { openChat } from './open-chat.ts';

const LAYOUT = {
  color: 0x9146ff,
  blocks: [
    { text: '## Ada is live', thumbnail: 'https://pictures.example/ada.png', altText: 'Ada' },
    { separator: 'line' as const },
    { pictures: [{ url: 'https://pictures.example/1.png', altText: 'A chess board' }] },
    { buttons: [{ label: 'Watch', url: 'https://twitch.example/ada' }] },
  ],
};

describe('a layout', () => {
  test('has no frame without a block that Discord shows', async () => {
    await using fixture = await openChat();

    const layout = { color: 1, blocks: [{ pictures: [{ url: 'https://localhost/a.png' }] }] };
    await fixture.chat.send('live', { layout, mention: ['Live'] });

    expect((await fixture.standing('live'))[0]?.components).toMatchObject([{ type: 10 }]);
  });

  test('is shortened: its texts have 4,000 characters together, with the mentions above', async () => {
    await using fixture = await openChat();
    const long = { text: 'a'.repeat(2500) };
    const layout = { color: 1, blocks: [long, long, { separator: 'line' as const }, long] };

    await fixture.chat.send('live', { layout, mention: ['Moderator'] });

    const [message] = await fixture.standing('live');
    const [lead, frame] = message?.components ?? [];
    expect(frame).toMatchObject({ components: [{ content: long.text }, { content: expect.stringMatching(/^a+…$/u) }, { type: 14 }] });
    expect(
      JSON.stringify([lead, frame])
        .match(/"content":"[^"]*"/gu)
        ?.join('')
        .replaceAll(/"content":"|"/gu, ''),
    ).toHaveLength(4000);
  });

  test('loses a mention at the start of its text by an edit, because it is a part of the text', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { layout: { blocks: [{ text: '@everyone is welcome' }] } });

    await fixture.chat.edit(id, { layout: { blocks: [{ text: 'It is over' }] } });

    expect((await fixture.standing('live'))[0]?.components).toMatchObject([{ content: 'It is over' }]);
  });

  test('stays if an edit has no block that Discord shows', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { layout: { blocks: [{ text: 'Ada is live' }] }, mention: ['Live'] });

    const edit = fixture.chat.edit(id, { layout: { blocks: [{ pictures: [{ url: 'https://localhost/a.png' }] }] } });

    await expect(edit).rejects.toThrow('Discord shows no part of the message');
    expect((await fixture.standing('live'))[0]?.components).toMatchObject([{ type: 10 }, { content: 'Ada is live' }]);
  });

  test('is a message of Components V2, with the mentions above it', async () => {
    await using fixture = await openChat();

    const { id } = await fixture.chat.send('live', { layout: LAYOUT, mention: ['Live'], key: 'k' });
    await fixture.chat.edit(id, { layout: { blocks: [{ text: 'Ada was live' }] } });

    const [message] = await fixture.standing('live');
    expect(message?.pinged.roles).toEqual(['Live']);
    const [lead, card] = message?.history[0]?.components ?? [];
    expect([lead, card]).toMatchObject([
      { type: 10, content: expect.stringMatching(/^<@&\d+>$/) },
      {
        type: 17,
        accent_color: 0x9146ff,
        components: [
          { type: 9, accessory: { type: 11, description: 'Ada' } },
          { type: 14 },
          { type: 12, items: [{ description: 'A chess board' }] },
          { type: 1, components: [{ url: 'https://twitch.example/ada' }] },
        ],
      },
    ]);
    expect(message?.components).toMatchObject([
      { type: 10, content: lead?.['content'] },
      { type: 10, content: 'Ada was live' },
    ]);
  });
});
