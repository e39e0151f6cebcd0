import { expect, test } from 'vitest';
import { failureOf } from '#src/engine/delivery/failure.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { StateUnavailable } from '#src/store/sqlite/cannot-open.ts';

test.for([
  ['PostgreSQL does not answer', new DatabaseUnavailable(new Error('terminated'))],
  ['the disk of the state is full', new StateUnavailable('the state cannot be used', { file: 'data/fanfare.sqlite', code: 'SQLITE_FULL' })],
] as const)('an attempt that fails because %s may have been made, and is no mistake in the step', ([, error]) => {
  expect(failureOf(error)).toEqual({ error: { fault: 'unanswered', message: error.message }, remedy: 'ask' });
});
