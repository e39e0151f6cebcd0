import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import type { Catalogue } from '#src/operation/declared.ts';
import type { Accounts } from './accounts.ts';
import type { CheckedFile } from './check/check-across-files.ts';
import { checkRule } from './check/check-rule.ts';
import type { IsOn } from './check/check-context.ts';
import { decodeText } from './document/decode-text.ts';
import { Report, type NamedFile } from './document/report.ts';
import type { Diagnostic } from './diagnostic.ts';
import { ruleSetOf } from './rule-set.ts';
import type { Rule } from './rule.ts';

export interface LoadOptions {
  /** Folders with rules, or files. */
  readonly paths: readonly string[];
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** The current instant, in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
  /** Whether a rule is enabled here. Default: unless it has `enabled: false`. */
  readonly isOn?: IsOn | undefined;
  /** Whether other rules exist that are not loaded. */
  readonly isPart?: boolean | undefined;
  /** Files that were checked before, by name. A file with the same text is not checked again. */
  readonly known?: ReadonlyMap<string, CheckedFile> | undefined;
  /** Why a file that a rule attaches cannot be sent. Undefined if it can. Absent: attached files are not checked. */
  readonly findFileError?: ((path: string) => Promise<string | undefined>) | undefined;
}

/** Loaded rules. */
export interface Loaded {
  /** The usable rules, in the order of their files. */
  readonly rules: readonly Rule[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read. */
  readonly files: readonly string[];
}

/** More than the largest rule takes in UTF-8. */
const MOST_BYTES = 262_144;
/** How many files are read in parallel. */
const READ_TOGETHER = 16;

/** Reads and checks all rules below `paths`. An unusable file does not affect the others. */
export async function loadRules(options: LoadOptions): Promise<Loaded> {
  const checked = await checkFiles(options);
  const { rules, diagnostics } = ruleSetOf(checked, options);
  return { rules, diagnostics, files: checked.map(({ file }) => file) };
}

/** Reads and checks each rule file below `paths`. */
export async function checkFiles({ paths, ...options }: LoadOptions): Promise<readonly CheckedFile[]> {
  const files = [...new Set((await Promise.all(paths.map(ruleFiles))).flat())];
  const checked: CheckedFile[] = [];
  for (let from = 0; from < files.length; from += READ_TOGETHER) {
    const some = files.slice(from, from + READ_TOGETHER);
    checked.push(...(await Promise.all(some.map((file) => checkFile(file, options)))));
  }
  return checked;
}

async function ruleFiles(path: string): Promise<readonly string[]> {
  try {
    return (await stat(path)).isFile() ? [path] : await filesBelow(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const remedy = error.code === 'ENOENT' ? ': fanfare new writes a first rule, FANFARE_RULES names another folder' : '';
    throw new ConfigError('there are no rules that can be read', { file: path, hint: hintOf(error) + remedy });
  }
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && /(?<!\.test)\.ya?ml$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => !isHidden(relative(directory, file)))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** Editors and mounted volumes keep internal files in folders that begin with a dot. */
function isHidden(file: string): boolean {
  return file.split(sep).some((part) => part.startsWith('.'));
}

async function checkFile(file: string, options: Omit<LoadOptions, 'paths'>): Promise<CheckedFile> {
  const checked = await readRuleFile(file, options);
  const { findFileError } = options;
  if (!findFileError || checked.files.length === 0) return checked;
  // Attached files change without the rule.
  const fileDiagnostics = await Promise.all(checked.files.map((named) => fileDiagnostic(named, findFileError)));
  return { ...checked, fileDiagnostics: fileDiagnostics.flat() };
}

async function fileDiagnostic(
  { path, at }: NamedFile,
  findFileError: NonNullable<LoadOptions['findFileError']>,
): Promise<readonly Diagnostic[]> {
  const why = await findFileError(path);
  if (why === undefined) return [];
  const message = `the file ${resolve(path)} cannot be sent: ${why}`;
  return [{ severity: 'warning', code: 'missing-file', ...at, message, hint: 'a path counts from the folder that Fanfare is started in' }];
}

async function readRuleFile(file: string, { known, ...options }: Omit<LoadOptions, 'paths'>): Promise<CheckedFile> {
  try {
    const content = await readRegularFile(file, MOST_BYTES);
    if ('unreadable' in content) return unreadable(file, { source: '', offset: 0, hint: content.unreadable });
    const decoded = decodeText(content.bytes);
    if ('text' in decoded) {
      const { text: source } = decoded;
      const same = known?.get(file);
      // An unreadable file has an empty text.
      if (same && same.source === source && source !== '') return same;
      return { ...checkRule({ file, source, ...options }), file, source };
    }
    const hint = 'it is not UTF-8 from here on: save it as UTF-8';
    return unreadable(file, { source: decoded.readable, offset: decoded.invalidAt, hint });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return unreadable(file, { source: '', offset: 0, hint: hintOf(error) });
  }
}

function unreadable(
  file: string,
  { source, offset, hint }: { readonly source: string; readonly offset: number; readonly hint: string },
): CheckedFile {
  const report = new Report(file, source);
  report.error({ path: [], offset }, 'unreadable-file', 'the file cannot be read', hint);
  return { rules: [], editedMessages: [], follows: [], files: [], diagnostics: report.diagnostics, file, source };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'who runs this may not read it',
  EPERM: 'who runs this may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is neither a file nor a folder',
  ENXIO: 'it is no regular file but a socket or a device',
  ELOOP: 'its links go round in a circle',
};

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

function hintOf({ code }: { readonly code: string }): string {
  return REASONS[code] ?? code;
}

/** The content of a file, or why it was not read. */
export type FileContent = { readonly bytes: Uint8Array } | { readonly unreadable: string };

// Without O_NONBLOCK, opening a pipe blocks until another process writes to it.
const { O_RDONLY, O_NONBLOCK } = constants;
const FLAGS = O_RDONLY | O_NONBLOCK;

/** Reads a regular file of at most `mostBytes`. Pipes and devices are not read, because they may never end. Rejects with errors of the file system. */
export async function readRegularFile(path: string, mostBytes: number): Promise<FileContent> {
  await using file = await open(path, FLAGS);
  const found = await file.stat();
  const unreadable = whyNotRead(found, mostBytes);
  if (unreadable !== undefined) return { unreadable };
  const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
  return { bytes: buffer.subarray(0, bytesRead) };
}

/** Reads a regular file synchronously, for start-up. */
export function readRegularFileSync(path: string, mostBytes: number): FileContent {
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    const unreadable = whyNotRead(found, mostBytes);
    if (unreadable !== undefined) return { unreadable };
    const buffer = Buffer.alloc(found.size);
    return { bytes: buffer.subarray(0, readSync(file, buffer, 0, found.size, 0)) };
  } finally {
    closeSync(file);
  }
}

function whyNotRead(found: Stats, mostBytes: number): string | undefined {
  if (found.isDirectory()) return 'it is a folder';
  if (!found.isFile()) return 'it is no regular file but a pipe, a socket or a device';
  if (found.size <= mostBytes) return undefined;
  return `it is too large: it has ${found.size} bytes, and at most ${mostBytes} are read`;
}
