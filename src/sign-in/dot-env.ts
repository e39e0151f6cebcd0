import { UserError } from '#src/errors.ts';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';

/** Adds variables to a `.env` file, which is for its owner alone from then on. */
export async function addToDotEnv(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
  // One that was there may be for everybody; from now on it holds secrets.
  await file.chmod(0o600);
  await file.writeFile(gap + lines.join(''));
}

/** As the file is read again. */
function quoted(value: string): string {
  if (/^[\w./:@%+,=~-]*$/u.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '';
  if (quote === '') throw new UserError('A value with every kind of quotation mark stands in no .env file: set it in the environment.');
  return quote + value + quote;
}
