import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { encodingOfDotEnv, textOfDotEnv } from '#src/config/dot-env-lines.ts';
import { codeOf, ConfigError, UserError } from '#src/errors.ts';

/** Appends variables to a `.env` file, in its encoding, and makes it readable only by its owner. */
export async function addToDotEnv(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const before = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw notWritten(error, path, variables);
  });
  const text = textOfDotEnv(before);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`);
  const added = Buffer.from(gap + lines.join(''), encodingOfDotEnv(before));
  const read = parseEnv(textOfDotEnv(Buffer.concat([before, added])));
  // The last value of the file may continue into the new lines, and a NUL character shows another encoding.
  if (text.includes('\0') || Object.entries({ ...parseEnv(text), ...variables }).some(([name, value]) => read[name] !== value)) {
    throw new UserError(
      'Nothing was written: lines at the end of .env would not be read correctly. In that file, close the quotes and write no space behind =, or save it as UTF-8. Then run the command again.',
    );
  }
  try {
    await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600);
    // An existing file may be readable by others.
    await file.chmod(0o600);
    await file.writeFile(added).catch(async (error: unknown) => {
      // A full disk takes the beginning, and the next start would read a part of a token.
      await file.truncate(before.length).catch(() => undefined);
      throw error;
    });
  } catch (error) {
    throw notWritten(error, path, variables);
  }
}

/** An error of the file system for the person who has entered the values. It never contains a value. */
function notWritten(error: unknown, file: string, variables: Readonly<Record<string, string>>): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const byOwner = code === 'EACCES' || code === 'EPERM' ? 'run the command as the owner of the file, or ' : '';
  const hint = `${byOwner}set these variables in the environment of Fanfare: ${Object.keys(variables).join(', ')}`;
  return new ConfigError(`the file cannot be written (${code})`, { file, hint });
}

/** A value in quotes if the parser of `.env` files needs them. */
function quoted(value: string): string {
  if (/^[\w./:@%+,=~-]*$/u.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '';
  if (quote === '') throw new UserError('A .env file cannot contain a value with all kinds of quotation marks. Set it in the environment.');
  return quote + value + quote;
}
