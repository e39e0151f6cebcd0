import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { editedOnce, misspellings } from './document-keys.ts';
import type { CheckedField, CheckedKey } from './documents.ts';

/** A template that every key accepts as text. */
const TEMPLATE = `'\${{ "x" }}'`;

/** The misspellings of a key that are no other key and not as close to one. */
export function wrongNames({ key, known }: CheckedKey): readonly string[] {
  const others = known.filter((name) => name !== key);
  return misspellings(key).filter((wrong) => !others.some((other) => other === wrong || editedOnce(other, wrong)));
}

/** The error in the diagnostics of a document with a misspelled key. Undefined if they are right. */
export function faultOfMisspelling(key: CheckedKey, wrong: string, isTemplate: boolean): string | undefined {
  const diagnostics = key.check(key.renamed(wrong, isTemplate ? TEMPLATE : undefined));
  const isRight = diagnostics.some(
    ({ severity, code, hint, ...at }) =>
      severity === 'error' && code === 'unknown-key' && `${at.line}:${at.column}` === key.location && hint === `did you mean ${key.key}?`,
  );
  const isTwofold = diagnostics.some(({ code, path }) => code === 'missing-key' && path.split('.').at(-1) === key.key);
  return isRight && !isTwofold ? undefined : describe(key, `${key.key} as ${wrong}`, diagnostics);
}

/** The error in the diagnostics of a document without a required key. Undefined if they are right. */
export function faultOfRemoval(key: CheckedKey): string | undefined {
  const diagnostics = key.check(key.removed);
  const isRight = diagnostics.some(({ severity, message }) => severity === 'error' && new RegExp(`\\b${key.key}\\b`, 'u').test(message));
  return isRight ? undefined : describe(key, `without ${key.key}`, diagnostics);
}

function describe({ file, path, location }: CheckedKey, what: string, diagnostics: readonly Diagnostic[]): string {
  const found = diagnostics.map(({ line, column, message, hint }) => `${line}:${column} ${message} (${hint})`);
  return `${file} ${path.join('.')} at ${location}, ${what}: ${found.join('; ') || 'no diagnostic'}`;
}

/** The error in the diagnostics of a rule that reads a misspelled field. Undefined if they are right. */
export function faultOfField({ file, field, location, renamed, check }: CheckedField, wrong: string): string | undefined {
  const errors = check(renamed(wrong)).filter(({ severity, line, column }) => severity === 'error' && `${line}:${column}` === location);
  const endings = [` has no ${wrong}`, `unknown step ${wrong}`, `unknown list ${wrong}`];
  const isRight = errors.some(
    ({ message, hint = '' }) => endings.some((ending) => message.endsWith(ending)) && hint.startsWith('did you mean '),
  );
  return isRight
    ? undefined
    : `${file} at ${location}, ${field} as ${wrong}: ${errors.map(({ message }) => message).join('; ') || 'no error'}`;
}

/** One key of each kind: the same key at the same place of a schema occurs once. */
export function distinctKeys(keys: readonly CheckedKey[]): readonly CheckedKey[] {
  const kindOf = ({ path, known }: CheckedKey): string => JSON.stringify([path.filter((part) => typeof part === 'string'), known]);
  return [...Map.groupBy(keys, kindOf).values()].flatMap(([first]) => first ?? []);
}
