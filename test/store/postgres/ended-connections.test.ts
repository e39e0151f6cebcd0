import { afterAll, expect, test } from 'vitest';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { connectDatabase } from '#src/store/postgres/open.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a database that was connected and never used has no connection after its disposal', async () => {
  const schema = postgres.newSchema();
  const client = await connectAlone({ url: postgres.url, schema, applicationName: 'observer' });
  const connections = async () =>
    (
      await client.query<{ readonly name: string }>(
        "select application_name as name from pg_stat_activity where application_name = 'unused'",
      )
    ).rowCount;
  const connected = await connectDatabase({ url: postgres.url, schema, applicationName: 'unused' });
  const whileConnected = await connections();

  await connected[Symbol.asyncDispose]();

  // The check for a pooler uses two.
  expect(whileConnected).toBe(2);
  await expect.poll(connections).toBe(0);
  await client.end();
});
