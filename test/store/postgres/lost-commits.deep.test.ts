import { afterAll, expect, test } from 'vitest';
import { noteRestore } from '#src/store/postgres/note-restore.ts';
import { startPostgres } from '../../support/postgres.ts';
import { announceTwice, announcing, commit, openLogging, restoresIn } from './lossy-failover.ts';

const postgres = await startPostgres({ isDurable: true });
afterAll(() => postgres[Symbol.asyncDispose]());

/** A state that a process used. */
async function usedSchema(): Promise<string> {
  const schema = postgres.newSchema();
  const { cluster } = await openLogging(postgres, schema);
  await commit(cluster, announcing(cluster, 'ada', 1));
  await cluster[Symbol.asyncDispose]();
  return schema;
}

test('a restart or a power failure of the server is no restore', async () => {
  const schema = await usedSchema();
  const { cluster, errors } = await openLogging(postgres, schema);
  await using _ = cluster;

  await postgres.stop();
  await postgres.start();
  await commit(cluster, announcing(cluster, 'ada', 2));
  await postgres.kill();
  await postgres.start();
  await commit(cluster, announcing(cluster, 'ada', 3));

  expect(await restoresIn(postgres, schema)).toEqual([]);
  expect(errors).toEqual([]);
});

test('processes that start after a failover note one restore', async () => {
  const schema = await usedSchema();
  await postgres.copy();
  await postgres.failOver();

  const opened = await Promise.all(['one', 'two', 'three'].map((worker) => openLogging(postgres, schema, worker)));
  for (const { cluster } of opened) await cluster[Symbol.asyncDispose]();

  expect(await restoresIn(postgres, schema)).toHaveLength(1);
  expect(opened.flatMap(({ errors }) => errors)).toHaveLength(1);
});

test('after fanfare restore on another server, the next start notes no second restore', async () => {
  const schema = await usedSchema();
  await postgres.copy();
  await postgres.failOver();

  await noteRestore({ url: postgres.url, schema });
  const { cluster, errors } = await openLogging(postgres, schema);
  await cluster[Symbol.asyncDispose]();

  expect(errors).toEqual([]);
  expect(await restoresIn(postgres, schema)).toHaveLength(1);
});

test('a running process notices that older files replaced the files of the server', async () => {
  const schema = postgres.newSchema();
  const { cluster, errors, probed } = await openLogging(postgres, schema);
  await using _ = cluster;

  const records = await announceTwice(cluster, postgres, async () => {
    // The process has seen the position after the lost commits.
    await probed();
    await probed();
    await postgres.rollBack();
  });

  expect(records).toHaveLength(2);
  expect(await restoresIn(postgres, schema)).toHaveLength(1);
  expect(errors.filter((line) => line.includes('the database lacks its last commits'))).toHaveLength(1);
});
