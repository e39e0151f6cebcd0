import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createPictures } from '#src/posting/pictures.ts';
import { systemClock } from '#src/clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
