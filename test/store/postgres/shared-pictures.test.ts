import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { localPicturesOf } from '#src/engine/posting/pictures.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a machine can send a picture of another machine, until it is deleted', async () => {
  await using store = await openPostgresStore({ url: postgres.url, schema: postgres.newSchema() });
  const { pictures: shared } = store;
  using folder = temporaryFolder();
  const bytes = new Uint8Array([0, 255, 128]);
  await shared.put('one.png', bytes);
  await shared.put('two.png', bytes);
  const params = { text: 'a', files: [{ path: '/elsewhere/pictures/one.png', altText: 'b' }, { path: '/elsewhere/lost.png' }] };

  const local = await localPicturesOf({ folder: folder.path, shared })(params);

  const path = join(folder.path, 'one.png');
  expect(local).toEqual({ text: 'a', files: [{ path, altText: 'b' }, { path: '/elsewhere/lost.png' }] });
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  await shared.sweep(new Set(['two.png']), -1);
  await rm(path);
  expect(await localPicturesOf({ folder: folder.path, shared })(params)).toEqual(params);
  expect(await shared.get('two.png')).toBeDefined();
});

test('a file of this machine is used at its own path', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'mine.png');
  await writeFile(path, 'x');
  const params = { files: [{ path }] };

  expect(await localPicturesOf({ folder: '/nowhere', shared: { get: () => Promise.resolve(undefined) } })(params)).toEqual(params);
});

test('deliveries of one post that fetch a picture at once all read the whole file', async () => {
  const bytes = randomBytes(2 * 1024 * 1024);
  const shared = { get: () => sleep(2 + randomInt(6), bytes) };
  const file = { path: '/elsewhere/one.png' };
  const lengths = new Set<number>();

  for (let round = 0; round < 40; round++) {
    using folder = temporaryFolder();
    const read = async () => {
      await localPicturesOf({ folder: folder.path, shared })({ files: [file] });
      lengths.add((await readFile(join(folder.path, 'one.png'))).length);
    };
    await Promise.all([read(), read(), read()]);
  }

  expect([...lengths]).toEqual([bytes.length]);
});
