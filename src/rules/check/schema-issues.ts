import type { z } from 'zod';
import type { Json } from '#src/clients/operation/json.ts';
import { plainOrQuoted, quoted } from '#src/rules/document/misread-value.ts';
import type { Path } from '#src/rules/document/report.ts';
import { COLON_MISSING, colonHint } from '#src/rules/document/spacing.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { isBarePath } from '#src/rules/grammar/template.ts';
import { formatList } from '#src/rules/messages/format.ts';
import { keysAt, keysOf, shapeAt, shapeOf, textOf, type Shape } from '#src/rules/shape/shape.ts';
import { valueAt, withValueAt } from './json-path.ts';
import { meantSchedule, suggestForm } from './meant-text.ts';
import { meantName, OTHER_NAMES, YAML_1_1 } from './value-synonyms.ts';

/** A difference between a value and its schema. */
export interface Issue {
  /** The path of the value; of an unknown key, the path of the key. */
  readonly path: Path;
  readonly kind: 'unknown-key' | 'missing-key' | 'wrong-value';
  readonly message: string;
  readonly hint?: string | undefined;
  /** Whether the schema has a message for it. */
  readonly isCustom?: boolean | undefined;
  /** The key that the author of an unknown key probably meant. */
  readonly suggestion?: string | undefined;
}

type ZodIssue = z.core.$ZodIssue;

/** Describes the issues of a value in words of the rule language, not of zod. */
export function issuesOf(schema: z.ZodType, value: Json | undefined): readonly Issue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  const shape = shapeOf(schema);
  return withoutMisspelt(withoutSizes(parsed.error.issues).flatMap((issue) => readIssue(issue, [], { value, shape, schema })));
}

/** Drops the size issue of a value of the wrong type: text has a length, as lists have. */
function withoutSizes(issues: readonly ZodIssue[]): readonly ZodIssue[] {
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('\0')] : [])));
  return issues.filter(({ code, path }) => !((code === 'too_big' || code === 'too_small') && mistyped.has(path.join('\0'))));
}

interface Whole {
  readonly value: Json | undefined;
  readonly shape: Shape;
  readonly schema: z.ZodType;
}

function readIssue(issue: ZodIssue, above: Path, whole: Whole): readonly Issue[] {
  const path: Path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  const value = valueAt(whole.value, path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, whole));
  if (value === undefined) {
    const key = path.at(-1);
    const hint = key === undefined ? undefined : [`add ${key}:`, ...choicesIn(shapeAt(whole.shape, path))].join(' ');
    return [{ path, kind: 'missing-key', message: `${key ?? 'the value'} is missing`, hint }];
  }
  if (issue.code === 'invalid_union') return readUnion(issue.errors, { path, value, whole });
  const mismatch = { ...describeMismatch([issue], value, targetAt(path, whole)), ...formHint(issue, path, whole) };
  return [{ path, kind: 'wrong-value', ...mismatch, ...(isCustom(issue) ? { message: issue.message, isCustom: true } : {}) }];
}

/** The values of a missing key, if it has few. */
function choicesIn(shape: Shape | undefined): readonly string[] {
  const shapes = shape?.kind === 'either' ? shape.of : [shape];
  const choices = shapes.flatMap((one) => (one?.kind === 'text' ? (one.choices ?? []) : []));
  if (choices.length === 0 || choices.length > MOST_KEYS) return [];
  const others = shapes.some((one) => one?.kind === 'list') ? [', or a list'] : [];
  return [`${choices.join(' or ')}${others.join('')}`];
}

/** The form of a text in the place of a number, which does not fit in quotes either, and the schedule of another key. */
function formHint({ code }: ZodIssue, path: Path, { value: all, schema }: Whole): Pick<Issue, 'hint'> {
  const value = valueAt(all, path);
  const meant = typeof value === 'string' && path.join('.') === 'when.every' ? meantSchedule(value) : undefined;
  if (meant !== undefined) return { hint: `write ${meant}` };
  if (code !== 'invalid_type' || typeof value !== 'number') return {};
  const at = path.join('\0');
  const { error } = schema.safeParse(withValueAt(all, path, String(value)));
  const issue = error?.issues.find((one) => one.path.join('\0') === at && isCustom(one));
  return issue ? { hint: issue.message } : {};
}

/** Reads the issues of the alternative that was probably meant. Without one, it names all alternatives. */
function readUnion(
  options: readonly (readonly ZodIssue[])[],
  { path, value, whole }: { readonly path: Path; readonly value: Json; readonly whole: Whole },
): readonly Issue[] {
  const likely = options.map(withoutSizes).filter((issues) => issues.every((issue) => issue.path.length > 0 || !isOtherKind(issue)));
  const custom = likely.find((issues) => issues.some(isCustom));
  const read = (custom ? [custom] : likely).map((issues) => issues.flatMap((issue) => readIssue(issue, path, whole)));
  const [meant] = read.toSorted((a, b) => withoutMisspelt(a).length - withoutMisspelt(b).length);
  if (meant) return meant;
  return [{ path, kind: 'wrong-value', ...describeMismatch(options.flat(), value, targetAt(path, whole)) }];
}

/** The issues without the missing keys that a misspelled key stands for. */
export function withoutMisspelt(issues: readonly Issue[]): readonly Issue[] {
  const pathOf = (path: Path): string => path.join('\0');
  const meant = new Set(
    issues.flatMap(({ path, suggestion }) => (suggestion === undefined ? [] : [pathOf([...path.slice(0, -1), suggestion])])),
  );
  return issues.filter(({ kind, path }) => kind !== 'missing-key' || !meant.has(pathOf(path)));
}

function isOtherKind({ code }: ZodIssue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

function isCustom({ code, message }: ZodIssue): boolean {
  return (code === 'custom' || code === 'invalid_format') && !message.startsWith('Invalid');
}

function unknownKey(key: string, above: Path, { shape, schema }: Whole): Issue {
  if (key === '<<') {
    const hint = 'write the keys of the other map here, or use the whole map, for example with: *name';
    return { path: [...above, key], kind: 'unknown-key', message: 'a map cannot include another one with <<', hint };
  }
  const known = [...new Set(keysAt(schema, above))];
  const homes = known.filter((name) => keysOf(shapeAt(shape, [...above, name])).includes(key));
  const isOfStep = above.length === 0 && keysOf(shapeAt(shape, ['then', 0])).includes(key);
  // The key of another alternative is known, and does not fit here.
  const suggestion = closestName(
    key,
    known.filter((name) => name !== key),
  );
  const likely = known.includes(key)
    ? 'remove it: it does not fit the keys beside it'
    : suggestion === undefined
      ? `available: ${known.join(', ')}`
      : `did you mean ${suggestion}?`;
  const isAbove = above.length === 1 && keysOf(shape).includes(key);
  const parents = [...homes, ...(isOfStep ? ['a step'] : [])];
  const isOfRule = keysOf(shape).includes('when');
  const hint =
    !isAbove && parents.length > 0 && !(suggestion !== undefined && isOneLetterOff(key, suggestion))
      ? `${key} belongs in ${formatList(parents)}: check its indentation`
      : isAbove
        ? `${key} belongs beside ${above[0]}, not in it${isOfRule ? ': write it at the start of the line' : ''}`
        : likely;
  return { path: [...above, key], kind: 'unknown-key', message: `unknown key: ${key}`, hint, suggestion };
}

/** Whether a name is the other one with one more letter at its end, as a plural. */
function isOneLetterOff(a: string, b: string): boolean {
  return a.slice(0, -1) === b || b.slice(0, -1) === a;
}

/** What a schema allows at a path. */
interface Target {
  readonly shape: Shape | undefined;
  readonly keys: readonly string[];
}

function targetAt(path: Path, { shape, schema }: Whole): Target {
  return { shape: shapeAt(shape, path), keys: [...new Set(keysAt(schema, path))] };
}

function describeMismatch(issues: readonly ZodIssue[], value: Json, target: Target): Pick<Issue, 'message' | 'hint'> {
  const expected = [...new Set(issues.flatMap(expectedNames))];
  const isOtherLength = Array.isArray(value) && value.length > 0 && issues.some(({ code }) => code === 'too_big' || code === 'too_small');
  const actual = isOtherLength ? `one of ${value.length}` : describeValue(value);
  const choices = expected.length > 1 ? expected.flatMap((one) => (one === 'true or false' ? ['true', 'false'] : one)) : expected;
  return { message: `expected ${formatList(choices)}, found ${actual}`, hint: suggestFix(issues, expected, { value, ...target }) };
}

function suggestFix(
  issues: readonly ZodIssue[],
  expected: readonly string[],
  { value, shape, keys }: Target & { readonly value: Json },
): string | undefined {
  if (expected.includes('a map') && value === null) return 'write its keys on the next lines, and indent them';
  const isScalar = typeof value === 'boolean' || typeof value === 'number';
  if (expected.includes('text') && isScalar) return `put quotes around it: ${quoted(String(value))}`;
  const choices = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []));
  const flagged = typeof value === 'boolean' ? OTHER_NAMES.get(String(value))?.find((one) => choices.includes(one)) : undefined;
  if (flagged !== undefined) return `did you mean ${flagged}?`;
  const [only, ...others] = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (expected.includes('text') && only !== undefined && others.length === 0) return `write the value of ${only} alone`;
  if (typeof value === 'string') {
    if (isBarePath(value) && !issues.some((issue) => issue.code === 'invalid_format' && issue.format === 'url'))
      return `write "\${{ ${value} }}"`;
    const grouped = expected.some((one) => one.endsWith('number')) && /^\d{1,3}(?:[.,' ]\d{3})+$/u.test(value);
    if (grouped) return `write ${value.replaceAll(/\D/gu, '')}`;
    const isNumeric = expected.some((one) => /^a (?:whole )?number$/u.test(one)) && /^-?\d+(?:\.\d+)?$/u.test(value);
    // YAML reads a number with more digits as text.
    if (isNumeric) return Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? `write ${value} without quotes` : 'write a smaller number';
    const [, thousands] = expected.some((one) => one.endsWith('number')) ? (/^(\d+)k$/iu.exec(value) ?? []) : [];
    if (thousands !== undefined) return `write ${thousands}000`;
    if (expected.includes('true or false') && /^(?:true|false)$/iu.test(value)) return `write ${value.toLowerCase()} without quotes`;
    const flag = expected.includes('true or false') ? YAML_1_1.get(value.toLowerCase()) : undefined;
    const meant = flag ?? meantName(value, choices);
    if (meant !== undefined) return `did you mean ${meant}?`;
    const form = issues.map((issue) => suggestForm(issue, value)).find((one) => one !== undefined);
    if (form !== undefined) return `write ${form}`;
  }
  if (expected.includes('a list')) return suggestList(value, shape);
  if (expected.includes('a map')) return suggestMap(keys, value);
  if (expected.some((one) => one.startsWith('a list '))) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object'))
    return value.length > 1 ? 'write one value; each makes one rule for each of several values' : 'remove the brackets';
  if (typeof value !== 'string') return undefined;
  return expected.length === 1 && /^a (?:whole )?number$/u.test(expected[0] ?? '') ? 'write a number without quotes, as 5' : undefined;
}

function expectedNames(issue: ZodIssue): readonly string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [TYPE_NAMES[issue.expected] ?? issue.expected];
    case 'invalid_value':
      // An empty text removes a part.
      return issue.values.map(String).filter((value) => value !== '');
    case 'too_small':
      return [describeSize(issue.origin, 'at least', issue.minimum)];
    case 'too_big':
      return [describeSize(issue.origin, 'at most', issue.maximum)];
    case 'invalid_union':
      return issue.errors.flat().flatMap(expectedNames);
    case 'invalid_format':
      return [FORMAT_NAMES[issue.format] ?? 'text in another format'];
    default:
      return ['another value'];
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  datetime: 'a timestamp as 2030-12-24T18:00:00Z',
  url: 'an address, for example https://example.org',
};

function describeSize(origin: string, limit: string, size: number | bigint): string {
  if (origin === 'string') return `text of ${limit} ${size} ${Number(size) === 1 ? 'character' : 'characters'}`;
  return origin === 'array' ? `a list of ${limit} ${size}` : `${limit} ${size}`;
}

function describeValue(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value === null) return 'nothing';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

const MOST_KEYS = 8;

/** The keys of the map that the author of a text probably meant. */
function suggestMap(keys: readonly string[], value: Json): string {
  if (Array.isArray(value) && keys.includes('when')) return 'write one rule in each file, without - before its keys';
  // Other texts can be the value of one of the keys.
  const text = typeof value === 'string' ? value : '';
  const [, key] = /^([\w-]+)(?:\s*=|\s+["'])/u.exec(text) ?? [];
  const hint = key !== undefined && (keys.length === 0 || keys.includes(key)) ? colonHint(text) : undefined;
  if (hint !== undefined) return `${COLON_MISSING}: ${hint}`;
  if (keys.length === 0) return 'write each entry as name: value';
  return `write a map with keys, for example ${keys.slice(0, MOST_KEYS).join(', ')}${keys.length > MOST_KEYS ? ', …' : ''}`;
}

const MOST_CHARACTERS = 100;

/** The list that the author of a single value probably meant. */
function suggestList(value: Json, shape: Shape | undefined): string | undefined {
  const element = elementOf(shape);
  if (element === undefined || value === null || Array.isArray(value)) return undefined;
  if (typeof value === 'object') {
    const [, key] = /^-(\S+)$/u.exec(Object.keys(value)[0] ?? '') ?? [];
    return key === undefined ? 'start it with - , or put [ ] around it' : `write a space after the dash: - ${key}`;
  }
  const text = textOf(element);
  if (typeof value !== 'string') return undefined;
  const isChoice = shape?.kind === 'either' && textOf(shape)?.choices !== undefined && /^[\w-]+$/u.test(value);
  if (text === undefined) return isChoice ? undefined : 'write a list: start each element with - ';
  const meant = text.choices ? closestName(value, text.choices) : value;
  if (meant === undefined || meant.length > MOST_CHARACTERS) return undefined;
  const elements = text.choices ? [meant] : meant.split(/\s*,\s*/u).filter((one) => one !== '');
  return `write [${elements.map(plainOrQuoted).join(', ')}]`;
}

function elementOf(shape: Shape | undefined): Shape | undefined {
  if (shape?.kind === 'either') return shape.of.map(elementOf).find((one) => one !== undefined);
  return shape?.kind === 'list' ? shape.of : undefined;
}
