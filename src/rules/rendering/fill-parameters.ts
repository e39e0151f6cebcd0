import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { evaluateTemplate } from '../expression/evaluate-template.ts';
import type { Inputs } from '../expression/expression.ts';
import { expressionsOf, type Place } from '../expression/expressions.ts';
import { shapeAt, textOf, type Shape, type TextShape } from '../shape/shape.ts';
import { isTemplate, onlyExpression, parseTemplate } from '../grammar/template.ts';
import { escapeFor } from './escape-for.ts';
import type { FitText } from './fit-text.ts';

export interface FillOptions {
  readonly inputs: Inputs;
  readonly place: Place;
  readonly catalogue: Catalogue;
  /** Makes texts fit where they end up. */
  readonly fit: FitText;
}

/** The parameters, or why there are none. */
export type Filled = { readonly params: JsonObject } | { readonly empty: { readonly parameter: string; readonly written: string } };

const ANYTHING: Shape = { kind: 'anything' };

/** What becomes of a text; undefined: it came out empty. */
type OnText = (text: string, shape: Shape) => Json | undefined;

/**
 * Works out all expressions in the parameters of a step.
 *
 * What comes out empty is left out. A map is empty where it lacks what it must have; at the top that leaves nothing to do,
 * as it does where nothing is left of what it would belong to.
 */
export function fillParameters(parameters: JsonObject, shape: Shape, options: FillOptions): Filled {
  const onText: OnText = (text, at) => (isTemplate(text) ? fillTemplate(text, at, options) : options.fit(text, textOf(at)));
  const { fields, lacking } = rebuildFields(parameters, shape, onText);
  if (lacking === undefined) return { params: fields };
  return { empty: { parameter: lacking, written: JSON.stringify(parameters[lacking]) } };
}

function fillTemplate(text: string, shape: Shape, options: FillOptions): Json | undefined {
  const wanted = textOf(shape);
  const value = evaluateTemplate(text, options.inputs, { ...options, escape: escapeFor(wanted) });
  const only = onlyExpression(parseTemplate(text));
  if (only) {
    const { isOwn } = expressionsOf(options.catalogue).compile(only.source, options.place);
    return value === undefined ? undefined : rebuild(value, shape, whole(isOwn, options.fit));
  }
  return typeof value === 'string' ? fitSaid(value, wanted, options.fit) : value;
}

/** Text that an expression gives from end to end. */
function whole(isOwn: boolean, fit: FitText): OnText {
  return (text, shape) => {
    const wanted = textOf(shape);
    return fitSaid(escapeFor(wanted)(text, { before: '', isOwn }), wanted, fit);
  };
}

function fitSaid(text: string, shape: TextShape | undefined, fit: FitText): string | undefined {
  const whole = text.replace(/\n$/u, '');
  return whole.trim() === '' ? undefined : fit(whole, shape);
}

function rebuild(value: Json, shape: Shape, onText: OnText): Json | undefined {
  if (typeof value === 'string') return onText(value, shape);
  if (Array.isArray(value)) {
    const element = shapeAt(shape, [0]) ?? ANYTHING;
    const kept = value.map((one: Json) => rebuild(one, element, onText)).filter((one) => one !== undefined);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const { fields, lacking } = rebuildFields(value, shape, onText);
  const isEmpty = Object.keys(fields).length === 0 && Object.keys(value).length > 0;
  return isEmpty || lacking !== undefined ? undefined : fields;
}

/** The fields that did not come out empty, and one that did and is needed. */
function rebuildFields(
  map: JsonObject,
  shape: Shape,
  onText: OnText,
): { readonly fields: JsonObject; readonly lacking: string | undefined } {
  const fields: [string, Json][] = [];
  let lacking: string | undefined;
  for (const [key, value] of Object.entries(map)) {
    const rebuilt = value === undefined ? undefined : rebuild(value, shapeAt(shape, [key]) ?? ANYTHING, onText);
    if (rebuilt !== undefined) fields.push([key, rebuilt]);
    else if (isNeeded(shape, key)) lacking ??= key;
  }
  return { fields: Object.fromEntries(fields), lacking };
}

/** Whether there is nothing to do without it: it must be there, or what is written belongs to it. */
function isNeeded(shape: Shape, key: string): boolean {
  if (shape.kind === 'either') return shape.of.some((one) => isNeeded(one, key));
  const field = shape.kind === 'record' ? shape.fields.get(key) : undefined;
  return field !== undefined && (!field.optional || field.belonging === true);
}
