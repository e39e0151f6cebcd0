import type { z } from 'zod';
import { isBelonging } from '#src/operation/belonging.ts';
import { fileTextKind, textKind, type FileTextKind, type TextKind } from '#src/operation/text.ts';

/** What a value looks like, as far as rules ask: of a parameter, or of what an operation answers. */
export type Shape =
  | TextShape
  | { readonly kind: 'whole' | 'number' | 'flag' | 'instant' | 'anything' }
  | ListShape
  | RecordShape
  | EitherShape;

export interface TextShape {
  readonly kind: 'text';
  /** How it is read where it ends up. */
  readonly markup?: TextKind | undefined;
  /** The most UTF-16 units. */
  readonly max?: number | undefined;
  /** The only texts that it may be. */
  readonly choices?: readonly string[] | undefined;
  /** How it names a file. */
  readonly file?: FileTextKind | undefined;
}

interface ListShape {
  readonly kind: 'list';
  readonly of: Shape;
}

export interface RecordShape {
  readonly kind: 'record';
  readonly fields: ReadonlyMap<string, Field>;
}

/** One of several, as a name or `{ id }`. */
export interface EitherShape {
  readonly kind: 'either';
  readonly of: readonly Shape[];
}

export interface Field {
  readonly shape: Shape;
  /** Whether it may be left out. */
  readonly optional: boolean;
  /** Whether what is written belongs to what it names: where that is nothing, nothing is written. */
  readonly belonging?: boolean | undefined;
}

// A declaration never changes: what is remembered changes no answer, and equal records stay one.
const remembered = new WeakMap<z.core.$ZodType, Shape>();

/** Reads the shape of a value off its declaration. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const shape = remembered.get(schema) ?? readShape(schema);
  remembered.set(schema, shape);
  return shape;
}

function readShape(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod; // every schema is one of them: only the union has `def.type`
  switch (def.type) {
    case 'string':
      return textShape(schema as z.ZodString); // says its `def.type`
    case 'number':
      return { kind: (schema as z.ZodNumber).isInt ? 'whole' : 'number' }; // says its `def.type`
    case 'boolean':
      return { kind: 'flag' };
    case 'date':
      return { kind: 'instant' };
    case 'enum':
      return { kind: 'text', choices: Object.values(def.entries).map(String) };
    case 'literal':
      return literalShape(def.values);
    case 'array':
      return { kind: 'list', of: shapeOf(def.element) };
    case 'object':
      return { kind: 'record', fields: new Map(Object.entries(def.shape).map(([name, field]) => [name, fieldOf(field)])) };
    case 'union':
      return { kind: 'either', of: def.options.map(shapeOf) };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return shapeOf(def.innerType);
    default:
      return { kind: 'anything' };
  }
}

function fieldOf(schema: z.core.$ZodType): Field {
  return { shape: shapeOf(schema), optional: schema._zod.optin === 'optional', belonging: isBelonging(schema) };
}

function textShape(schema: z.ZodString): TextShape {
  const file = fileTextKind(schema);
  return { kind: 'text', markup: textKind(schema), max: schema.maxLength ?? undefined, ...(file && { file }) };
}

function literalShape(values: readonly unknown[]): Shape {
  if (values.every((value) => typeof value === 'string')) return { kind: 'text', choices: values };
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'flag' };
  return { kind: 'anything' };
}

/** The shape of what stands at a path; undefined where nothing may. */
export function shapeAt(shape: Shape, [part, ...rest]: readonly (string | number)[]): Shape | undefined {
  if (part === undefined) return shape;
  switch (shape.kind) {
    case 'either':
      return eitherOf(shape.of.flatMap((one) => shapeAt(one, [part, ...rest]) ?? []));
    case 'list':
      return shapeAt(shape.of, rest);
    case 'record': {
      const field = shape.fields.get(String(part));
      return field && shapeAt(field.shape, rest);
    }
    case 'anything':
      return shape;
    default:
      return undefined;
  }
}

/** The keys that may stand in the shape. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  if (shape?.kind === 'either') return shape.of.flatMap(keysOf);
  return shape?.kind === 'record' ? [...shape.fields.keys()] : [];
}

function eitherOf(shapes: readonly Shape[]): Shape | undefined {
  const [first, second] = shapes;
  return second ? { kind: 'either', of: shapes } : first;
}

/** The text that may stand where the shape is; undefined where none may. */
export function textOf(shape: Shape): TextShape | undefined {
  if (shape.kind === 'either') return shape.of.map(textOf).find((one) => one !== undefined);
  return shape.kind === 'text' ? shape : undefined;
}
