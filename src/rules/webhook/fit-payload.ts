import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Item } from '#src/rules/poll.ts';
import type { WebhookFields, WebhookType } from '#src/rules/step.ts';

/** A field of a payload that does not fit the rule. It never contains the value. */
export interface FieldFault {
  /** The JSON Pointer of the field. */
  readonly pointer: string;
  readonly detail: string;
}

/** The fields of a payload that a rule reads, or the fields that do not fit. */
export type FittedPayload = { readonly item: Item } | { readonly faults: readonly FieldFault[] };

/** The most faults of one payload. */
const MOST_FAULTS = 20;
/** The most elements of a list. */
const MOST_ELEMENTS = 1_000;
/** Plain decimal numbers, as forms and amounts of money have them. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/u;

/** A time with `Z` or an offset. Without one, the result would depend on the time zone of the machine. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/iu;

/** Takes the fields that a rule reads out of a payload, with their types. Other fields are left out. */
export function fitPayload(fields: WebhookFields, payload: JsonObject): FittedPayload {
  const faults: FieldFault[] = [];
  const item = fitFields(fields, payload, '', faults);
  return faults.length > 0 ? { faults: faults.slice(0, MOST_FAULTS) } : { item };
}

function fitFields(fields: WebhookFields, payload: JsonObject, above: string, faults: FieldFault[]): JsonObject {
  const fitted: Record<string, Json> = {};
  for (const [name, { type, optional }] of Object.entries(fields)) {
    const pointer = `${above}/${name}`;
    // A payload is data of strangers, so inherited names do not count.
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (value === undefined || value === null) {
      if (!optional) faults.push({ pointer, detail: 'the field is missing' });
      continue;
    }
    const one = fitValue(type, value, pointer, faults);
    if (one !== undefined) fitted[name] = one;
  }
  return fitted;
}

function fitValue(type: WebhookType, value: Json, pointer: string, faults: FieldFault[]): Json | undefined {
  if (typeof type === 'string') {
    const converted = convertValue(type, value);
    if (converted === undefined) faults.push({ pointer, detail: `the value is not ${expectedValue(type)}` });
    return converted;
  }
  if ('fields' in type) {
    if (isJsonObject(value)) return fitFields(type.fields, value, pointer, faults);
    faults.push({ pointer, detail: 'the value is not a map' });
    return undefined;
  }
  if (!isJsonList(value) || value.length > MOST_ELEMENTS) {
    faults.push({ pointer, detail: isJsonList(value) ? `the list has more than ${MOST_ELEMENTS} elements` : 'the value is not a list' });
    return undefined;
  }
  return value.flatMap((one, index) => fitValue(type.list, one ?? null, `${pointer}/${index}`, faults) ?? []);
}

/** The description of a valid value of a type without parts. */
export function expectedValue(type: keyof typeof EXPECTED): string {
  return EXPECTED[type];
}

const EXPECTED = {
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  time: 'a time with Z or an offset, as 2026-11-20T18:00:00Z',
} as const;

/** Converts a value to a type without parts; undefined: it does not fit. Forms have only texts, so numbers may be texts. */
export function convertValue(type: WebhookType, value: Json): Json | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
    case 'number':
      return numberOf(value);
    case 'integer': {
      const number = numberOf(value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return value === 'true' ? true : value === 'false' ? false : undefined;
    case 'time': {
      const atMs = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN;
      return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
    }
    default:
      return undefined;
  }
}

function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined;
}
