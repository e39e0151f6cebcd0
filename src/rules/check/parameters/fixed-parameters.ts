import type { DeclaredList } from '#src/operation/declared.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Path } from '../../document/report.ts';
import { ExpressionError } from '../../expression/complaints/expression-error.ts';
import { evaluateTemplate } from '../../expression/evaluate-template.ts';
import type { Place } from '../../expression/expressions.ts';
import { NOT_FOR_POLLS } from '../../grammar/watchable.ts';
import { isTemplate } from '../../grammar/template.ts';
import { isWritten, type Desk } from '../desk.ts';
import { checkStructure } from '../structure.ts';
import { checkParameters } from './check-parameters.ts';

const FIXED: Place = { kind: 'fixed', names: { steps: {} } };

/** The parameters of what is watched: their expressions are worked out when the rule is loaded. */
export function checkFixedParameters(declared: DeclaredList, path: Path, desk: Desk): JsonObject {
  const { document, report, catalogue } = desk;
  for (const name of NOT_FOR_POLLS) {
    if (isWritten(desk, [...path, name]))
      report.error(document.keySpot(path, name), `${name} cannot stand here: polls keep their own pace`);
  }
  const { value, expressions } = checkParameters(declared, { path, place: FIXED }, desk);
  if (report.hasErrors || expressions.length === 0) return value;

  function fixed(one: Json | undefined, at: Path): Json | undefined {
    if (typeof one === 'string' && isTemplate(one)) return evaluated(one, at);
    if (Array.isArray(one)) return one.map((element: Json, index) => fixed(element, [...at, index]) ?? null);
    if (!isJsonObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, field]) => [key, fixed(field, [...at, key])]));
  }

  function evaluated(text: string, at: Path): Json | undefined {
    try {
      return evaluateTemplate(text, {}, { place: FIXED, catalogue });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      report.error(document.spot(at), error.message, error.hint);
      return undefined;
    }
  }

  const result = fixed(value, path);
  checkStructure(declared.params, result, { desk, path });
  return isJsonObject(result) ? result : {};
}
