import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { createClients } from '#src/clients/clients.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { localPicturesOf } from '#src/engine/posting/pictures.ts';
import { silentLog } from '#src/log.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openStore } from '#src/store/store.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { committing, creating, firing, keysOf, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
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

test.for([
  ['has no space for', () => Promise.resolve(new Uint8Array([1]))],
  ['cannot read', () => Promise.reject(new DatabaseUnavailable(new Error('the connection was lost')))],
] as const)('a post whose picture a machine %s is sent later, without a decision of a person', async ([, get]) => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'pictures');
  // Like a full disk: no file can be written there.
  await writeFile(folder, '');
  const shared = { get: vi.fn<() => Promise<Uint8Array>>(get) };
  const sent: unknown[] = [];
  const createPost = async ({ files }: { readonly files?: unknown }) => (sent.push(files), { id: '1' } as never); // the only field that is read
  const clients = createClients({ streaming: [], social: [bareSocial({ createPost })], discord: [] }, clock);
  const engine = createDeliveryEngine({
    ...stepsThrough({ clients, watch: (_, work) => work(), withFiles: localPicturesOf({ folder, shared }) }),
    deliveries: store.deliveries,
    render: renderPlainly,
    clock,
    log: silentLog,
  });
  const fired = firing([creating(['bare'], { with: { text: 'hello', files: [{ path: '/elsewhere/one.png' }] } })]);
  await store.ruleStates.commit(committing([fired]));
  const read = () => store.deliveries.find(keysOf(fired)[0] ?? '');

  await engine.deliverNext();
  const failed = await read();
  await rm(folder);
  shared.get.mockImplementation(() => Promise.resolve(new Uint8Array([1])));
  await clock.advance(60_000);
  await engine.deliverNext();

  expect(failed).toMatchObject({ state: 'pending', error: { fault: 'unreachable', message: expect.stringMatching(/^the picture/u) } });
  expect(await read()).toMatchObject({ state: 'sent' });
  expect(sent).toEqual([[expect.objectContaining({ path: join(folder, 'one.png') })]]);
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
