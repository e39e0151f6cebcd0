import { z } from 'zod';

/** The forms of an order with alternatives. */
export interface Alternatives {
  /** The field whose value selects the form, such as `do`. Absent if each form has a key that no other one has. */
  readonly field: string | undefined;
  /** The forms, by the value or the key that selects them. */
  readonly forms: ReadonlyMap<string, z.ZodObject>;
}

const byUnion = new WeakMap<z.core.$ZodType, Alternatives>();

/** A union of objects. A key that only one of them has selects the object. */
export function byKey<T extends z.ZodObject>(forms: Readonly<Record<string, T>>): z.ZodUnion<readonly T[]> {
  const union = z.union(Object.values(forms));
  byUnion.set(union, { field: undefined, forms: new Map(Object.entries(forms)) });
  return union;
}

/** The alternatives of a schema; undefined if it has none. */
export function alternativesOf(schema: z.core.$ZodType): Alternatives | undefined {
  const known = byUnion.get(schema);
  if (known || !(schema instanceof z.ZodDiscriminatedUnion)) return known;
  const field = schema.def.discriminator;
  const forms = schema.options.flatMap((form) =>
    form instanceof z.ZodObject ? valuesOf(form.shape[field]).map((value) => [value, form] as const) : [],
  );
  return { field, forms: new Map(forms) };
}

function valuesOf(schema: z.core.$ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
