import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAddress } from '#src/config/environment.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { hintOf } from '#src/rules/document/read-text-file.ts';

/** The target of `fanfare migrate`: other users of the machine can read a command line, so the address can be in a variable or in a file. */
export function migrationTarget(to: string, environment: Readonly<Record<string, string | undefined>>): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/u.exec(to) ?? [];
  if (kind === undefined) return /^[a-z][a-z0-9+.-]*:\/\//iu.test(to) ? checked(to, '--to') : to;
  return checked(kind === 'env' ? readVariable(name, environment) : readText(name), name);
}

/** Whether a target is a PostgreSQL database. */
export function isAddress(target: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(target);
}

/** The file of a SQLite target: an existing file or a path that ends in `.sqlite`; otherwise `fanfare.sqlite` in this folder, which may not exist. */
export function sqliteTarget(path: string): string {
  const existing = statSync(path, { throwIfNoEntry: false });
  const isFile = existing ? !existing.isDirectory() : path.endsWith('.sqlite');
  return isFile ? path : join(path, 'fanfare.sqlite');
}

function readVariable(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const value = environment[name];
  if (value === undefined || value === '')
    throw new ConfigError('the variable is not set', { file: name, hint: 'set it to the address of the new database' });
  return value.trim();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = codeOf(error);
    throw new ConfigError('the file cannot be read', { file, hint: code === undefined ? String(error) : hintOf({ code }) });
  }
}

/** The error does not contain the value, which may be a password. */
function checked(address: string, file: string): string {
  const { error } = databaseAddress.safeParse(address);
  if (!error) return address;
  throw new ConfigError('it is not the address of a PostgreSQL database', { file, hint: error.issues[0]?.message });
}
