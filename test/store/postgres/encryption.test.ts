import { afterAll, expect, test } from 'vitest';
import { cannotOpen } from '#src/store/postgres/cannot-open.ts';
import { driverUrl } from '#src/store/postgres/driver-url.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('an address with sslmode prints no warning of Node, and a server without encryption is reported', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  const errors: unknown[] = [];
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    errors.push(await openPostgresStore({ url: `${postgres.url}?sslmode=${mode}` }).catch((error: unknown) => error));
  await (await openPostgresStore({ url: `${postgres.url}?sslmode=disable` }))[Symbol.asyncDispose]();
  process.off('warning', note);

  expect(warnings).toEqual([]);
  expect(errors.map((error) => (error instanceof Error ? `${error.name}: ${error.message}` : error))).toEqual(
    errors.map(() => `ConfigError: the database ${postgres.address} cannot be opened: it offers no encryption`),
  );
});

test('a file of certificates that does not exist is named', async () => {
  const opening = openPostgresStore({ url: `${postgres.url}?sslmode=verify-full&sslrootcert=/missing/ca.pem` });

  await expect(opening).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('the file /missing/ca.pem in its address cannot be read (ENOENT)') as unknown,
  });
});

test.for(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'an untrusted certificate is named in the error: %s',
  (code) => {
    const error = cannotOpen(postgres.url, Object.assign(new Error('certificate'), { code }));

    expect(String(error)).toContain(`its certificate is not trusted (${code})`);
  },
);

test.for([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?a=b&sslmode=prefer&c=d', '?a=b&sslmode=verify-full&c=d'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=require&uselibpqcompat=true', '?sslmode=require&uselibpqcompat=true'],
  ['?xsslmode=require', '?xsslmode=require'],
])('%s is passed to the driver as %s', ([written, expected]) => {
  const url = 'postgres://fanfare:p%40ss@db.example/fanfare';

  expect(driverUrl(`${url}${written}`)).toBe(`${url}${expected}`);
});
