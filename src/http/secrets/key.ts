import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { codeOf, ConfigError } from '#src/errors.ts';
import { isForOthers } from './modes.ts';

const KEY_BYTES = 32;
/** The shortest key that an operator may choose. Generated keys are longer. */
const SHORTEST = 24;
const FINGERPRINT_LENGTH = 16;

/** The key that seals secrets. */
export type SecretKey = Buffer;

export interface OpenKeyOptions {
  /** The value of `FANFARE_KEY`; absent if the key is in the file. */
  readonly written?: string | undefined;
  /** The file of the key. A missing file is created for its owner alone. */
  readonly file: string;
}

/** The key of an installation. Throws a `ConfigError` if the key is too weak, or if others can read its file. */
export async function openKey({ written, file }: OpenKeyOptions): Promise<SecretKey> {
  if (written !== undefined) return fromText(written, 'FANFARE_KEY');
  const drawn = `${randomBytes(KEY_BYTES).toString('base64url')}\n`;
  return fromText((await readKey(file)) ?? (await makeKey(file, drawn)), file);
}

/**
 * A value by which processes compare their keys, and which does not reveal the key. Undefined without a usable key: the first use of the key
 * reports why.
 */
export async function fingerprintOfKey({ written, file }: OpenKeyOptions): Promise<string | undefined> {
  try {
    const text = written ?? (await readKey(file));
    if (text === undefined) return undefined;
    return createHmac('sha256', fromText(text, file)).update('fingerprint of the key').digest('base64url').slice(0, FINGERPRINT_LENGTH);
  } catch {
    return undefined;
  }
}

/** Throws a `ConfigError` if the value of `FANFARE_KEY` is too weak, before something needs the key. */
export function checkWrittenKey(written: string): void {
  fromText(written, 'FANFARE_KEY');
}

function fromText(text: string, file: string): SecretKey {
  const key = text.trim();
  if (key.length < SHORTEST) {
    const hint = 'create a key with openssl rand -base64 32; after a change of the key, sign in to the accounts again';
    throw new ConfigError(`the key has fewer than ${SHORTEST} characters`, { file, hint });
  }
  return createHash('sha256').update(key).digest();
}

/** The text of a key file; undefined if the file does not exist. */
async function readKey(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if (isForOthers(mode)) throw new ConfigError('other users can read the key', { file: path, hint: `chmod 600 ${path}` });
    await using file = await open(path, constants.O_RDONLY);
    return await file.readFile('utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === undefined) throw error;
    throw unreadable(path, error);
  }
}

/** Callers treat a `ConfigError` as a key that the operator has to repair, so deliveries wait for it. */
function unreadable(file: string, error: unknown): ConfigError {
  const code = String(codeOf(error));
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const hint = isForbidden ? `give it to the user of Fanfare: chown <user> ${file}` : 'repair the file, or restore it from a copy';
  return new ConfigError(`the key cannot be read (${code})`, { file, hint, cause: error });
}

function notCreated(file: string, error: unknown): ConfigError {
  const hint = 'let the user of Fanfare write to the folder, or set FANFARE_KEY';
  return new ConfigError(`the key cannot be created (${String(codeOf(error))})`, { file, hint, cause: error });
}

async function makeKey(path: string, key: string): Promise<string> {
  // The link makes the file appear complete, even after a crash and for other processes.
  const draft = `${path}-${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(key);
    await file.sync();
    await link(draft, path);
    return key;
  } catch (error) {
    // Another process created the key first.
    const made = codeOf(error) === 'EEXIST' ? await readKey(path) : undefined;
    if (made === undefined) throw notCreated(path, error);
    return made;
  } finally {
    await rm(draft, { force: true });
  }
}
