import type { Declared } from '#src/operation/declared.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Path } from '../../document/report.ts';
import { NOT_FOR_POLLS } from '../../grammar/watchable.ts';
import { isTemplate } from '../../grammar/template.ts';
import { fixedPlace, isWritten, type Desk } from '../desk.ts';
import { evaluateFixed } from '../fixed-values.ts';
import { checkStructure } from '../structure.ts';
import { checkParameters } from './check-parameters.ts';

/** The parameters of what is watched: their expressions are worked out when the rule is loaded. */
export function checkFixedParameters(declared: Declared, path: Path, desk: Desk): JsonObject {
  const { document, report } = desk;
  for (const name of NOT_FOR_POLLS) {
    if (isWritten(desk, [...path, name]))
      report.error(document.keySpot(path, name), `${name} cannot stand here: polls keep their own pace`, 'leave it out');
  }
  const { value, expressions, texts } = checkParameters(declared, { path, place: fixedPlace(desk) }, desk);
  if (expressions.length === 0 || texts.some((text) => text.expressions === undefined)) return value;

  function fixed(one: Json | undefined, at: Path): Json | undefined {
    if (typeof one === 'string') return isTemplate(one) ? evaluateFixed(one, at, desk) : one;
    if (isJsonList(one)) return one.map((element, index) => fixed(element, [...at, index]) ?? null);
    if (!isJsonObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, field]) => [key, fixed(field, [...at, key])]));
  }

  const result = fixed(value, path);
  checkStructure(declared.params, result, { desk, path });
  return isJsonObject(result) ? result : {};
}
