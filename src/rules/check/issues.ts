import type { z } from 'zod';
import type { Json } from '#src/operation/json.ts';
import type { Path } from '../document/report.ts';
import { quoted } from '../document/value-line.ts';
import { keysOf, shapeAt, shapeOf, type Shape } from '../shape/shape.ts';
import { closestName } from '../wording/closest-name.ts';
import { enumerate } from '../wording/enumerate.ts';
import { valueAt } from './json-path.ts';
import { listedForm, nearForm } from './near-form.ts';

/** A difference between a value and its declaration. */
export interface Issue {
  /** Of the value; of a key that is not known, the key's. */
  readonly path: Path;
  readonly kind: 'unknown' | 'missing' | 'wrong';
  readonly message: string;
  readonly hint?: string | undefined;
  /** Whether the declaration has words of its own for it. */
  readonly isOurs?: boolean | undefined;
  /** The key that was probably meant. */
  readonly meant?: string | undefined;
}

type ZodIssue = z.core.$ZodIssue;

/** All that is wrong with a value, in the words of a rule's author. */
export function issuesOf(schema: z.ZodType, value: Json | undefined): readonly Issue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  const shape = shapeOf(schema);
  return withoutSizes(parsed.error.issues).flatMap((issue) => readIssue(issue, [], { value, shape }));
}

/** Of what is of the wrong type, nothing says how large it may be: text has a length as lists have. */
function withoutSizes(issues: readonly ZodIssue[]): readonly ZodIssue[] {
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('\0')] : [])));
  return issues.filter(({ code, path }) => !((code === 'too_big' || code === 'too_small') && mistyped.has(path.join('\0'))));
}

interface Whole {
  readonly value: Json | undefined;
  readonly shape: Shape;
}

function readIssue(issue: ZodIssue, above: Path, whole: Whole): readonly Issue[] {
  const path: Path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  const value = valueAt(whole.value, path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, whole.shape));
  if (value === undefined) return [{ path, kind: 'missing', message: `${String(path.at(-1) ?? 'it')} is missing` }];
  if (issue.code === 'invalid_union') return readUnion(issue.errors, { path, value, whole });
  const said = wrongWords([issue], value, shapeAt(whole.shape, path));
  return [{ path, kind: 'wrong', ...said, ...(isOurs(issue) ? { message: issue.message, isOurs: true } : {}) }];
}

/** Of several forms the one is judged that was probably meant; where none was, all that would do are named. */
function readUnion(
  options: readonly (readonly ZodIssue[])[],
  { path, value, whole }: { readonly path: Path; readonly value: Json; readonly whole: Whole },
): readonly Issue[] {
  const likely = options.map(withoutSizes).filter((issues) => issues.every((issue) => issue.path.length > 0 || !isOtherKind(issue)));
  const meant = likely.find((issues) => issues.some(isOurs)) ?? likely[0];
  if (meant) return meant.flatMap((issue) => readIssue(issue, path, whole));
  return [{ path, kind: 'wrong', ...wrongWords(options.flat(), value, shapeAt(whole.shape, path)) }];
}

function isOtherKind({ code }: ZodIssue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

/** Whether our declaration has words for it. */
function isOurs({ code, message }: ZodIssue): boolean {
  return (code === 'custom' || code === 'invalid_format') && !message.startsWith('Invalid');
}

function unknownKey(key: string, above: Path, shape: Shape): Issue {
  const here = shapeAt(shape, above);
  const known = [...new Set(keysOf(here))];
  const home = known.find((name) => keysOf(shapeAt(shape, [...above, name])).includes(key));
  const meant = closestName(key, known);
  const likely = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
  const isAbove = above.length > 0 && keysOf(shape).includes(key);
  const hint = home !== undefined ? `${key} belongs into ${home}` : isAbove ? `${key} stands beside ${above[0]}, not in it` : likely;
  return { path: [...above, key], kind: 'unknown', message: `unknown key: ${key}`, hint, meant };
}

function wrongWords(issues: readonly ZodIssue[], value: Json, shape: Shape | undefined): Pick<Issue, 'message' | 'hint'> {
  const wanted = [...new Set(issues.flatMap(wantedWords))];
  const isOtherLength = Array.isArray(value) && value.length > 0 && issues.some(({ code }) => code === 'too_big' || code === 'too_small');
  const given = isOtherLength ? `one of ${value.length}` : givenWords(value);
  return { message: `${enumerate(wanted)} is wanted here, not ${given}`, hint: cureOf(issues, wanted, { value, shape }) };
}

/** What would do, where the value is nearly right. */
function cureOf(
  issues: readonly ZodIssue[],
  wanted: readonly string[],
  { value, shape }: { readonly value: Json; readonly shape: Shape | undefined },
): string | undefined {
  if (wanted.includes('text') && (typeof value === 'boolean' || typeof value === 'number'))
    return `put quotes around it: ${quoted(String(value))}`;
  const choices = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []));
  const meant = typeof value === 'string' ? closestName(value, choices) : undefined;
  if (meant !== undefined) return `did you mean ${meant}?`;
  const form = typeof value === 'string' ? issues.map((issue) => nearForm(issue, value)).find((one) => one !== undefined) : undefined;
  if (form !== undefined) return `write ${form}`;
  return wanted.includes('a list') ? listedForm(value, shape) : undefined;
}

function wantedWords(issue: ZodIssue): readonly string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [TYPE_WORDS[issue.expected] ?? issue.expected];
    case 'invalid_value':
      return issue.values.map(String);
    case 'too_small':
      return [sizeWords(issue.origin, 'at least', issue.minimum)];
    case 'too_big':
      return [sizeWords(issue.origin, 'at most', issue.maximum)];
    case 'invalid_union':
      return issue.errors.flat().flatMap(wantedWords);
    case 'invalid_format':
      return [FORMAT_WORDS[issue.format] ?? 'text of another form'];
    default:
      return ['something else'];
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  datetime: 'an instant as 2026-12-24T18:00:00Z',
  url: 'an address as https://example.org',
};

function sizeWords(origin: string, limit: string, size: number | bigint): string {
  if (origin === 'string') return `text of ${limit} ${size} ${Number(size) === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `a list of ${limit} ${size}`;
  return `${limit} ${size}`;
}

function givenWords(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value === null) return 'nothing';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
