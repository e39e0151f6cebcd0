import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { codeOf, UserError } from '#src/errors.ts';

/** Appends variables to a `.env` file and makes it readable only by its owner. */
export async function addToDotEnv(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
  // An existing file may be readable by others.
  await file.chmod(0o600);
  await file.writeFile(gap + lines.join(''));
}

/** A value in quotes if the parser of `.env` files needs them. */
function quoted(value: string): string {
  if (/^[\w./:@%+,=~-]*$/u.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '';
  if (quote === '') throw new UserError('A .env file cannot contain a value with all kinds of quotation marks. Set it in the environment.');
  return quote + value + quote;
}
