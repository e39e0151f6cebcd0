import { z } from 'zod';
import type { Catalogue, Declared } from '#src/clients/operation/declared.ts';
import { COLLECTING_SECTIONS } from '#src/rules/collecting.ts';
import { RuleFile } from '#src/rules/grammar/rule-file.ts';
import { ABOUT_COMMAND } from '#src/rules/grammar/command-file.ts';
import { ABOUT_WEBHOOK } from '#src/rules/grammar/webhook-file.ts';
import { ABOUT_WATCH, EVENT_KEYS, NOT_FOR_POLLS, ON_ITEM, watchKind } from '#src/rules/grammar/when-file.ts';

/** A JSON Schema of the draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

type Nested = JsonSchema | boolean;

const EXPRESSION: JsonSchema = { type: 'string', pattern: '\\$\\{\\{', description: 'Text with an expression in ${{ }}.' };
const ANY_EXPRESSION: JsonSchema = { $ref: '#/$defs/expression' };

/** The JSON Schema of a rule file, for editors: every key described, and the parameters of every operation. */
export function ruleSchema(catalogue: Catalogue): JsonSchema {
  const { $defs = {}, ...file } = toJsonSchema(RuleFile);
  const { step = {}, when = {}, quiet = {}, limit = {}, gather = {} } = $defs;
  const watch = { ...when, properties: withNumbers(when, ['key']) };
  const verbs = [...catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const watchable = verbs.filter(([, declared]) => watchKind(declared));
  return {
    ...file,
    title: 'A rule of Fanfare',
    properties: withNumbers(file, ['id', 'was', 'about']),
    $defs: {
      ...$defs,
      expression: EXPRESSION,
      step: {
        ...openedBut(withVerbs(step, 'do', verbs), (key) => key !== 'as'),
        oneOf: [{ required: ['do'] }, { required: ['wait'] }],
        allOf: verbs.map(([verb, declared]) => parametersOf('do', verb, stepParameters(declared))),
      },
      when: {
        ...openedBut(withVerbs(watch, 'watch', watchable), (key) => key === 'with' || key === 'watch' || ON_ITEM.includes(key)),
        oneOf: ['every', 'cron', 'at', ...EVENTS].map((key) => ({ required: [key] })),
        dependentRequired: { ...needing('command', ABOUT_COMMAND), ...needing('webhook', ABOUT_WEBHOOK) },
        allOf: [...originsOfItems(), ...watchable.map(([verb, declared]) => parametersOf('watch', verb, pollParameters(declared)))],
      },
      quiet: openedBut(quiet, (key) => key === 'then'),
      limit: openedBut(limit, (key) => key === 'then'),
      gather: { ...openedBut(gather, (key) => key === 'then'), anyOf: [{ required: ['count'] }, { required: ['cron'] }] },
    },
    ...needingSteps(),
  };
}

/** A rule needs steps in `then`, unless another section has some. */
function needingSteps(): JsonSchema {
  const inRule = ['while', 'finally'].map((key): JsonSchema => ({ required: [key], properties: { [key]: { minItems: 1 } } }));
  const inSection = COLLECTING_SECTIONS.map((key): JsonSchema => {
    return { required: [key], properties: { [key]: { required: ['then'], properties: { then: { type: 'array' } } } } };
  });
  return { if: { not: { anyOf: [...inRule, ...inSection] } }, then: { required: ['then'], properties: { then: { minItems: 1 } } } };
}

/** Texts without a pattern that are never a number. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['cron', 'at', 'timezone', 'from', 'maxSize', 'dates']);

/** The keys of a map, of which some have a text that can be a number without quotes, for example the id 2048. */
function withNumbers({ properties = {} }: JsonSchema, texts: readonly string[]): Readonly<Record<string, Nested>> {
  return { ...properties, ...Object.fromEntries(texts.map((key) => [key, { ...asObject(properties[key]), type: ['string', 'number'] }])) };
}

const EVENTS = ['command', 'webhook'] as const;

/** Keys about items need `watch`, which `people` replaces. A rule that an event starts watches nothing. */
function originsOfItems(): readonly JsonSchema[] {
  const replacing = ['people', ...EVENTS].map((key) => ({ required: [key] }));
  const without = (event: (typeof EVENTS)[number]): JsonSchema => {
    const others = ['watch', ...ABOUT_WATCH].filter((key) => !EVENT_KEYS[event].own.some((own) => own === key));
    return { if: { required: [event] }, then: { properties: Object.fromEntries(others.map((key) => [key, false])) } };
  };
  return [{ if: { not: { anyOf: replacing } }, then: { dependentRequired: needing('watch', ABOUT_WATCH) } }, ...EVENTS.map(without)];
}

function needing(needed: string, keys: readonly string[]): Readonly<Record<string, string[]>> {
  return Object.fromEntries(keys.map((key) => [key, [needed]]));
}

/** The map with values that may be expressions, except keys that `isClosed`. fixed-values.ts evaluates the same keys at load. */
function openedBut(schema: JsonSchema, isClosed: (key: string) => boolean): JsonSchema {
  const { properties = {} } = schema;
  const opened = Object.entries(properties).map(([key, value]) => [key, isClosed(key) ? value : openNamed(key, value)] as const);
  return { ...schema, properties: Object.fromEntries(opened) };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema, zodSchema }) {
      // An instant, which a file has as text.
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'string';
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Editors warn about keywords that the standard does not have.
      for (const key of ['text', 'belonging', 'file', 'isUser', 'isRole', 'isAddress']) delete jsonSchema[key];
    },
  });
}

function withVerbs(schema: JsonSchema, key: 'do' | 'watch', verbs: readonly (readonly [string, Declared])[]): JsonSchema {
  const { properties = {}, ...rest } = schema;
  const { pattern: _, ...verb } = asObject(properties[key]);
  return { ...rest, properties: { ...properties, [key]: { ...verb, enum: verbs.map(([name]) => name) } } };
}

/** The schema of `with` for one operation. */
function parametersOf(key: 'do' | 'watch', verb: string, parameters: JsonSchema): JsonSchema {
  const isNeeded = (parameters.required ?? []).length > 0;
  return {
    if: { properties: { [key]: { const: verb } }, required: [key] },
    then: { properties: { with: parameters }, ...(isNeeded ? { required: ['with'] } : {}) },
  };
}

function stepParameters({ params }: Declared): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(params);
  return openFields(schema);
}

function pollParameters(declared: Declared): JsonSchema {
  const { properties = {}, ...schema } = stepParameters(declared);
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !NOT_FOR_POLLS.includes(name))) };
}

/** The map with values that may be expressions. */
function openFields(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, openNamed(name, field)])),
  };
}

function openNamed(name: string, value: Nested): JsonSchema {
  const opened = open(value);
  return TEXT_ONLY.has(name) ? withoutNumbers(opened) : opened;
}

/** The schema without numbers as texts, even as elements of a list. */
function withoutNumbers({ anyOf = [], ...schema }: JsonSchema): JsonSchema {
  const left = anyOf.map(asObject).filter(({ type }) => type !== 'number');
  return { ...schema, anyOf: left.map((one) => (one.type === 'array' ? { ...one, items: itemsWithoutNumbers(one) } : one)) };
}

function itemsWithoutNumbers({ items }: JsonSchema): JsonSchema {
  return Array.isArray(items) ? {} : withoutNumbers(asObject(items));
}

function open(value: Nested): JsonSchema {
  const { description, ...schema } = asObject(value);
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [...(schema.anyOf ?? [schema]).flatMap(openInside), ANY_EXPRESSION],
  };
}

/** The schema whose nested values may be expressions. A text may also be a number, if it has no pattern. */
function openInside(value: Nested): readonly JsonSchema[] {
  const schema = asObject(value);
  if (schema.type === 'string' && !schema.enum && schema.const === undefined)
    return schema.pattern === undefined ? [schema, { type: 'number' }] : [schema];
  if (schema.type === 'array' && schema.items !== undefined && !Array.isArray(schema.items)) {
    return [{ ...schema, items: open(schema.items) }];
  }
  return [openFields(schema)];
}

function asObject(value: Nested | undefined): JsonSchema {
  return typeof value === 'object' ? value : {};
}
