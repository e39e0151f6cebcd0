import { describe, expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { cannotOpen, ClockBeforeRelease, isPassing } from '#src/store/postgres/cannot-open.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { ReadOnlySession } from '#src/store/postgres/session.ts';

const URL = 'postgres://fanfare:secret@db.example:5432/fanfare';

/** An error as the driver reports it. */
function databaseError(code: string): Error {
  return Object.assign(new Error('the database system is starting up'), { severity: 'FATAL', code });
}

test.for(['57P01', '57P02', '57P03'])('a database that starts or stops is an error of configuration, not a defect: %s', (code) => {
  const error = cannotOpen(URL, databaseError(code));

  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('the database db.example:5432/fanfare cannot be opened: it is starting or stopping');
  expect(String(error)).not.toContain('secret');
});

test('a database without free connections names all limits that can be the reason', () => {
  expect(cannotOpen(URL, databaseError('53300'))).toMatchObject({
    hint: 'raise max_connections of the server, or the connection limit of the user or the database',
  });
});

test('an unknown error of the database is unchanged', () => {
  const error = databaseError('XX000');

  expect(cannotOpen(URL, error)).toBe(error);
});

test('a database that stops responding during the start is an error of configuration, not a defect', () => {
  const error = cannotOpen(URL, new DatabaseUnavailable(new Error('Query read timeout')));

  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('the database db.example:5432/fanfare cannot be opened: it does not answer');
});

describe('a start waits', () => {
  const system = (code: string): Error => Object.assign(new Error(`connect ${code} 10.0.0.3:5432`), { code });

  test.for([
    ['57P03', databaseError('57P03'), true],
    ['no free connection', databaseError('53300'), true],
    ['a full disk', databaseError('53100'), true],
    ['ECONNREFUSED', system('ECONNREFUSED'), true],
    ['an unknown host, whose name may be new', system('ENOTFOUND'), true],
    ['a timeout', new Error('timeout expired'), true],
    ['a connection that ended', new DatabaseUnavailable(new Error('Connection terminated unexpectedly')), true],
    ['a clock before the release', new ClockBeforeRelease(0), true],
    ['a wrong password', databaseError('28P01'), false],
    ['a missing database', databaseError('3D000'), false],
    ['a missing right', databaseError('42501'), false],
    ['a refusing pooler', databaseError('08P01'), false],
    ['a standby', new ReadOnlySession(), false],
    ['an invalid certificate', system('DEPTH_ZERO_SELF_SIGNED_CERT'), false],
    ['a defect', new TypeError('x is not a function'), false],
  ] as const)('after %s: %s', ([, error, waits]) => {
    expect(isPassing(error)).toBe(waits);
    expect(isPassing(cannotOpen(URL, error))).toBe(waits);
  });
});
