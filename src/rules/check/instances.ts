import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { isReadable } from '#src/rules/grammar/scalars.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { completed, shapeOfValues } from '#src/rules/shape/value-shape.ts';
import type { StepNames } from '#src/rules/step.ts';
import type { CheckContext } from './check-context.ts';
import { checkLeadingZeros } from './check-leading-zeros.ts';
import { textsIn } from './json-path.ts';

/** One of the rules that a file makes. */
interface Instance {
  /** The ids of its values of `each`; undefined without `each`. */
  readonly suffix: string | undefined;
  readonly constants: StepNames['constants'];
}

/** A value of `each`. */
interface Value {
  readonly id: string;
  readonly value: Json;
}

const MOST_INSTANCES = 500;
const VALUE_ID = /^[^\s/,\p{Cc}](?:[^/,\p{Cc}]{0,62}[^\s/,\p{Cc}])?$/u;

/** All combinations of the values of `each`, with their constants; a single instance without `each`. */
export function readInstances(raw: Json | undefined, context: CheckContext): readonly Instance[] {
  const { document, report } = context;
  const { vars, each } = isJsonObject(raw) ? raw : {};
  for (const key of ['vars', 'each']) checkLeadingZeros([key], context);
  const constants = isJsonObject(vars) ? namedConstants(vars, ['vars'], context) : {};
  const lists = Object.entries(isJsonObject(each) ? each : {}).flatMap(([name, list]) =>
    isJsonList(list) && list.length > 0 ? [[name, readValues(name, list, context)] as const] : [],
  );
  if (lists.length === 0) {
    const isEmpty = Object.keys(constants).length === 0;
    return [{ suffix: undefined, constants: isEmpty ? undefined : { vars: constants, each: {} } }];
  }
  if (lists.reduce((count, [, values]) => count * values.length, 1) > MOST_INSTANCES) {
    const message = `each makes more than ${MOST_INSTANCES} rules`;
    report.error(document.keyLocation([], 'each'), 'too-many-instances', message, 'remove values, or split the file');
  }
  if (!report.hasErrors) checkRead(lists, raw, context);
  return combinations(lists)
    .slice(0, report.hasErrors ? 1 : MOST_INSTANCES)
    .map((chosen) => ({
      suffix: chosen.map(([, { id }]) => id).join(','),
      constants: { vars: constants, each: Object.fromEntries(chosen.map(([name, { value }]) => [name, value])) },
    }));
}

/** Reports a key of `each` that no expression reads. */
function checkRead(
  lists: readonly (readonly [name: string, values: readonly Value[]])[],
  raw: Json | undefined,
  { document, report }: CheckContext,
): void {
  if (!isJsonObject(raw)) return;
  const text = JSON.stringify({ ...raw, each: undefined });
  const watched = isJsonObject(raw['when']) ? raw['when'] : {};
  const watchedTexts = textsIn(watched['with']).map((one) => one.text);
  const conditions = textsIn(raw).flatMap((one) => (one.path.at(-1) === 'if' ? one.text : []));
  for (const [name, values] of lists) {
    const { length } = values;
    const read = new RegExp(String.raw`\beach\s*(?:\[|\.\s*${name}\b)`, 'u');
    const isRead = read.test(text);
    // A condition can leave each rule the items of one value.
    const isCondition = conditions.some((one) => read.test(one));
    if (length < 2 || !isReadable(name)) continue;
    if (isRead && !isCondition && !JSON.stringify(watched).includes('each') && values.every(({ id }) => watchedTexts.includes(id))) {
      const message = `each rule watches all values of each.${name}, so ${length} rules announce each of them`;
      const hint = `write "\${{ each.${name} }}" in with, in place of the values`;
      report.warning(document.keyLocation(['each'], name), 'unread-each', message, hint);
    }
    if (isRead) continue;
    const message = `no expression reads each.${name}: ${length} equal rules announce the same`;
    report.warning(document.keyLocation(['each'], name), 'unread-each', message, `write "\${{ each.${name} }}" where the values belong`);
  }
}

function namedConstants(map: JsonObject, path: Path, context: CheckContext): JsonObject {
  const fields = Object.entries(map).map(([name, value]) => {
    checkName(name, path, context);
    return [name, checkConstant(value, [...path, name], context)] as const;
  });
  const values = Object.fromEntries(fields);
  return completed(values, shapeOfValues([values])) as JsonObject; // a map stays a map
}

function checkName(name: string, path: Path, { document, report }: CheckContext): void {
  if (isReadable(name)) return;
  const message = `${path[0]}.${name} is not a valid name`;
  report.error(document.keyLocation(path, name), 'unreadable-name', message, 'a name has letters, digits and _');
}

function readValues(name: string, list: readonly Json[], context: CheckContext): readonly Value[] {
  const { document, report } = context;
  const path = ['each', name];
  checkName(name, ['each'], context);
  const seen = new Set<string>();
  const ids = list.map((value, index) => {
    const isMap = isJsonObject(value);
    const location = document.locationOf(isMap && value['id'] !== undefined ? [...path, index, 'id'] : [...path, index]);
    const id = idOf(value);
    if (id === undefined && isMap) {
      report.error(location, 'value-without-id', 'a map in each needs an id', 'add id: a short name that never changes');
    } else if (id === undefined) {
      report.error(location, 'value-without-id', 'expected text, a number or a map with an id', 'write { id: a-short-name, … }');
    } else if (!VALUE_ID.test(id)) {
      const message = 'the id of a value has at most 64 characters, and no slash or comma';
      report.error(location, 'value-id', message, 'write { id: a-short-name, … }');
    } else if (seen.has(id)) {
      report.error(location, 'duplicate-value', `another value has the id ${id}`, 'choose another id');
    }
    seen.add(id ?? '');
    return id ?? '';
  });
  // A value that can have no id has its error.
  if (list.some(isJsonObject) && list.some((value) => !isJsonObject(value) && idOf(value) !== undefined)) {
    report.error(
      document.locationOf(path),
      'mixed-values',
      'some values are maps and others are not',
      'write all values as maps with an id',
    );
  }
  const values = list.map((value, index) => (value === null ? value : checkConstant(value, [...path, index], context)));
  const shape = shapeOfValues(values);
  return values.map((value, index) => ({ id: ids[index] ?? '', value: completed(value, shape) ?? null }));
}

function idOf(value: Json): string | undefined {
  const id = isJsonObject(value) ? value['id'] : value;
  return id === null || typeof id === 'object' || id === undefined ? undefined : String(id);
}

type Choice = readonly (readonly [string, Value])[];

function combinations(lists: readonly (readonly [string, readonly Value[]])[]): readonly Choice[] {
  let all: readonly Choice[] = [[]];
  for (const [name, values] of lists) {
    all = all.flatMap((choice) => values.map((value): Choice => [...choice, [name, value]])).slice(0, MOST_INSTANCES + 1);
  }
  return all;
}

const MOST_LEVELS = 6;
/** Each different map becomes a type of the expression environment. */
const MOST_MAPS = 2_000;
const UNREADABLE_FIELDS = ['constructor', '__proto__'];

/** Checks a constant. Null replaces values that are not allowed. */
function checkConstant(value: Json | undefined, path: Path, { document, report }: CheckContext): Json {
  let maps = 0;

  function refuse(at: Path, code: string, message: string, hint?: string): null {
    report.error(document.locationOf(at), code, message, hint);
    return null;
  }

  function check(one: Json | undefined, at: Path): Json {
    if (one === null || one === undefined) return refuse(at, 'empty-constant', 'the value is empty', 'write "" for empty text');
    if (typeof one === 'string' && isTemplate(one)) {
      const message = `${path[0]} has constants and cannot contain expressions`;
      return refuse(at, 'expression-in-constant', message, 'write the expression where it is used');
    }
    if (typeof one !== 'object') return one;
    if (at.length - path.length > MOST_LEVELS) return refuse(at, 'too-deep', 'lists and maps are nested too deeply');
    if (isJsonList(one)) return one.map((element, index) => check(element, [...at, index]));
    if (!isJsonObject(one)) return null;
    if (++maps > MOST_MAPS) {
      return maps === MOST_MAPS + 1 ? refuse(path, 'too-many-maps', `the value contains more than ${MOST_MAPS} maps`) : null;
    }
    const fields = Object.entries(one).flatMap(([name, field]) => {
      if (!UNREADABLE_FIELDS.includes(name)) return [[name, check(field, [...at, name])] as const];
      report.error(document.keyLocation(at, name), 'unreadable-name', `${name} is not a valid name`);
      return [];
    });
    return Object.fromEntries(fields);
  }

  return check(value, path);
}
