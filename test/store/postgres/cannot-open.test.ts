import { expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { cannotOpen } from '#src/store/postgres/cannot-open.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';

const URL = 'postgres://fanfare:secret@db.example:5432/fanfare';

/** An error as the driver reports it. */
function databaseError(code: string): Error {
  return Object.assign(new Error('the database system is starting up'), { severity: 'FATAL', code });
}

test.for(['57P01', '57P02', '57P03'])('a database that starts or stops is no defect of Fanfare: %s', (code) => {
  const error = cannotOpen(URL, databaseError(code));

  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('the database db.example:5432/fanfare cannot be opened: it is starting or stopping');
  expect(String(error)).not.toContain('secret');
});

test('an unknown error of the database stays as it is', () => {
  const error = databaseError('XX000');

  expect(cannotOpen(URL, error)).toBe(error);
});

test('a database that falls silent during the start is no defect of Fanfare', () => {
  const error = cannotOpen(URL, new DatabaseUnavailable(new Error('Query read timeout')));

  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('the database db.example:5432/fanfare cannot be opened: it does not answer');
});
