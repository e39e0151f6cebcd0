import { basename, relative, sep } from 'node:path';
import type { Diagnostic } from './diagnostic.ts';
import { Report } from '#src/rules/document/report.ts';
import { visible } from '#src/rules/messages/format.ts';

/** The names of drafted rules and their tests, which Fanfare writes into the rules folder. */
const DRAFTED = /^[a-z0-9-]{1,64}(?:\.test)?\.yaml$/u;
/** A path below a folder: no part is hidden, or leads out of the folder on any system. */
const BELOW_FOLDER = /^(?:(?!\.)(?:[^\p{C}\p{Z}\\/:]| )+\/)*(?!\.)(?:[^\p{C}\p{Z}\\/:]| )+\.ya?ml$/u;
const MOST_CHARACTERS = 255;

/** Whether Fanfare may write a stored rule file under this name. */
export function isDraftedName(file: string): boolean {
  return DRAFTED.test(file);
}

/** Whether a rule file of a published version may have this name. */
export function isPublishableName(file: string): boolean {
  return file.length <= MOST_CHARACTERS && BELOW_FOLDER.test(file);
}

/** The error of a rule file whose name cannot be published; none for other files. */
export function nameDiagnostics(file: string): readonly Diagnostic[] {
  if (isPublishableName(file)) return [];
  const report = new Report(visible(file), '');
  const hint = 'use a path in the rules folder, for example team/live.yaml, without a leading dot, a backslash or a colon in its parts';
  report.error({ path: [], offset: 0 }, 'file-name', 'a published rule file cannot have this name', hint);
  return report.diagnostics;
}

/** The end of a name that an editor has changed: `live.yaml.txt` of Notepad, which Windows shows as `live.yaml`, and `live.YAML`. */
const CHANGED_END = /\.ya?ml\.txt$|\.ya?ml$/iu;

/** Whether a file is meant as a rule or as its test, and its name hides it from Fanfare. */
export function isMisnamed(file: string): boolean {
  return CHANGED_END.test(file) && !/\.ya?ml$/u.test(file);
}

const MISNAMED = 'misnamed';
const LINKED = 'linked-folder';

/** The warning about a misnamed file. */
export function misnamedDiagnostics(file: string): readonly Diagnostic[] {
  const report = new Report(file, '');
  const name = basename(file).replace(CHANGED_END, (end) => end.toLowerCase().replace(/\.txt$/u, ''));
  report.warning(
    { path: [], offset: 0 },
    MISNAMED,
    'this file is not read, because its name does not end with .yaml',
    `rename it to ${name}`,
  );
  return report.diagnostics;
}

/** The warning about a link to a folder outside, which is not followed, as a link to a file outside. */
export function linkedFolderDiagnostics(link: string): readonly Diagnostic[] {
  const report = new Report(link, '');
  const hint = 'put the folder itself there, or mount it there';
  report.warning({ path: [], offset: 0 }, LINKED, 'the rules in this folder are not read: it is a link that leads out of the folder', hint);
  return report.diagnostics;
}

/** Whether a path is shown with a warning, and is not a rule file. */
export function isNoRuleFile({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(({ code }) => code === MISNAMED || code === LINKED);
}

/** Whether a part of a path below `folder` begins with a dot. Editors and mounted volumes keep internal files in such folders. */
export function isHiddenBelow(folder: string, path: string): boolean {
  return relative(folder, path)
    .split(sep)
    .some((part) => part.startsWith('.'));
}
