import type { Context } from 'hono';
import { z } from 'zod';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { alternativesOf, type Alternatives } from './alternatives.ts';
import { expectedOf, schemaAt } from './expected.ts';
import { formatUnknownName, OrderError, shown } from './order-error.ts';

/** The noun for the values of a field, if it differs from the name of the field. */
const NOUNS: Readonly<Record<string, string>> = {
  do: 'action',
  allow: 'permission',
  deny: 'permission',
  intents: 'intent',
  preferredLocale: 'locale',
};

/** The body of a request. An empty body is an empty order. Throws an `OrderError` that names every mistake. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await c.req.text();
  return readOrder(schema, text.trim() === '' ? {} : parseJson(text));
}

/** The query of a request. Throws an `OrderError` that names every mistake. */
export function readQuery<T>(c: Context, schema: z.ZodType<T>): T {
  return readOrder(schema, c.req.query(), 'parameter');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OrderError(`the body is not JSON: ${shown(text)}.`);
  }
}

function readOrder<T>(schema: z.ZodType<T>, value: unknown, field: 'field' | 'parameter' = 'field'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OrderError(mistakesIn(schema, value, field).join(' '));
}

function mistakesIn(schema: z.core.$ZodType, value: unknown, field: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`the body: expected an object, got ${shown(value)}.`];
  }
  const alternatives = alternativesOf(schema);
  const form = alternatives ? chosenForm(alternatives, value) : schema;
  if (typeof form === 'string') return [form];
  const { error } = z.safeParse(form, value);
  return (error?.issues ?? []).flatMap((issue) => formatIssue(issue, { form, value, field }));
}

/** The form of the order, or what is wrong with its choice. */
function chosenForm({ field, forms }: Alternatives, value: object): z.core.$ZodType | string {
  const names = [...forms.keys()];
  if (field !== undefined) {
    const name = valueAt(value, [field]);
    if (name === undefined) return `${field}: required. Allowed: ${names.join(', ')}.`;
    const form = typeof name === 'string' ? forms.get(name) : undefined;
    return form ?? formatUnknownName({ field, noun: NOUNS[field] ?? field, name, known: names });
  }
  const keys = Object.keys(value);
  const [chosen, other] = names.filter((name) => keys.includes(name));
  if (chosen === undefined) {
    const meant = keys.flatMap((key) => closestName(key, names) ?? [])[0];
    return `the body: one of the fields ${names.join(', ')} is required.${meant === undefined ? '' : ` Did you mean ${shown(meant)}?`}`;
  }
  if (other !== undefined) return `${other}: not possible together with ${chosen}. An order has one of ${names.join(', ')}.`;
  return forms.get(chosen) ?? '';
}

interface Mistaken {
  readonly form: z.core.$ZodType;
  readonly value: object;
  /** The noun for a key: `field` or `parameter`. */
  readonly field: string;
}

function formatIssue(issue: z.core.$ZodIssue, { form, value, field: noun }: Mistaken): readonly string[] {
  const place = placeText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const object = schemaAt(form, issue.path);
    const known = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
    return issue.keys.map((key) => formatUnknownKey(place === '' ? key : `${place}.${key}`, { key, noun, known }));
  }
  if (issue.code === 'custom') return [`${place}: ${issue.message}.`];
  const found = valueAt(value, issue.path);
  const schema = schemaAt(form, issue.path);
  if (issue.code === 'invalid_value' && found !== undefined) {
    const key = issue.path.findLast((part) => typeof part === 'string') ?? '';
    return [formatUnknownName({ field: place, noun: NOUNS[key] ?? key, name: found, known: issue.values.map(String) })];
  }
  const expected = schema ? expectedOf(schema) : 'another value';
  return [found === undefined ? `${place}: required. Expected ${expected}.` : `${place}: expected ${expected}, got ${shown(found)}.`];
}

function formatUnknownKey(
  place: string,
  { key, noun, known }: { readonly key: string; readonly noun: string; readonly known: readonly string[] },
): string {
  const meant = closestName(key, known);
  return [
    `${place}: unknown ${noun}.`,
    ...(meant === undefined ? [] : [`Did you mean ${shown(meant)}?`]),
    `Allowed: ${known.join(', ') || 'none'}.`,
  ].join(' ');
}

function placeText(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`)).join('');
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined), value);
}
