import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mergeConfig, type Config } from './config.ts';
import { readEnvironment } from './environment.ts';
import { codeOf, ConfigError } from '#src/errors.ts';
import { decodeText } from '#src/rules/document/decode-text.ts';
import { hintOf } from '#src/rules/document/read-text-file.ts';
import { readRegularFileSync } from '#src/rules/regular-file.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { FileMistake } from './fanfare-file.ts';
import { readFanfareFile } from './read-fanfare-file.ts';

const NAME = 'fanfare.yaml';
const MOST_BYTES = 262_144;

/** The path of `fanfare.yaml`: it is in the same folder as the rules folder. */
export function configFileOf(rulesDirectory: string): string {
  return join(dirname(rulesDirectory), NAME).replaceAll('\\', '/');
}

/** The folder of the lists: it is in the same folder as the rules folder. */
export function listsFolderOf(rulesDirectory: string): string {
  return join(dirname(rulesDirectory), 'lists').replaceAll('\\', '/');
}

interface OpenConfigOptions {
  /** Whether the file may name accounts that do not exist: the command that connects them has to run with it. */
  readonly isConnecting?: boolean;
  /** Whether secrets may also be unset, because tests of rules simulate all accounts. */
  readonly isTesting?: boolean;
}

/** Reads the configuration from the environment and from `fanfare.yaml`, if that file exists. */
export function openConfig(environment: Readonly<Record<string, string | undefined>>, options: OpenConfigOptions = {}): Config {
  const onUnusable = (unusable: readonly Diagnostic[]): never => {
    throw toConfigError(unusable);
  };
  const { config, diagnostics } = readConfig(environment, { ...options, onUnusable });
  if (diagnostics.length === 0) return config;
  throw toConfigError(diagnostics);
}

/** A configuration that may have errors. */
export interface ReadConfig {
  readonly config: Config;
  /** The errors of `fanfare.yaml`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the configuration has all accounts of `fanfare.yaml`. */
  readonly hasAllAccounts: boolean;
}

interface ReadConfigOptions extends OpenConfigOptions {
  /** Gets the errors of a file without a usable part. */
  readonly onUnusable?: (diagnostics: readonly Diagnostic[]) => void;
}

/** Reads the valid part of the configuration. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  { onUnusable, isConnecting = false, isTesting = false }: ReadConfigOptions = {},
): ReadConfig {
  const path = configFileOf(readEnvironment(environment).FANFARE_RULES);
  const source = readSource(path);
  if (source === undefined) return { config: mergeConfig(environment).config, diagnostics: [], hasAllAccounts: true };
  const read = readFanfareFile(path, source);
  if (!read.file) onUnusable?.(read.diagnostics);
  const { config, mistakes } = mergeConfig(environment, read.file);
  const isAllowed = ({ unknown, isSecretUnset = false }: FileMistake): boolean =>
    ((isConnecting || isTesting) && unknown !== undefined) || (isTesting && isSecretUnset);
  if (read.file) read.report(mistakes.filter((mistake) => !isAllowed(mistake)));
  return { config, diagnostics: read.diagnostics, hasAllAccounts: read.file !== undefined };
}

/** The text of the file; undefined if there is no file. */
function readSource(path: string): string | undefined {
  try {
    const content = readRegularFileSync(path, { mostBytes: MOST_BYTES });
    if ('unreadable' in content) throw new ConfigError('the file cannot be read', { file: path, hint: content.unreadable });
    const decoded = decodeText(content.bytes);
    if ('text' in decoded) return withContent(decoded.text, path);
    const line = decoded.readable.slice(0, decoded.invalidAt).split('\n').length;
    throw new ConfigError('the text is not valid UTF-8 from here on', { file: path, line, hint: 'save the file as UTF-8' });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code !== 'ENOENT') throw new ConfigError('the file cannot be read', { file: path, hint: hintOf({ code }) });
    // A volume that is not mounted leaves such a link.
    if (lstatSync(path, { throwIfNoEntry: false })) throw new ConfigError('the link leads to a file that does not exist', { file: path });
    const misnamed = path.replace(/yaml$/u, 'yml');
    if (existsSync(misnamed)) throw new ConfigError(`Fanfare does not read this file; rename it to ${basename(path)}`, { file: misnamed });
    return undefined;
  }
}

/** Editors and power cuts leave files of zero bytes. Without the accounts of the file, Fanfare would run on the sandbox or use other accounts. */
function withContent(text: string, file: string): string {
  if (text.trim() !== '') return text;
  throw new ConfigError('the file is empty', { file, hint: 'restore it from a backup, or delete it if you do not need it' });
}

/** One error that contains the other ones. */
function toConfigError(diagnostics: readonly Diagnostic[]): ConfigError {
  const [first, ...rest] = diagnostics;
  if (!first) throw new Error('fanfare.yaml was rejected without a diagnostic');
  const toError = ({ file, line, column, path, message, hint, excerpt }: Diagnostic, others: readonly ConfigError[] = []): ConfigError =>
    new ConfigError(path === '' ? message : `${path}: ${message}`, { file, line, column, hint, excerpt, others });
  return toError(
    first,
    rest.map((diagnostic) => toError(diagnostic)),
  );
}
