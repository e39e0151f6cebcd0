import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createDeliveryLog } from '#src/store/delivery-log.ts';
import { connectDatabase } from '#src/store/postgres/open.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
const admin = new pg.Client(postgres.url);
await admin.connect();
afterAll(async () => {
  await admin.end();
  await postgres[Symbol.asyncDispose]();
});

/** Reads in a connected database before, during and after a change. Resolves with the outcomes and the codes that the watch received. */
async function readDuring({
  url,
  begin,
  end,
}: {
  readonly url: string;
  readonly begin: (schema: string) => string;
  readonly end: (schema: string) => string;
}) {
  const schema = postgres.newSchema();
  const codes = new Set<unknown>();
  const failed = (cause: unknown): void => void codes.add(cause instanceof Error && 'code' in cause ? cause.code : cause);
  await using connected = await connectDatabase({ url, schema, watch: { answered: () => undefined, failed } });
  const read = () =>
    createDeliveryLog(connected.db)
      .counts()
      .then(
        () => 'read',
        (error: unknown) => (error instanceof Error ? error.name : error),
      );
  const before = await read();
  await admin.query(begin(schema));
  // The pool notices the end of an idle connection at its next use.
  const during = [await read(), await read()];
  await admin.query(end(schema));
  return { before, during, after: await read(), codes: [...codes] };
}

test('a user that may no longer connect is reported as an outage, not as a defect', async () => {
  const user = `refused_${process.pid}`;
  const { pathname } = new URL(postgres.url);
  await admin.query(`create role ${user} login password 'not a secret'; grant create on database ${pathname.slice(1)} to ${user}`);
  const url = new URL(postgres.url);
  [url.username, url.password] = [user, 'not a secret'];

  const seen = await readDuring({
    url: url.href,
    begin: () => `alter role ${user} nologin; select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${user}'`,
    end: () => `alter role ${user} login`,
  });
  await admin.query(`drop owned by ${user}; drop role ${user}`);

  expect(seen).toEqual({
    before: 'read',
    during: ['DatabaseUnavailable', 'DatabaseUnavailable'],
    after: 'read',
    codes: expect.arrayContaining(['28000']),
  });
});

test('a schema that was renamed is an outage, and no defect', async () => {
  const seen = await readDuring({
    url: postgres.url,
    begin: (schema) => `alter schema ${schema} rename to ${schema}_moved`,
    end: (schema) => `alter schema ${schema}_moved rename to ${schema}`,
  });

  expect(seen).toEqual({ before: 'read', during: ['DatabaseUnavailable', 'DatabaseUnavailable'], after: 'read', codes: ['42P01'] });
});
