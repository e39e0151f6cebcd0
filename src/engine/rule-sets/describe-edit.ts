import { canonical, isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { formatPath, Report, type Path } from '#src/rules/document/report.ts';
import { plainValue } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { RuleFile } from '#src/rules/grammar/rule-file.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';

/** The largest number of differences in one line. */
const MOST_SHOWN = 6;
/** The text omits longer values. */
const LONGEST_SHOWN = 40;

interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Describes an edit in one line: `when.take 5 → 3, text of then[0]`. */
export function describeEdit(before: string, after: string): string {
  const found = differences(valueOf(before), valueOf(after), []);
  if (found.length === 0) return 'no change in behavior';
  const shown = found.slice(0, MOST_SHOWN).map(describe);
  return [...shown, ...(found.length > MOST_SHOWN ? [`${found.length - MOST_SHOWN} more`] : [])].join(', ');
}

/** A valid rule file as plain values. */
function valueOf(source: string): Json | undefined {
  const document = readDocument(source, new Report('', source));
  return document && plainValue(document, [], shapeOf(RuleFile));
}

function differences(before: Json | undefined, after: Json | undefined, path: Path): readonly Difference[] {
  if (canonical(before ?? null) === canonical(after ?? null)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  if (!isJsonList(before) || !isJsonList(after)) return [{ path, before, after }];
  const [old, now] = [named(before, path), named(after, path)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((name) => differences(old.get(name), now.get(name), [...path, name]));
}

/** The elements of a list by name: a step by its index, a value of `each` by its id. */
function named(list: readonly Json[], [section]: Path): ReadonlyMap<string | number, Json> {
  return new Map(list.map((one, index) => [section === 'each' ? nameOf(one) : index, one]));
}

function nameOf(value: Json): string {
  const name = isJsonObject(value) ? value['id'] : value;
  return typeof name === 'string' ? name : JSON.stringify(name ?? null);
}

function describe({ path, before, after }: Difference): string {
  const name = placeOf(path);
  if (before === undefined) return isShort(after) && !name.endsWith(`.${show(after)}`) ? `${name} ${show(after)} (new)` : `${name} (new)`;
  if (after === undefined) return `${name} (gone)`;
  return isShort(before) && isShort(after) ? `${name} ${show(before)} → ${show(after)}` : name;
}

/** The path of a value. A parameter has its name and its step: `text of then[0]`. */
function placeOf(path: Path): string {
  const [section, index, key, ...rest] = path;
  const isParameter = typeof index === 'number' && key === 'with' && rest.length > 0;
  return isParameter ? `${formatPath(rest)} of ${formatPath([section ?? '', index])}` : formatPath(path);
}

function isShort(value: Json | undefined): boolean {
  return show(value).length <= LONGEST_SHOWN && !(typeof value === 'string' && value.includes('${{'));
}

function show(value: Json | undefined): string {
  return typeof value === 'string' && /^[\p{L}\p{N} .:/#*_-]+$/u.test(value) ? value : JSON.stringify(value ?? null);
}
