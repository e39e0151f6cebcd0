import { describe, expect, test } from 'vitest';
import { openChat } from './open-chat.ts';

const AUTHOR = { name: 'Ada', url: 'https://twitch.example/ada', icon: 'https://pictures.example/ada.png' };
const CARD = {
  author: AUTHOR,
  title: 'Chess',
  image: 'https://pictures.example/1.png',
  altText: 'A chess board',
  timestamp: '2026-11-20T18:00:00.000Z',
};
const BUTTONS = [
  { label: 'Watch', url: 'https://twitch.example/ada' },
  { label: 'Ping me', role: 'Live' },
  { label: 'Mute', mute: 'item' as const, allow: ['Moderator'] },
];
const LAYOUT = {
  color: 0x9146ff,
  blocks: [
    { text: '## Ada is live', thumbnail: 'https://pictures.example/ada.png', altText: 'Ada' },
    { separator: 'line' as const },
    { pictures: [{ url: 'https://pictures.example/1.png', altText: 'A chess board' }] },
    { buttons: BUTTONS.slice(0, 1) },
  ],
};
const since = new Date('2026-11-20T18:00:00Z');

describe('a card', () => {
  test('has an author, an instant and a description of its picture, and is read as it was written', async () => {
    await using fixture = await openChat();

    await fixture.chat.send('live', { embed: CARD });

    const [read] = await fixture.chat.getMessages('live');
    expect(read?.embeds).toEqual([CARD]);
  });

  test('has a color that is written as text', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { embed: { title: 'Ada', color: '#9146FF' } });
    const [sent] = await fixture.chat.getMessages('live');

    await fixture.chat.edit(id, { layout: { color: '#747f8d', blocks: [{ text: 'Ada was live' }] } });

    expect(sent?.embeds).toEqual([{ title: 'Ada', color: 0x9146ff }]);
    expect((await fixture.standing('live'))[0]?.components).toMatchObject([{ type: 17, accent_color: 0x747f8d }]);
  });

  test('is one of several, and an edit changes the first one', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('live', { embeds: [CARD, { title: 'Second' }] });

    await fixture.chat.edit(sent.id, { embed: { title: 'Go' } });
    const [edited] = await fixture.chat.getMessages('live');
    await fixture.chat.edit(sent.id, { embeds: [{ title: 'Only' }] });
    const [replaced] = await fixture.chat.getMessages('live');

    expect(edited?.embeds).toEqual([{ ...CARD, title: 'Go' }, { title: 'Second' }]);
    expect(replaced?.embeds).toEqual([{ title: 'Only' }]);
  });

  test.for([
    ['without a dot in its host', 'http://nas:8080/1'],
    ['without a host', 'https://'],
    ['of another protocol', 'ftp://pictures.example/1.png'],
    ['without a protocol', '/1.png'],
    ['of more than 2,048 characters', `https://pictures.example/${'1'.repeat(2048)}`],
    ['of a page of Discord with more than 512 characters', `discord://-/${'1'.repeat(512)}`],
  ] as const)('is sent without an address %s, which Discord refuses', async ([, refused]) => {
    await using fixture = await openChat();
    const card = { title: 'Chess', author: { name: 'Ada', url: refused, icon: refused }, url: refused, image: refused, thumbnail: refused };

    const buttons = [{ label: 'Watch', url: refused }];
    const sent = await fixture.chat.send('live', { embed: card, buttons });
    await fixture.chat.send('live', { layout: { blocks: [{ text: 'Ada', thumbnail: refused }, { pictures: [{ url: refused }] }] } });
    const lost = await fixture.recover({ embed: card, buttons }, { key: 'other', since });

    const [, read] = await fixture.chat.getMessages('live');
    const [, layout] = await fixture.standing('live');
    expect(read?.embeds).toEqual([{ title: 'Chess', author: { name: 'Ada' } }]);
    expect(read?.buttons).toEqual([]);
    expect(layout?.components).toMatchObject([{ type: 10, content: 'Ada' }]);
    expect(layout?.components).toHaveLength(1);
    expect(lost).toEqual({ found: sent });
  });

  test('shows the files of its message, and opens pages of Discord', async () => {
    await using fixture = await openChat();
    const buttons = [{ label: 'Home', url: 'discord://-/channels/@me' }];
    const files = [{ base64: 'aGk=', name: 'ada.png' }];

    await fixture.chat.send('live', { layout: { blocks: [{ pictures: [{ url: 'attachment://ada.png' }] }, { buttons }] }, files });

    const [message] = await fixture.standing('live');
    expect(message?.components).toMatchObject([
      { items: [{ media: { url: expect.stringMatching(/ada\.png$/u) } }] },
      { components: [{ url: 'discord://-/channels/@me' }] },
    ]);
  });

  test('is sent with the spaces of an address escaped', async () => {
    await using fixture = await openChat();

    await fixture.chat.send('live', { embed: { title: 'Chess', image: 'https://pictures.example/a board.png' } });

    const [read] = await fixture.chat.getMessages('live');
    expect(read?.embeds).toEqual([{ title: 'Chess', image: 'https://pictures.example/a%20board.png' }]);
  });

  test('and its button keep an address that is too long only when it is escaped', async () => {
    await using fixture = await openChat();
    const url = `https://ja.wikipedia.org/wiki/${'詰将棋'.repeat(150)}`;

    const sent = await fixture.chat.send('live', { embed: { title: 'Chess', url }, buttons: [{ label: 'Read', url }] });
    const lost = await fixture.recover({ embed: { title: 'Chess', url }, buttons: [{ label: 'Read', url }] }, { key: 'other', since });

    const [read] = await fixture.chat.getMessages('live');
    expect([read?.embeds, read?.buttons]).toEqual([[{ title: 'Chess', url }], ['Read']]);
    expect(lost).toEqual({ found: sent });
  });

  test('is left out if only its color and its address are left', async () => {
    await using fixture = await openChat();

    await fixture.chat.send('live', { content: 'Ada', embed: { color: 1, url: AUTHOR.url, description: ' ' } });

    const [read] = await fixture.chat.getMessages('live');
    expect(read?.embeds).toEqual([]);
  });

  test('is shortened with the others: 6,000 characters together', async () => {
    await using fixture = await openChat();
    const long = { description: 'a'.repeat(4000) };

    await fixture.chat.send('live', { embeds: [long, long] });

    const [read] = await fixture.chat.getMessages('live');
    expect(read?.embeds.map(({ description = '' }) => description.length)).toEqual([4000, 2000]);
  });

  test.for([
    { embed: CARD, embeds: [CARD] },
    { layout: LAYOUT, content: 'a' },
    { layout: LAYOUT, embed: CARD },
  ])('is refused beside parts that exclude it: %o', async (parts) => {
    await using fixture = await openChat();

    await expect(fixture.chat.send('live', parts)).rejects.toThrow('give content with embed or embeds, or a layout alone');
  });
});

describe('buttons', () => {
  test('are below the message; without an address, a link is left out', async () => {
    await using fixture = await openChat();

    await fixture.chat.send('live', { content: 'Ada', buttons: [...BUTTONS, { label: 'Recording', url: '' }], key: 'k' });

    const [message] = await fixture.standing('live');
    expect(message?.components).toMatchObject([
      {
        type: 1,
        components: [
          { label: 'Watch', style: 5, url: 'https://twitch.example/ada' },
          { label: 'Ping me', custom_id: expect.stringMatching(/^press:k:1:[\w-]{8}$/u) },
          { label: 'Mute', custom_id: expect.stringMatching(/^press:k:2:[\w-]{8}$/u) },
        ],
      },
    ]);
    expect(message?.components).toHaveLength(1);
  });

  test('fill rows of five', async () => {
    await using fixture = await openChat();

    await fixture.chat.send('live', {
      content: 'Ada',
      buttons: Array.from({ length: 7 }, (_, n) => ({ label: `${n}`, role: 'Live' })),
      key: 'k',
    });

    const [message] = await fixture.standing('live');
    expect(message?.components).toMatchObject([{ components: { length: 5 } }, { components: { length: 2 } }]);
  });

  test('of a role that does not exist are refused in an edit, and the message does not count as missing', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { content: 'Ada' });

    const edit = fixture.chat.edit(id, { buttons: [{ label: 'Ping me', role: 'Gone' }] });

    await expect(edit).rejects.toMatchObject({ fault: 'rejected', message: expect.stringContaining('no role "Gone"') });
  });

  test('stay after an edit without buttons, and are replaced or removed by one with them', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.send('live', { content: 'Ada', buttons: BUTTONS, key: 'k' });
    const labels = async () => (await fixture.chat.getMessages('live')).items.map(({ buttons }) => buttons)[0];

    await fixture.chat.edit(id, { content: 'Ada B.' });
    const kept = await labels();
    await fixture.chat.edit(id, { buttons: [{ label: 'Recording', url: 'https://videos.example/1' }] });
    const replaced = await labels();
    await fixture.chat.edit(id, { buttons: [] });

    expect([kept, replaced, await labels()]).toEqual([['Watch', 'Ping me', 'Mute'], ['Recording'], []]);
  });

  test.for([
    ['nobody', 'no role "nobody"'],
    ['@everyone', 'All members have the role @everyone'],
    ['1202584131993600001', 'All members have the role @everyone'],
  ] as const)('of the role %s are the fault missing, and nothing is sent', async ([role, message]) => {
    await using fixture = await openChat();

    await expect(fixture.chat.send('live', { content: 'Ada', buttons: [{ label: 'a', role }] })).rejects.toMatchObject({
      fault: 'missing',
      message: expect.stringContaining(message),
    });

    expect(await fixture.standing('live')).toEqual([]);
  });
});

test.each([
  ['a card', { embed: { image: 'https://localhost/a.png', color: 1 } }],
  ['a layout', { layout: { blocks: [{ pictures: [{ url: 'https://localhost/a.png' }] }] } }],
])('%s of nothing but refused addresses is refused, and the error names them', async (_, parts) => {
  await using fixture = await openChat();

  await expect(fixture.chat.send('live', parts)).rejects.toThrow('Discord shows no part of the message: the address');
  await expect(fixture.chat.put('card', 'live', parts)).rejects.toThrow('Discord shows no part of the message: the address');
  expect(await fixture.standing('live')).toEqual([]);
});

const contents = { cards: { embeds: [CARD, { title: 'b' }] }, buttons: { content: 'Ada', buttons: BUTTONS }, layout: { layout: LAYOUT } };

test.for(Object.entries(contents))('a message with a lost response is found by its %s', async ([, content]) => {
  await using fixture = await openChat();
  fixture.lose('resetAfter');
  await fixture.chat.send('live', { ...content, key: 'k', since }).catch(() => undefined);
  // The nonce has expired.
  await fixture.clock.advance(3_600_000);

  const [message] = await fixture.standing('live');
  const found = await fixture.recover(content, { key: 'k', since });
  const other = await fixture.recover({ content: 'another' }, { key: 'l', since });

  expect(found).toMatchObject({ found: { id: expect.stringContaining(`/${message?.id}`) } });
  expect(other).toBe('absent');
});

/** Without a mute, which always gets the key of the newest write. */
const standing = { ...contents, buttons: { content: 'Ada', buttons: BUTTONS.slice(0, 2) } };

test.for(Object.entries(standing))('a standing message with %s is edited only if it differs', async ([, content]) => {
  await using fixture = await openChat();
  const keep = (parts: object) => fixture.chat.put('card', 'live', { ...content, ...parts });
  await keep({ key: 'k' });
  await keep({ key: 'l' });
  const [once] = await fixture.standing('live');

  await keep({ key: 'm', buttons: [{ label: 'Another', url: 'https://twitch.example/grace' }] });

  const [twice] = await fixture.standing('live');
  expect([once?.history.length, twice?.history.length]).toEqual([0, 1]);
});
