import { inspect } from 'node:util';
import { expect } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { PLANTED, type BadlyOff } from './clients.ts';

/** The error of `work` while time passes. It must contain neither a secret nor a part of a body. */
export async function failureOf(client: BadlyOff, work: () => Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await whileSleeping(client.clock, work()).then(
    (result) => expect.fail(`it succeeded: ${inspect(result)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(PLANTED);
  expect(client.lines.join('')).not.toContain(PLANTED);
  return error as PlatformError; // as was just seen
}
