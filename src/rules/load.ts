import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Accounts } from './accounts.ts';
import { checkRule, type CheckedRule } from './check/check-rule.ts';
import { Report } from './document/report.ts';
import type { Problem } from './problem.ts';
import type { Rule } from './rule.ts';

export interface LoadOptions {
  /** Folders with rules, or single files. */
  readonly paths: readonly string[];
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
}

/** The rules of some files. */
export interface Loaded {
  /** Those that can run, in the order of their files. */
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
  /** Every file that was read. */
  readonly files: readonly string[];
}

/** Reads and checks all rules below `paths`; a file that cannot be used keeps none of the others from it. */
export async function loadRules({ paths, catalogue, accounts }: LoadOptions): Promise<Loaded> {
  const files = [...new Set((await Promise.all(paths.map(ruleFiles))).flat())];
  const rules = new Map<string, Rule>();
  const problems: Problem[] = [];
  for (const file of files) {
    const { source, ...checked } = await readRule(file, { catalogue, accounts });
    problems.push(...checked.problems);
    const { rule } = checked;
    const first = rule && rules.get(rule.id);
    if (rule && !first) rules.set(rule.id, rule);
    if (rule && first) problems.push(...sameId(rule, { first, source }));
  }
  return { rules: [...rules.values()], problems, files };
}

async function ruleFiles(path: string): Promise<readonly string[]> {
  try {
    return (await stat(path)).isFile() ? [path] : await filesBelow(path);
  } catch (error) {
    const hint = hintOf(error);
    throw new ConfigError('there are no rules that can be read', {
      file: path,
      hint: hint === 'ENOENT' ? 'there is no such file or folder' : hint,
    });
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

/** Editors and mounted volumes keep files of their own in folders that begin with a dot. */
function isHidden(file: string): boolean {
  return file.split(sep).some((part) => part.startsWith('.'));
}

async function readRule(file: string, options: Omit<LoadOptions, 'paths'>): Promise<CheckedRule & { readonly source: string }> {
  const source = await readText(file);
  if (typeof source === 'string') return { ...checkRule({ file, source, ...options }), source };
  const report = new Report(file, '');
  report.error({ path: [], offset: 0 }, 'the file cannot be read', source.hint);
  return { problems: report.problems, source: '' };
}

async function readText(file: string): Promise<string | { readonly hint: string }> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    return { hint: hintOf(error) };
  }
}

function hintOf(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8';
  return error instanceof Error && 'code' in error ? String(error.code) : 'is it there?';
}

function sameId({ id, file }: Rule, { first, source }: { readonly first: Rule; readonly source: string }): readonly Problem[] {
  const report = new Report(file, source);
  const offset = /^id:/mu.exec(source)?.index ?? 0;
  report.error(
    { path: ['id'], offset },
    `${first.file} and ${file} have the same id: ${id}`,
    'an id is the name of one rule: change the newer one',
  );
  return report.problems;
}
