import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Path } from '../document/report.ts';
import { isReadable } from '../grammar/words.ts';
import { completed, shapeOfValues } from '../shape/value-shape.ts';
import type { StepNames } from '../step.ts';
import { checkConstant } from './constants.ts';
import type { Desk } from './desk.ts';

/** One of the rules that a file stands for. */
export interface Instance {
  /** The names of its values of `each`; absent where the rule exists once. */
  readonly suffix: string | undefined;
  readonly constants: StepNames['constants'];
}

/** A value of `each`, and what it is known by. */
interface Value {
  readonly id: string;
  readonly value: Json;
}

const MOST_INSTANCES = 500;
const VALUE_ID = /^[^\s/,\p{Cc}](?:[^/,\p{Cc}]{0,62}[^\s/,\p{Cc}])?$/u;

/** The combinations of the values of `each`, with the constants of each; one where there is no `each`. */
export function readInstances(raw: Json | undefined, desk: Desk): readonly Instance[] {
  const { vars, each } = isJsonObject(raw) ? raw : {};
  const constants = isJsonObject(vars) ? namedConstants(vars, ['vars'], desk) : {};
  const lists = Object.entries(isJsonObject(each) ? each : {}).flatMap(([name, list]) =>
    isJsonList(list) && list.length > 0 ? [[name, readValues(name, list, desk)] as const] : [],
  );
  if (lists.length === 0)
    return [{ suffix: undefined, constants: Object.keys(constants).length === 0 ? undefined : { vars: constants, each: {} } }];
  if (lists.reduce((count, [, values]) => count * values.length, 1) > MOST_INSTANCES) {
    desk.report.error(
      desk.document.keySpot([], 'each'),
      `this makes more than ${MOST_INSTANCES} rules`,
      'take values out, or make two files of it',
    );
  }
  return combinations(lists)
    .slice(0, desk.report.hasErrors ? 1 : MOST_INSTANCES)
    .map((chosen) => ({
      suffix: chosen.map(([, { id }]) => id).join(','),
      constants: { vars: constants, each: Object.fromEntries(chosen.map(([name, { value }]) => [name, value])) },
    }));
}

function namedConstants(map: JsonObject, path: Path, desk: Desk): JsonObject {
  const fields = Object.entries(map).map(([name, value]) => {
    checkName(name, path, desk);
    return [name, checkConstant(value, [...path, name], desk)] as const;
  });
  const values = Object.fromEntries(fields);
  return completed(values, shapeOfValues([values])) as JsonObject; // a map stays a map
}

function checkName(name: string, path: Path, { document, report }: Desk): void {
  if (isReadable(name)) return;
  report.error(document.keySpot(path, name), `no expression could read ${path[0]}.${name}`, 'a name is made of letters, digits and _');
}

function readValues(name: string, list: readonly Json[], desk: Desk): readonly Value[] {
  const { document, report } = desk;
  const path = ['each', name];
  checkName(name, ['each'], desk);
  const seen = new Set<string>();
  const ids = list.map((value, index) => {
    const at = isJsonObject(value) && value['id'] !== undefined ? [...path, index, 'id'] : [...path, index];
    const id = idOf(value);
    if (id === undefined) {
      const hint = isJsonObject(value) ? 'add id: a short name that never changes' : undefined;
      report.error(
        document.spot(at),
        isJsonObject(value) ? 'a map in each needs an id' : 'text, a number or a map with an id is wanted here',
        hint,
      );
    } else if (!VALUE_ID.test(id)) {
      report.error(
        document.spot(at),
        'a value of each is known by at most 64 characters, none of them / or ,',
        'write { id: a-short-name, … }',
      );
    } else if (seen.has(id)) report.error(document.spot(at), `another value is known by ${id}`, 'each needs a name of its own');
    seen.add(id ?? '');
    return id ?? '';
  });
  if (list.some(isJsonObject) && !list.every(isJsonObject))
    report.error(document.spot(path), 'either all values are maps here, or none is');
  const values = list.map((value, index) => checkConstant(value, [...path, index], desk));
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
