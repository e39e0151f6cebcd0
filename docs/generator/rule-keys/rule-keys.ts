import { z } from 'zod';
import { DURATION } from '#src/clients/operation/duration.ts';
import { RuleFile, StepFile } from '#src/rules/grammar/rule-file.ts';
import { accountNames, condition, parameters, verb } from '#src/rules/grammar/scalars.ts';
import { WhenFile } from '#src/rules/grammar/when-file.ts';
import { fieldsOf, meaningOf } from '../fields.ts';
import { limitText, typeText } from '../type-text.ts';

/** A key of a rule file, with the texts of its documentation. */
export interface RuleKey {
  /** The section and the keys, for example `when.changes.rose`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Undefined without a default. */
  readonly defaultText: string | undefined;
  readonly meaning: string;
}

/** The sections of a rule file: keys of the rule, of `when` and of a step. */
export const RULE_SECTIONS = { rule: RuleFile, when: WhenFile, step: StepFile } as const;

const NAMES = new Map<z.core.$ZodType, string>([
  [condition, 'expression'],
  [verb, 'operation'],
  [accountNames, 'account | list of accounts'],
  [parameters, 'map'],
  [StepFile, 'step'],
  [WhenFile, 'map'],
]);

/** All keys of a section, nested keys after their parent. */
export function keysOfSection(section: keyof typeof RULE_SECTIONS): readonly RuleKey[] {
  return keysIn(RULE_SECTIONS[section], section);
}

/** The keys of a map, nested keys after their parent. `above`: the path of the map. */
export function keysIn(schema: z.core.$ZodType, above: string): readonly RuleKey[] {
  return fieldsOf(schema).flatMap(([name, field]) => {
    const path = `${above}.${name}`;
    return [keyOf(path, field), ...mapsIn(field).flatMap((map) => keysIn(map, path))];
  });
}

/** The maps that a value can be or contain, without those that have a section. */
function mapsIn(field: z.core.$ZodType): readonly z.ZodObject[] {
  if (NAMES.has(field)) return [];
  if (field instanceof z.ZodOptional) return mapsIn(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.flatMap(mapsIn);
  if (field instanceof z.ZodArray) return mapsIn(field.element);
  if (field instanceof z.ZodRecord && field.valueType instanceof z.ZodObject) return [field.valueType];
  return field instanceof z.ZodObject ? [field] : [];
}

function keyOf(path: string, field: z.core.$ZodType): RuleKey {
  const text = meaningOf(field);
  const [, meaning = text, defaultText] = /^(.*?)\s*Default: (.*)$/su.exec(text) ?? [];
  return {
    path,
    type: [keyType(field), limitText(field)].filter((part) => part !== '').join(', '),
    isRequired: !(field instanceof z.ZodOptional || field instanceof z.ZodDefault),
    defaultText: field instanceof z.ZodDefault ? String(field.def.defaultValue) : defaultText?.replace(/\.$/u, ''),
    meaning,
  };
}

function keyType(field: z.core.$ZodType): string {
  const known = NAMES.get(field);
  if (known !== undefined) return known;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return keyType(field.unwrap());
  if (field instanceof z.ZodISODateTime) return 'timestamp';
  if (field instanceof z.ZodUnion) return [...new Set(field.options.map(keyType))].join(' | ');
  if (field instanceof z.ZodArray) return `list of ${keyType(field.element).replaceAll(' | ', ' or ')}`;
  if (field instanceof z.ZodRecord) return field.valueType instanceof z.ZodArray ? 'map of lists' : 'map';
  if (field instanceof z.ZodObject) return 'map';
  if (field instanceof z.ZodEnum) return field.options.map((option) => `\`${option}\``).join(' | ');
  if (field instanceof z.ZodLiteral) return [...field.values].map((value) => `\`${String(value)}\``).join(' | ');
  if (field instanceof z.ZodString) return isDuration(field) ? 'duration' : 'text';
  if (field instanceof z.ZodBoolean) return '`true` | `false`';
  if (field instanceof z.ZodNumber) return field.isInt ? 'whole number' : 'number';
  return typeText(field);
}

function isDuration(field: z.ZodString): boolean {
  return z.toJSONSchema(field).pattern === DURATION.source;
}
