import { memoize } from '#src/clients/operation/memoize.ts';
import type { z } from 'zod';
import {
  isBelonging,
  isChannelHandle,
  isLowerCaseText,
  isRoleText,
  fileTextKind,
  isUserText,
  isWebAddress,
  textKind,
  type FileTextKind,
  type TextKind,
} from '#src/clients/operation/parameters.ts';

/** The shape of a parameter or a result, as rules see it. */
export type Shape =
  | TextShape
  | { readonly kind: 'whole' | 'number' | 'flag' | 'instant' | 'anything' }
  | ListShape
  | RecordShape
  | EitherShape;

export interface TextShape {
  readonly kind: 'text';
  /** The markup of the target. */
  readonly markup?: TextKind | undefined;
  /** The most UTF-16 units. */
  readonly max?: number | undefined;
  /** The allowed texts. */
  readonly choices?: readonly string[] | undefined;
  /** The kind of file name, if it is one. */
  readonly file?: FileTextKind | undefined;
  /** Whether it never has capitals. */
  readonly isLowerCase?: boolean | undefined;
  /** Whether it is the name of a channel for streams. */
  readonly isHandle?: boolean | undefined;
  /** Whether it names a user. */
  readonly isUser?: boolean | undefined;
  /** Whether it names a role, or everyone. */
  readonly isRole?: boolean | undefined;
  /** Whether it is an address in the web. */
  readonly isAddress?: boolean | undefined;
}

interface ListShape {
  readonly kind: 'list';
  readonly of: Shape;
}

export interface RecordShape {
  readonly kind: 'record';
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether it is an entry of a list, and whether it can have other fields. */
  readonly entry?: 'closed' | 'open';
}

/** Alternatives, for example a name or `{ id }`. */
export interface EitherShape {
  readonly kind: 'either';
  readonly of: readonly Shape[];
}

export interface Field {
  readonly shape: Shape;
  /** Whether the field can be missing. */
  readonly optional: boolean;
  /** Whether the write belongs to the named record: if it is empty, nothing is written. */
  readonly belonging?: boolean | undefined;
}

/** The shape of a zod schema. Equal records have one shape. */
export const shapeOf = memoize(readShape);

function readShape(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod; // every schema is one of them: only the union has `def.type`
  switch (def.type) {
    case 'string':
      return textShape(schema as z.ZodString); // `def.type` is 'string'
    case 'number':
      return { kind: (schema as z.ZodNumber).isInt ? 'whole' : 'number' }; // `def.type` is 'number'
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
  return { shape: shapeOf(schema), optional: schema._zod.optin !== undefined, belonging: isBelonging(schema) };
}

function textShape(schema: z.ZodString): TextShape {
  const file = fileTextKind(schema);
  return {
    kind: 'text',
    markup: textKind(schema),
    max: schema.maxLength ?? undefined,
    ...(file && { file }),
    ...(isLowerCaseText(schema) && { isLowerCase: true }),
    ...(isChannelHandle(schema) && { isHandle: true }),
    ...(isUserText(schema) && { isUser: true }),
    ...(isRoleText(schema) && { isRole: true }),
    ...(isWebAddress(schema) && { isAddress: true }),
  };
}

function literalShape(values: readonly unknown[]): Shape {
  if (values.every((value) => typeof value === 'string')) return { kind: 'text', choices: values };
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'flag' };
  return { kind: 'anything' };
}

/** The shape at a path; undefined if the shape has no such path. */
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

/** The allowed keys. */
export function keysOf(shape: Shape | undefined): readonly string[] {
  if (shape?.kind === 'either') return shape.of.flatMap(keysOf);
  return shape?.kind === 'record' ? [...shape.fields.keys()] : [];
}

/** The allowed keys at a path of a schema, also in maps with free keys, whose shape is unknown. */
export function keysAt(schema: z.core.$ZodType, [part, ...rest]: readonly (string | number)[]): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod; // as in readShape()
  switch (def.type) {
    case 'object':
      if (part === undefined) return Object.keys(def.shape);
      return Object.hasOwn(def.shape, part) && def.shape[part] ? keysAt(def.shape[part], rest) : [];
    case 'record':
      return part === undefined ? [] : keysAt(def.valueType, rest);
    case 'array':
      return part === undefined ? [] : keysAt(def.element, rest);
    case 'union':
      return def.options.flatMap((option) => keysAt(option, part === undefined ? [] : [part, ...rest]));
    case 'optional':
    case 'nullable':
      return keysAt(def.innerType, part === undefined ? [] : [part, ...rest]);
    default:
      return [];
  }
}

function eitherOf(shapes: readonly Shape[]): Shape | undefined {
  const [first, second] = shapes;
  return second ? { kind: 'either', of: shapes } : first;
}

/** The text alternative of a shape; undefined without one. */
export function textOf(shape: Shape): TextShape | undefined {
  if (shape.kind === 'either') return shape.of.map(textOf).find((one) => one !== undefined);
  return shape.kind === 'text' ? shape : undefined;
}
