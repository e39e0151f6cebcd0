import { createServer } from 'node:http';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFileError } from '#src/http/media/file-errors.ts';
import { isPublic } from '#src/http/media/public-addresses.ts';
import { filesFrom } from '#src/http/media/fetch-file.ts';
import { near } from '../../support/same-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openChat } from './open-chat.ts';

const MIB = 1024 * 1024;

/** Serves pictures and other files. */
async function pictures(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/large')) return response.end(Buffer.alloc(11 * MIB));
    if (path.startsWith('/away')) return response.writeHead(302, { location: '../card.png' }).end();
    if (path.startsWith('/round')) return response.writeHead(302, { location: 'round.png' }).end();
    if (path.startsWith('/broken')) return response.writeHead(503).end();
    if (path.startsWith('/none')) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'image/png; charset=x' }).end(Buffer.from([0, 255, 13, 10, 128]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

test('files are fetched and attached unchanged, with and without a text', async () => {
  await using fixture = await openChat();
  await using server = await pictures();

  await fixture.chat.send('live', { files: [`${near(fixture.discord, server)}/card.png?v=1`, `${near(fixture.discord, server)}/away/`] });
  await fixture.chat.send('live', {
    content: 'Ada',
    embed: { title: 'Speedrun' },
    files: [`${near(fixture.discord, server)}/a%20b/c d"\r\n.png`],
    key: 'k',
  });

  const [second, first] = await fixture.chat.getMessages('live');
  expect(first?.files.map(({ name }) => name)).toEqual(['card.png', 'file']);
  expect(second).toMatchObject({ content: 'Ada', embeds: [{ title: 'Speedrun' }], files: [{ name: 'c_20d_22.png' }] });
  const bytes = await (await globalThis.fetch(first?.files[0]?.url ?? '')).bytes();
  expect([...bytes]).toEqual([0, 255, 13, 10, 128]);
});

test('a picture has no camera data in Discord', async () => {
  await using fixture = await openChat();
  using folder = temporaryFolder();
  const picture = sharp({ create: { width: 4, height: 2, channels: 3, background: 'teal' } });
  const taken = await picture
    .clone()
    .withExif({ IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .jpeg()
    .toBuffer();
  const path = join(folder.path, 'home.jpg');
  writeFileSync(path, taken);

  await fixture.chat.send('live', { files: [{ path }, { bytes: taken, name: 'home.jpg' }] });

  const [message] = await fixture.chat.getMessages('live');
  const sent = await Promise.all((message?.files ?? []).map(async ({ url }) => (await globalThis.fetch(url)).bytes()));
  expect(sent.map((bytes) => Buffer.from(bytes))).toEqual(Array(2).fill(await picture.jpeg().toBuffer()));
});

test.for([
  ['/large.png', 'rejected', /larger than 10 MiB/],
  ['/none.png', 'rejected', /404/],
  ['/broken.png', 'unavailable', /503/],
  ['/round.png', 'rejected', /302/],
] as const)('a file at %s is %s, and nothing is sent', async ([path, fault, message]) => {
  await using fixture = await openChat();
  await using server = await pictures();

  await expect(fixture.chat.send('live', { content: 'Ada', files: [near(fixture.discord, server) + path] })).rejects.toMatchObject({
    fault,
    message: expect.stringMatching(message),
  });

  expect(await fixture.standing('live')).toEqual([]);
});

test('an address other than http or https is refused before any request', async () => {
  await using fixture = await openChat();

  for (const file of ['card.png', 'file:///etc/passwd', 'data:text/plain,x']) {
    await expect(fixture.chat.send('live', { files: [file] })).rejects.toMatchObject({ name: 'ValidationError' });
  }
});

test('a message with files and a lost response is found by the files', async () => {
  await using fixture = await openChat();
  await using server = await pictures();
  const since = new Date(fixture.clock.nowMs());
  const files = [`${near(fixture.discord, server)}/card.png`];
  await fixture.chat.send('live', { files: [`${near(fixture.discord, server)}/other.png`], since });
  fixture.lose('resetAfter');
  await expect(fixture.chat.send('live', { files, key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });

  const [latest] = await fixture.chat.getMessages('live');
  expect(await fixture.recover({ files }, { key: 'k', since })).toMatchObject({ found: { id: latest?.id } });
});

test.for([
  'http://127.0.0.1:1/x',
  'http://[::1]/x',
  'http://169.254.169.254/latest',
  'http://localhost:1/x',
  'http://0x7f.1/x',
  'http://2130706433/x',
])('a file at an address of the local network is rejected: %s', async (address) => {
  const fetchFile = filesFrom({ platform: 'discord', mostBytes: 10 * MIB });

  await expect(fetchFile(address)).rejects.toMatchObject({ fault: 'rejected', message: expect.stringMatching(/public internet/) });
});

test.for([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['fd12::1', false],
  ['fe80::1', false],
] as const)('%s is public: %s', ([address, open]) => {
  expect(isPublic(address)).toBe(open);
});

test('local files and bytes are attached with alt texts', async () => {
  await using fixture = await openChat();
  using folder = temporaryFolder();
  const path = join(folder.path, 'my card.png');
  writeFileSync(path, 'card');

  await fixture.chat.send('live', {
    content: 'Ada',
    files: [
      { path, altText: 'The card' },
      { bytes: new Uint8Array([1, 2]), name: 'my card.png' },
    ],
  });

  const [message] = await fixture.standing('live');
  expect(message?.files).toEqual([
    { filename: 'my_card.png', sizeBytes: 4, description: 'The card' },
    { filename: '2_my_card.png', sizeBytes: 2 },
  ]);
});

test('a missing or too large local file is an error before anything is sent', async () => {
  await using fixture = await openChat();
  using folder = temporaryFolder();
  const path = join(folder.path, 'film.mp4');
  writeFileSync(path, Buffer.alloc(11 * MIB));

  await expect(fixture.chat.send('live', { files: [{ path }] })).rejects.toThrow('film.mp4 cannot be attached: it is larger than 10 MiB');
  await expect(fixture.chat.send('live', { files: [{ path: `${path}.no` }] })).rejects.toThrow('the file does not exist');
  expect(await fixture.standing('live')).toEqual([]);
});

test('a server with boosts of tier 2 gets a single file of 50 MiB, until it has fewer boosts', async () => {
  await using fixture = await openChat();
  await using server = await pictures();
  using folder = temporaryFolder();
  const path = join(folder.path, 'film.mp4');
  writeFileSync(path, Buffer.alloc(11 * MIB));
  await fixture.discord.order('/discord/guild', { premiumTier: 2 });

  const large = `${near(fixture.discord, server)}/large.png`;
  await fixture.chat.send('live', { files: [{ path }] });
  const small = `${near(fixture.discord, server)}/small.png`;
  for (const one of [{ path }, large])
    await expect(fixture.chat.send('live', { files: [small, one] })).rejects.toThrow('larger than 10 MiB');
  writeFileSync(path, Buffer.alloc(51 * MIB));
  await expect(fixture.chat.send('live', { files: [{ path }] })).rejects.toThrow('film.mp4 cannot be attached: it is larger than 50 MiB');

  const messages = await fixture.chat.getMessages('live');
  expect([...messages].flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['film.mp4']);
  await fixture.discord.order('/discord/guild', { premiumTier: 0 });
  writeFileSync(path, Buffer.alloc(11 * MIB));
  await expect(fixture.chat.send('live', { files: [{ path }] })).rejects.toMatchObject({ fault: 'rejected' });
});

test.for([
  ['a key that only its owner can read', 'key', 0o600, 'only its owner can read it'],
  ['a hidden file', '.env', 0o644, 'it is hidden'],
  ['a file in a hidden folder', '.git/config', 0o644, 'it is hidden'],
  ['a pipe, which has no end', '/dev/zero', undefined, 'it is not a file'],
] as const)('a rule cannot post %s', async ([, name, mode, why]) => {
  await using fixture = await openChat();
  using folder = temporaryFolder();
  const path = resolve(folder.path, name);
  if (mode !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'secret');
    chmodSync(path, mode);
  }

  await expect(fixture.chat.send('live', { files: [{ path }] })).rejects.toThrow(`the file ${path} cannot be attached: ${why}`);
  expect(await findFileError(path)).toContain(why);
  expect(await fixture.standing('live')).toEqual([]);
});

test('a picture and a report that others can read are attached', async () => {
  await using fixture = await openChat();
  using folder = temporaryFolder();
  const paths = [join(folder.path, 'card.png'), join(folder.path, 'top.csv')] as const;
  for (const path of paths) writeFileSync(path, 'content');
  chmodSync(paths[0], 0o600);
  chmodSync(paths[1], 0o644);

  await fixture.chat.send('live', { files: paths.map((path) => ({ path })) });
  expect((await fixture.standing('live'))[0]?.files.map(({ filename }) => filename)).toEqual(['card.png', 'top.csv']);
});

test('an unavailable optional file is left out, and the message is found by the rest', async () => {
  await using fixture = await openChat();
  await using server = await pictures();
  const since = new Date(fixture.clock.nowMs());
  const files = [
    { url: `${near(fixture.discord, server)}/large.png`, optional: true },
    `${near(fixture.discord, server)}/card.png`,
    { path: '/nowhere', optional: true },
  ];
  fixture.lose('resetAfter');
  await expect(fixture.chat.send('live', { content: 'Ada', files, key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });

  expect((await fixture.standing('live')).map(({ files: there }) => there.map(({ filename }) => filename))).toEqual([['card.png']]);
  await fixture.clock.advance(10 * 60_000);
  expect(await fixture.recover({ content: 'Ada', files }, { key: 'k', since })).toMatchObject({ found: {} });
});
