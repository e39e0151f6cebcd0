import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { announceTwice, openLogging, restoresIn } from './lossy-failover.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a stream whose announcement an asynchronous failover lost is not announced again', async () => {
  const schema = postgres.newSchema();
  const { cluster, errors } = await openLogging(postgres, schema);
  await using _ = cluster;

  const records = await announceTwice(cluster, postgres, () => postgres.failOver());

  expect(records.map(({ params }) => params)).toEqual([{ content: 'grace is live (1 viewers)' }, { content: 'ada is live (1 viewers)' }]);
  expect(await restoresIn(postgres, schema)).toEqual([{ period_ms: '900000' }]);
  expect(errors.filter((line) => line.includes('the database lacks its last commits'))).toHaveLength(1);
});
