import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Field, RecordShape, Shape } from './shape.ts';

/** The common shape of several values; `anything` if their kinds differ. */
export function shapeOfValues(values: readonly Json[]): Shape {
  const [first] = values;
  if (first === undefined || values.includes(null)) return { kind: 'anything' };
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'flag' };
  if (values.every((value) => typeof value === 'number')) return { kind: values.every(Number.isSafeInteger) ? 'whole' : 'number' };
  if (values.every((value) => typeof value === 'string' || typeof value === 'number')) return { kind: 'text' };
  if (values.every(isJsonList)) return { kind: 'list', of: shapeOfValues(values.flat(1)) };
  return values.every(isJsonObject) ? recordOfValues(values) : { kind: 'anything' };
}

function recordOfValues(records: readonly JsonObject[]): Shape {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const fields = [...names].map((name): readonly [string, Field] => {
    const there = records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name] ?? null] : []));
    return [name, { shape: shapeOfValues(there), optional: there.length < records.length }];
  });
  return { kind: 'record', fields: new Map(fields) };
}

/** Adds missing fields of the shape: text "", a list [], a flag false. Numbers stay absent. */
export function completed(value: Json | undefined, shape: Shape): Json | undefined {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'number' ? String(value) : (value ?? '');
    case 'flag':
      return value ?? false;
    case 'list':
      return isJsonList(value) ? value.map((one) => completed(one, shape.of) ?? null) : [];
    case 'record': {
      const record = isJsonObject(value) ? value : {};
      return Object.fromEntries([...shape.fields].map(([name, field]) => [name, completed(record[name], field.shape)]));
    }
    default:
      return value;
  }
}

/** What samples have where a shape leaves a choice. */
export interface SampleStyle {
  /** The text of a field; the elements of a list have the name of the list. */
  readonly textOf: (name: string) => string;
  readonly hasElements: boolean;
  readonly fieldsOf: (shape: RecordShape) => readonly (readonly [name: string, field: Field])[];
}

/** Small samples: a map has its required fields, else its first one, because an empty map can mean nothing. */
const SMALL: SampleStyle = {
  textOf: () => 'x',
  hasElements: true,
  fieldsOf({ fields }) {
    const required = [...fields].filter(([, { optional }]) => !optional);
    return required.length > 0 ? required : [...fields].slice(0, 1);
  },
};

export function sampleOf(shape: Shape, style: SampleStyle = SMALL, name = ''): Json {
  switch (shape.kind) {
    case 'text':
      return shape.choices?.[0] ?? style.textOf(name);
    case 'whole':
    case 'number':
      return 1;
    case 'flag':
      return true;
    case 'instant':
      return '2026-01-01T00:00:00Z';
    case 'list':
      return style.hasElements ? [sampleOf(shape.of, style, name)] : [];
    case 'record':
      return sampleRecord(shape, style);
    case 'either':
      return shape.of[0] ? sampleOf(shape.of[0], style, name) : {};
    case 'anything':
      return {};
  }
}

/** A map of a shape. */
export function sampleRecord(shape: RecordShape, style: SampleStyle = SMALL): JsonObject {
  return Object.fromEntries(style.fieldsOf(shape).map(([name, field]) => [name, sampleOf(field.shape, style, name)]));
}

/** A text that is equal for equal shapes. */
export function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `[${shapeText(shape.of)}]`;
    case 'record':
      return `{${[...shape.fields].map(([name, field]) => `${JSON.stringify(name)}${field.optional ? '?' : ''}${shapeText(field.shape)}`).join()}}`;
    default:
      return shape.kind;
  }
}
