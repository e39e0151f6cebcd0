import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createPictures } from '#src/engine/posting/pictures.ts';
import { systemClock } from '#src/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOURS_AGO = new Date(Date.now() - 5 * 60 * 60_000);

test('pictures that a post needs stay if the folder has another path, and other pictures are deleted', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'pictures');
  mkdirSync(folder);
  for (const name of ['needed.png', 'other.png']) {
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), HOURS_AGO, HOURS_AGO);
  }
  const pictures = createPictures({ folder, hosts: new Set(), clock: systemClock });

  // The stored path of a time when FANFARE_DATA was relative.
  await pictures.sweep(new Set([join(relative(process.cwd(), folder), 'needed.png')]));

  expect(readdirSync(folder)).toEqual(['needed.png']);
});

test('pictures of at most 8 MB are stored, even if the reported size is wrong', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'pictures');
  const server = createServer(({ url }, response) => {
    const bytes = Buffer.alloc(Number(url?.slice(1)));
    bytes.write('GIF8');
    response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const pictures = createPictures({ folder, hosts: new Set([host]), clock: systemClock });
  const keep = (size: number) => pictures.keep({ url: `http://${host}/${size}`, sizeBytes: 4 }, AbortSignal.timeout(60_000));
  const mostBytes = 8 * 1024 * 1024;

  const [small, large, tooLarge] = [await keep(4), await keep(mostBytes), await keep(mostBytes + 1)];
  server.close();

  expect([small, large]).toEqual([0, 1].map(() => ({ path: expect.stringMatching(/pictures\/[-\da-f]+\.gif$/u) })));
  expect(tooLarge).toBe('tooLarge');
  expect(readdirSync(folder)).toHaveLength(2);
});
