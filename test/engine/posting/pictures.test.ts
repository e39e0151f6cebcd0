import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { picturesOfPosts } from '#src/app/open-posting.ts';
import { openConfig } from '#src/config/open-config.ts';
import { openStore } from '#src/store/store.ts';
import { createPictures } from '#src/engine/posting/pictures.ts';
import { systemClock } from '#src/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOURS_AGO = new Date(Date.now() - 5 * 60 * 60_000);

test.for([
  // FANFARE_DATA was relative.
  (name: string, folder: string) => join(relative(process.cwd(), folder), name),
  // The installation was on Windows.
  (name: string) => `C:\\fanfare\\data\\pictures\\${name}`,
])('pictures that a post needs stay if the folder has another path, and other pictures are deleted', async (storedPath) => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'pictures');
  mkdirSync(folder);
  for (const name of ['needed.png', 'other.png']) {
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), HOURS_AGO, HOURS_AGO);
  }
  const pictures = createPictures({ folder, hosts: new Set(), clock: systemClock });

  await pictures.sweep(new Set([storedPath('needed.png', folder)]));

  expect(readdirSync(folder)).toEqual(['needed.png']);
});

test.for(['/earlier/data/pictures/poster.png', 'D:\\fanfare\\data\\pictures\\poster.png'])(
  'a waiting post finds its picture of %s after the data folder was moved',
  async (path) => {
    using moved = temporaryFolder();
    mkdirSync(join(moved.path, 'pictures'));
    writeFileSync(join(moved.path, 'pictures/poster.png'), 'x');
    await using store = await openStore();

    const find = picturesOfPosts({ config: openConfig({ FANFARE_DATA: moved.path }), store });

    expect(await find({ text: 'Tonight', files: [{ path, altText: 'Poster' }] })).toEqual({
      text: 'Tonight',
      files: [{ path: join(moved.path, 'pictures/poster.png'), altText: 'Poster' }],
    });
  },
);

/** A server of pictures, and what its requests get. */
async function servePictures(answer: (path: string, response: ServerResponse) => void) {
  const server = createServer(({ url }, response) => answer(url ?? '', response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { host, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

function answerGif(response: ServerResponse, size: number): void {
  const bytes = Buffer.alloc(size);
  bytes.write('GIF8');
  response.end(bytes);
}

test.for<[string, (path: string, response: ServerResponse) => void]>([
  ['no success', (_, response) => answerGif(response.writeHead(404), 4)],
  [
    'another address',
    (path, response) => (path === '/other' ? answerGif(response, 4) : response.writeHead(302, { location: '/other' }).end()),
  ],
  ['a part of the picture', (_, response) => void response.writeHead(200, { 'content-length': 8 }).write('GIF8', () => response.destroy())],
])('an answer with %s is no picture', async ([, answer]) => {
  using temporary = temporaryFolder();
  using server = await servePictures(answer);
  const pictures = createPictures({ folder: temporary.path, hosts: new Set([server.host]), clock: systemClock });

  expect(await pictures.keep({ url: `http://${server.host}/`, sizeBytes: 4 }, AbortSignal.timeout(60_000))).toBe('unreachable');
  expect(readdirSync(temporary.path)).toEqual([]);
});

test('an interrupted download is no answer of Discord', async () => {
  using temporary = temporaryFolder();
  const stop = new AbortController();
  using server = await servePictures(() => stop.abort(new Error('the program ends')));
  const pictures = createPictures({ folder: temporary.path, hosts: new Set([server.host]), clock: systemClock });

  await expect(pictures.keep({ url: `http://${server.host}/`, sizeBytes: 4 }, stop.signal)).rejects.toThrow('the program ends');
});

test('pictures of at most 8 MB are stored, even if the reported size is wrong', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'pictures');
  using server = await servePictures((path, response) => answerGif(response, Number(path.slice(1))));
  const { host } = server;
  const pictures = createPictures({ folder, hosts: new Set([host]), clock: systemClock });
  const keep = (size: number) => pictures.keep({ url: `http://${host}/${size}`, sizeBytes: 4 }, AbortSignal.timeout(60_000));
  const mostBytes = 8 * 1024 * 1024;

  const [small, large, tooLarge] = [await keep(4), await keep(mostBytes), await keep(mostBytes + 1)];

  expect([small, large]).toEqual([0, 1].map(() => ({ path: expect.stringMatching(/pictures\/[-\da-f]+\.gif$/u) })));
  expect(tooLarge).toBe('tooLarge');
  expect(readdirSync(folder)).toHaveLength(2);
});
