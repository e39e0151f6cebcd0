import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { ConfigError } from '#src/errors.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkRule, type CheckRuleOptions } from '#src/rules/check/check-rule.ts';
import { hintOf, isSystemError, isUnreadable, readTextFile } from '#src/rules/document/read-text-file.ts';
import type { NamedFile } from '#src/rules/document/report.ts';
import type { Diagnostic } from './diagnostic.ts';
import { isMisnamed, linkedFolderDiagnostics, misnamedDiagnostics, nameDiagnostics } from './file-names.ts';
import { fileVersion } from './regular-file.ts';
import { ruleSetOf } from './rule-set.ts';
import type { Rule } from './rule.ts';
import { emptyFoldersOf, walkFolder, type WalkedFolder } from './walk-folder.ts';

export interface LoadOptions extends Omit<CheckRuleOptions, 'file' | 'source'> {
  /** Folders with rules, or files. */
  readonly paths: readonly string[];
  /** Whether other rules exist that are not loaded. */
  readonly isPart?: boolean | undefined;
  /** Files that were checked before. A file with the same text is not checked again. */
  readonly known?: KnownFiles | undefined;
  /** The files of the program that run beside those of the folder. */
  readonly shipped?: ((found: readonly CheckedFile[]) => readonly CheckedFile[]) | undefined;
  /** Why a file that a rule attaches cannot be sent. Undefined if it can. Absent: attached files are not checked. */
  readonly findFileError?: ((path: string) => Promise<string | undefined>) | undefined;
}

/** The files of the last check. The next check updates it. */
export interface KnownFiles {
  readonly checked: Map<string, CheckedFile>;
  /** The version of each file at its last read. A file with the same version is not read again. */
  readonly versions: Map<string, string>;
  /** Which folder the path was at the last check. */
  folder?: string | undefined;
  /** Which folder each of its subfolders was. */
  subfolders?: ReadonlyMap<string, string> | undefined;
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
/** How many files are looked up in parallel. */
const FILES_TOGETHER = 256;
/** The longest time without a pause for other work. */
const MAX_BLOCK_MS = 10;

/** Reads and checks all rules below `paths`. An unusable file does not affect the others. */
export async function loadRules(options: LoadOptions): Promise<Loaded> {
  const found = await checkFiles(options);
  const checked = [...found, ...(options.shipped?.(found) ?? [])];
  const { rules, diagnostics } = ruleSetOf(checked, options);
  return { rules, diagnostics, files: checked.map(({ file }) => file) };
}

/** Reads and checks each rule file below `paths`. */
export async function checkFiles({ paths, ...options }: LoadOptions): Promise<readonly CheckedFile[]> {
  const { known } = options;
  const folder = known && (await identityOf(paths));
  const found = await Promise.all(paths.map((path) => ruleFiles(path, options)));
  const files = [...new Set(found.flatMap((one) => one.files))];
  if (known) {
    if (files.length === 0 && known.folder !== undefined && known.folder !== folder) throw otherEmptyFolder(paths);
    const subfolders = await identitiesOf(found.flatMap((one) => one.folders));
    refuseEmptySubfolder(known, new Set(files), subfolders);
    known.folder = folder;
    known.subfolders = subfolders;
  }
  const checked: CheckedFile[] = [];
  let pausedMs = performance.now();
  for (let from = 0; from < files.length; from += FILES_TOGETHER) {
    const some = files.slice(from, from + FILES_TOGETHER);
    const versions = known ? await Promise.all(some.map(fileVersion)) : [];
    for (const [index, file] of some.entries()) {
      checked.push(await checkFile(file, versions[index], { paths, ...options }));
      if (performance.now() - pausedMs < MAX_BLOCK_MS) continue;
      await nextLoop();
      pausedMs = performance.now();
    }
  }
  for (const link of new Set(found.flatMap(({ outside }) => outside))) {
    const linked = known?.checked.get(link) ?? { ...UNUSABLE, diagnostics: linkedFolderDiagnostics(link), file: link, source: '' };
    checked.push(linked);
    known?.checked.set(link, linked);
  }
  if (known) forgetOthers(known, new Set(checked.map(({ file }) => file)));
  return checked;
}

/** A rule file of a published version. */
export interface PublishedText {
  readonly file: string;
  readonly source: string;
  /** For `Rule.published`. */
  readonly published: string;
}

/** Checks rule files that are not in a folder. A text that `known` has is not checked again. */
export async function checkTexts(
  texts: readonly PublishedText[],
  { known, ...options }: Omit<LoadOptions, 'paths' | 'isPart'>,
): Promise<readonly CheckedFile[]> {
  const checked: CheckedFile[] = [];
  let pausedMs = performance.now();
  for (const { file, source, published } of texts) {
    const before = known?.checked.get(file);
    const one = before?.source === source ? before : checkPublished({ file, source, published }, options);
    const whole = await withFileDiagnostics(one, options);
    checked.push(whole);
    known?.checked.set(file, whole);
    if (performance.now() - pausedMs < MAX_BLOCK_MS) continue;
    await nextLoop();
    pausedMs = performance.now();
  }
  if (known) forgetOthers(known, new Set(texts.map(({ file }) => file)));
  return checked;
}

function checkPublished({ file, source, published }: PublishedText, options: Omit<LoadOptions, 'paths' | 'isPart' | 'known'>): CheckedFile {
  const diagnostics = nameDiagnostics(file);
  if (diagnostics.length > 0) return { ...UNUSABLE, diagnostics, file, source };
  const { rules, ...rest } = checkRule({ file, source, ...options });
  return { ...rest, file, source, rules: rules.map((rule) => ({ ...rule, published })) };
}

function forgetOthers({ checked, versions }: KnownFiles, files: ReadonlySet<string>): void {
  for (const file of checked.keys()) {
    if (files.has(file)) continue;
    checked.delete(file);
    versions.delete(file);
  }
}

async function ruleFiles(path: string, { isPart = false, known }: Pick<LoadOptions, 'isPart' | 'known'>): Promise<WalkedFolder> {
  try {
    return (await stat(path)).isFile() ? { files: [path], folders: [], outside: [] } : await rulesBelow(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code !== 'ENOENT') throw new ConfigError(`cannot be read: ${hintOf(error)}`, { file: path });
    // A new project in the place of a folder that is not mounted would delete all rules.
    const isLost = known?.folder !== undefined;
    const hint = isPart ? 'Name a rule, a rule file or a folder.' : isLost ? MOUNT_HINT : `${MOUNT_HINT} ${NEW_FOLDER_HINT}`;
    throw new ConfigError('there is no such file or folder', { file: path, hint });
  }
}

const MOUNT_HINT = 'If the folder had rules, check its mount or its deployment.';
const NEW_FOLDER_HINT = 'To create a project: npx fanfare init. To use another folder: set FANFARE_RULES.';

/** Changes if other folders or files have these paths, for example after a mount or with a link to another folder. */
async function identityOf(paths: readonly string[]): Promise<string> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return found.map((one) => `${one?.dev} ${one?.ino}`).join(', ');
}

async function identitiesOf(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(folders.map(async (folder) => [folder, await identityOf([folder])] as const)));
}

/** Throws if a subfolder lost its rules because another, empty folder is in its place. */
function refuseEmptySubfolder(
  { checked, subfolders: before }: KnownFiles,
  files: ReadonlySet<string>,
  now: ReadonlyMap<string, string>,
): void {
  for (const folder of emptyFoldersOf([...checked.keys()].filter((file) => !files.has(file)))) {
    if (!before?.has(folder) || before.get(folder) === now.get(folder)) continue;
    const hint = 'it is not the folder that had the rules: check its mount or its deployment. To delete its rules, delete the folder.';
    throw new ConfigError('the folder was replaced by an empty one', { file: folder, hint });
  }
}

/** A volume that is not mounted, or an incomplete deployment, is not the deletion of all rules. */
function otherEmptyFolder(paths: readonly string[]): ConfigError {
  const hint =
    'the folder is empty, and it is not the folder that had the rules: check its mount or its deployment. To delete all rules, write another file into it, for example README.md, and restart Fanfare.';
  return new ConfigError('the folder was replaced by an empty one', { file: paths.join(', '), hint });
}

async function rulesBelow(directory: string): Promise<WalkedFolder> {
  const { files, folders, outside } = await walkFolder(directory);
  const rules = files.filter((file) => /(?<!\.test)\.ya?ml$/u.test(file) || isMisnamed(file));
  return { files: rules.toSorted((a, b) => (a < b ? -1 : 1)), folders: folders.slice(1), outside };
}

async function checkFile(file: string, version: string | undefined, { known, ...options }: LoadOptions): Promise<CheckedFile> {
  const before = known?.checked.get(file);
  const isSame = before !== undefined && version !== undefined && known?.versions.get(file) === version;
  const checked = await withFileDiagnostics(isSame ? before : readRuleFile(file, before, options), options);
  known?.checked.set(file, checked);
  if (version === undefined) known?.versions.delete(file);
  else known?.versions.set(file, version);
  return checked;
}

/** Attached files change without the rule. */
async function withFileDiagnostics(checked: CheckedFile, { findFileError }: Pick<LoadOptions, 'findFileError'>): Promise<CheckedFile> {
  if (!findFileError || checked.files.length === 0) return checked;
  const found = await Promise.all(checked.files.map((named) => fileDiagnostic(named, findFileError)));
  const fileDiagnostics = found.flat();
  return fileDiagnostics.length === 0 && checked.fileDiagnostics?.length === 0 ? checked : { ...checked, fileDiagnostics };
}

async function fileDiagnostic(
  { path, at }: NamedFile,
  findFileError: NonNullable<LoadOptions['findFileError']>,
): Promise<readonly Diagnostic[]> {
  const why = await findFileError(path);
  if (why === undefined) return [];
  const message = `the file ${resolve(path)} cannot be sent: ${why}`;
  return [
    { severity: 'warning', code: 'missing-file', ...at, message, hint: 'paths are relative to the folder in which Fanfare is started' },
  ];
}

function readRuleFile(file: string, before: CheckedFile | undefined, { paths, ...options }: Omit<LoadOptions, 'known'>): CheckedFile {
  if (isMisnamed(file) && !paths.includes(file)) return { ...UNUSABLE, diagnostics: misnamedDiagnostics(file), file, source: '' };
  const text = readTextFile(file, { mostBytes: MOST_BYTES, within: paths });
  if ('diagnostics' in text) return { ...UNUSABLE, ...text, file };
  if (before && before.source === text.source && !isUnreadable(before)) return before;
  return { ...checkRule({ file, source: text.source, ...options }), file, source: text.source };
}

const UNUSABLE = { rules: [], editedMessages: [], follows: [], files: [] };
