import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { send } from '#src/clients/chat/messages.ts';
import { near } from '../../support/same-origin.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

/** A streaming platform with a picture that changes and disappears at the end of the stream. */
async function streamPictures(): Promise<{ readonly url: string; shows: string | undefined } & AsyncDisposable> {
  const server = createServer((_, response) => {
    if (pictures.shows === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(pictures.shows);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const pictures = {
    url: `http://127.0.0.1:${port}/ada.jpg`,
    shows: 'first' as string | undefined,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
  return pictures;
}

/** The pictures in the card of a message, and the number of its files. */
async function shown(
  fixture: ChatFixture,
): Promise<{ readonly image: string | undefined; readonly thumbnail?: string; readonly beside: number }> {
  const [message] = await fixture.chat.getMessages('live');
  const [card] = message?.embeds ?? [];
  const content = async (address: string | undefined) => address && (await (await globalThis.fetch(address)).text());
  const thumbnail = await content(card?.thumbnail);
  return { image: await content(card?.image), ...(thumbnail && { thumbnail }), beside: message?.files.length ?? 0 };
}

test('a kept picture is replaced by every edit and stays after the stream', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  const embed = { title: 'Chess', image: near(fixture.discord, stream), pictures: 'keep' as const };

  const sent = await fixture.chat.send('live', { embed });
  const first = await shown(fixture);
  stream.shows = 'second';
  await fixture.chat.edit(sent.id, { embed: { ...embed, footer: '4 watching' } });
  const second = await shown(fixture);
  stream.shows = undefined;
  await fixture.chat.edit(sent.id, { embed: { ...embed, footer: 'was live' } });
  await fixture.chat.edit(sent.id, { embed: { title: 'Chess, over' } });

  expect([first, second]).toEqual([
    { image: 'first', beside: 0 },
    { image: 'second', beside: 0 },
  ]);
  expect(await shown(fixture)).toEqual({ image: 'second', beside: 0 });
  expect((await fixture.standing('live'))[0]?.files).toHaveLength(1);
});

test('a card of nothing but a kept picture is sent, also from an address that cards cannot have', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  const image = `${near(fixture.discord, stream)}?${'a'.repeat(2048)}`;

  await fixture.chat.send('live', { embed: { image, pictures: 'keep' } });

  expect(await shown(fixture)).toEqual({ image: 'first', beside: 0 });
});

test('a removed picture removes its file, and other attachments stay', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  const files = [{ bytes: new Uint8Array([1]), name: 'rules.txt', altText: 'The rules' }];
  const sent = await fixture.chat.send('live', {
    files,
    embed: { title: 'Chess', image: near(fixture.discord, stream), thumbnail: near(fixture.discord, stream), pictures: 'keep' },
  });
  expect(await shown(fixture)).toEqual({ image: 'first', thumbnail: 'first', beside: 1 });

  await fixture.chat.edit(sent.id, { embed: { image: '' } });
  expect(await shown(fixture)).toEqual({ image: undefined, thumbnail: 'first', beside: 1 });
  await fixture.chat.edit(sent.id, { content: 'Over', embed: { thumbnail: '' } });

  expect((await fixture.standing('live'))[0]).toMatchObject({
    content: 'Over',
    embeds: [{ title: 'Chess' }],
    files: [{ filename: 'rules.txt', description: 'The rules' }],
  });
});

test('standing messages and forum posts can keep pictures', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  const embed = { title: 'Chess', image: near(fixture.discord, stream), pictures: 'keep' as const };

  await fixture.chat.put('top', 'live', { embed });
  stream.shows = 'second';
  await fixture.chat.put('top', 'live', { embed });
  const post = await fixture.chat.send('gallery', { embed, files: [{ bytes: new Uint8Array([1]), name: 'image.jpg' }] });

  expect(await shown(fixture)).toEqual({ image: 'second', beside: 0 });
  expect((await fixture.standing('live'))[0]?.files).toHaveLength(1);
  const [first] = await fixture.standing(post.id.split('/')[0] ?? '');
  expect(first?.files).toHaveLength(2);
});

test('an unavailable picture does not stop the message', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  stream.shows = undefined;

  await fixture.chat.send('live', { embed: { title: 'Chess', image: near(fixture.discord, stream), pictures: 'keep' } });

  const [message] = await fixture.chat.getMessages('live');
  expect(message?.embeds).toEqual([{ title: 'Chess', image: near(fixture.discord, stream) }]);
});

test('a message with a kept picture and a lost response is found', async () => {
  await using fixture = await openChat();
  await using stream = await streamPictures();
  const since = new Date(fixture.clock.nowMs());
  const wanted = { channel: 'live', embed: { title: 'Chess', image: near(fixture.discord, stream), pictures: 'keep' as const } };
  fixture.lose('resetAfter');
  await expect(fixture.chat.send('live', { ...wanted, key: 'k', since })).rejects.toThrow('did not respond');

  expect(await fixture.recoverOf(send.declared, wanted, { key: 'k', since })).toMatchObject({ found: {} });
});
