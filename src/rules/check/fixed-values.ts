import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { Path } from '../document/report.ts';
import { ExpressionError } from '../expression/complaints/expression-error.ts';
import { evaluateTemplate } from '../expression/evaluate-template.ts';
import { isTemplate } from '../grammar/template.ts';
import { ON_ITEM } from '../grammar/when-draft.ts';
import { fixedPlace, type Desk } from './desk.ts';
import { checkTemplate } from './parameters/check-template.ts';

/** The rule with all expressions worked out that are fixed when it is loaded: in `when`, `quiet` and `as`. */
export function fixValues(raw: Json | undefined, desk: Desk): Json | undefined {
  if (!isJsonObject(raw)) return raw;
  return withFields(raw, (key, value) => {
    if (key === 'when') return withFields(value, (name, one) => (isOpenIn(name) ? one : fixed(one, ['when', name], desk)));
    if (key === 'quiet') return withFields(value, (name, one) => fixQuiet(name, one, desk));
    return key === 'then' || key === 'while' || key === 'finally' ? fixSteps(value, [key], desk) : value;
  });
}

/** What a text comes to that sees constants only; what is wrong with it is reported and comes to nothing. */
export function evaluateFixed(text: string, path: Path, desk: Desk): Json | undefined {
  const { document, report, catalogue } = desk;
  const place = fixedPlace(desk);
  if (!checkTemplate(text, { path, place }, desk).isRight) return undefined;
  try {
    return evaluateTemplate(text, {}, { place, catalogue });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report.error(document.spot(path), error.message, error.hint);
    return undefined;
  }
}

function isOpenIn(key: string): boolean {
  return key === 'with' || ON_ITEM.includes(key);
}

function fixQuiet(name: string, value: Json | undefined, desk: Desk): Json | undefined {
  return name === 'then' && isJsonList(value) ? fixSteps(value, ['quiet', 'then'], desk) : fixed(value, ['quiet', name], desk);
}

function fixSteps(steps: Json | undefined, path: Path, desk: Desk): Json | undefined {
  if (!isJsonList(steps)) return steps;
  return steps.map((step, index) => withFields(step, (key, one) => (key === 'as' ? fixed(one, [...path, index, key], desk) : one)) ?? null);
}

function fixed(value: Json | undefined, path: Path, desk: Desk): Json | undefined {
  if (typeof value === 'string') return isTemplate(value) ? evaluateFixed(value, path, desk) : value;
  if (isJsonList(value)) return value.map((one, index) => fixed(one, [...path, index], desk) ?? null);
  return withFields(value, (key, one) => fixed(one, [...path, key], desk));
}

function withFields(value: Json | undefined, change: (key: string, value: Json | undefined) => Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, change(key, one)] as const);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}
