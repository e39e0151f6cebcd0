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

const FILES = {
  board: { base64: 'aGk=', name: 'board.png', altText: 'A board' },
  ada: { base64: 'aGk=', name: 'ada.png', altText: 'Ada' },
  notes: { base64: 'aGk=', name: 'notes.txt' },
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

  test('shows the files of its message below its blocks, unless a block shows them', async () => {
    await using fixture = await openChat();
    const since = new Date(fixture.clock.nowMs());
    const wanted = {
      layout: { color: 1, blocks: [{ text: 'Ada is live' }, { pictures: [{ url: 'attachment://board.png' }] }] },
      buttons: [{ label: 'Watch', url: 'https://twitch.example/ada' }],
      files: [FILES.board, FILES.ada, FILES.notes],
    };

    const sent = await fixture.chat.send('live', wanted);
    const lost = await fixture.recover(wanted, { key: 'other', since });
    const other = await fixture.recover({ ...wanted, files: [FILES.board, FILES.ada] }, { key: 'other', since });

    expect((await fixture.standing('live'))[0]?.components).toMatchObject([
      { type: 17, components: [{ content: 'Ada is live' }, { items: [{ media: { url: 'attachment://board.png' } }] }] },
      { type: 12, items: [{ media: { url: 'attachment://ada.png' }, description: 'Ada' }] },
      { type: 13, file: { url: 'attachment://notes.txt' } },
      { type: 1, components: [{ label: 'Watch' }] },
    ]);
    const [read] = await fixture.chat.getMessages('live');
    expect(read?.files.map(({ name }) => name)).toEqual(['board.png', 'ada.png', 'notes.txt']);
    expect([lost, other]).toEqual([{ found: sent }, 'absent']);
  });

  test('and a message that becomes one keep their files in edits', async () => {
    await using fixture = await openChat();
    const files = [FILES.ada, FILES.notes];
    const layout = { blocks: [{ text: 'Ada was live' }] };
    const ids = [
      await fixture.chat.send('live', { layout: { blocks: [{ text: 'Ada is live' }] }, files }),
      await fixture.chat.send('live', { content: 'Ada is live', files }),
    ];

    for (const { id } of ids) for (const _ of [1, 2]) await fixture.chat.edit(id, { layout });

    for (const { components, files: stored } of await fixture.standing('live')) {
      expect(components).toMatchObject([
        { type: 10, content: 'Ada was live' },
        { type: 12, items: [{ media: { url: 'attachment://ada.png' }, description: 'Ada' }] },
        { type: 13, file: { url: 'attachment://notes.txt' } },
      ]);
      expect(stored).toHaveLength(2);
    }
  });

  test('keeps its other parts if an edit gives its buttons alone', async () => {
    await using fixture = await openChat();
    const files = [FILES.ada, FILES.notes];
    const { id } = await fixture.chat.send('live', {
      layout: LAYOUT,
      mention: ['Live'],
      files,
      buttons: [{ label: 'Ping me', role: 'Live' }],
    });

    await fixture.chat.edit(id, { buttons: [{ label: 'Replay', url: 'https://twitch.example/1' }] });
    const [replaced] = await fixture.standing('live');
    await fixture.chat.edit(id, { buttons: [] });

    const kept = [
      { type: 10, content: expect.stringMatching(/^<@&\d+>$/) },
      {
        type: 17,
        accent_color: 0x9146ff,
        components: [
          { type: 9, components: [{ content: '## Ada is live' }], accessory: { media: { url: 'https://pictures.example/ada.png' } } },
          { type: 14, divider: true },
          { type: 12, items: [{ description: 'A chess board' }] },
        ],
      },
      { type: 12, items: [{ media: { url: 'attachment://ada.png' } }] },
      { type: 13, file: { url: 'attachment://notes.txt' } },
    ];
    expect(replaced?.components).toMatchObject([...kept, { type: 1, components: [{ label: 'Replay' }] }]);
    const [cleared] = await fixture.standing('live');
    expect(cleared?.components).toMatchObject(kept);
    expect(cleared?.files).toHaveLength(2);
  });

  test('with no other part than buttons is not emptied by an edit of them', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { layout: { color: 1, blocks: [{ buttons: [{ label: 'Ping me', role: 'Live' }] }] } });

    await expect(fixture.chat.edit(id, { buttons: [] })).rejects.toMatchObject({ fault: 'rejected' });
  });

  test.for([{ content: 'Ada was live' }, { embed: { title: 'Ada was live' } }, { content: '', buttons: [] }])(
    'does not become another message: %j',
    async (change) => {
      await using fixture = await openChat();
      const { id } = await fixture.chat.send('live', { layout: LAYOUT });

      await expect(fixture.chat.edit(id, change)).rejects.toMatchObject({
        fault: 'rejected',
        message: expect.stringContaining('the message has a layout'),
      });
    },
  );
});
