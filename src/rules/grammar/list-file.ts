import { z } from 'zod';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';

/** The most entries of a list and a server. */
export const MOST_ENTRIES = 1_000;
/** The most fields of an entry. */
export const MOST_FIELDS = 30;
/** The most UTF-16 units of a value: of a text, or of the JSON of another value. */
export const MOST_VALUE = 2_000;

/** The most UTF-16 units of a list file. */
export const MOST_LIST_CHARACTERS = 1_048_576;

/** The name of a list, as rules write it after `lists.`. */
export const ListName = z
  .string()
  .regex(/^[a-z]\w{0,63}$/u, 'expected a lowercase letter, then letters, digits or _ (at most 64 characters)')
  .describe('The name of a list, for example `team`.');

/** The ids of entries. */
export const ENTRY_PATTERN = /^(?! |__proto__$)[^\p{C}]{1,100}(?<! )$/u;

/** The id of an entry. Ids of people are usually handles. */
export const EntryId = z
  .string()
  .regex(ENTRY_PATTERN, 'expected 1 to 100 characters without a line break or an invisible character, and no space at the ends')
  .describe('The id of an entry, for example `ada`.');

/** The names of fields. */
export const FIELD_PATTERN = /^(?!(?:id|server)$)[A-Za-z]\w{0,63}$/u;

const object = { type: 'object', additionalProperties: true } as const;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

export const EntryFields = z
  .custom<JsonObject>(isObject, { error: 'expected the fields of the entry', abort: true })
  .superRefine((fields, context) => {
    for (const { field, message } of fieldMistakes(fields)) context.addIssue({ code: 'custom', path: [field], message });
    if (Object.keys(fields).length > MOST_FIELDS)
      context.addIssue({ code: 'custom', message: `an entry can have at most ${MOST_FIELDS} fields` });
  })
  .meta({ ...object, description: 'The fields of the entry, for example `twitch`, `kick`, `channel` or `line`.' });

/** Changed fields of an entry: null removes a field. */
export const FieldChanges = z
  .custom<JsonObject>(isObject, { error: 'expected the changed fields', abort: true })
  .superRefine((fields, context) => {
    const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    for (const { field, message } of fieldMistakes(kept)) context.addIssue({ code: 'custom', path: [field], message });
  })
  .meta({ ...object, description: 'The changed fields. `null` removes a field; other fields stay.' });

/** The fields with a wrong name or value, and what is wrong with them. */
function fieldMistakes(fields: JsonObject): readonly { readonly field: string; readonly message: string }[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const message = FIELD_PATTERN.test(field)
      ? valueMistake(field, value ?? null)
      : `${field} cannot be a field: expected a letter, then letters, digits or _; id and server are reserved`;
    return message === undefined ? [] : [{ field, message }];
  });
}

function valueMistake(field: string, value: Json): string | undefined {
  if (hasPart(value, (part) => part === null)) return `${field} has no value`;
  if (hasPart(value, (part) => Number.isInteger(part) && !Number.isSafeInteger(part)))
    return `${field} has a number that is too large to be exact: write it as a text in quotes`;
  const length = (typeof value === 'string' ? value : JSON.stringify(value)).length;
  return length > MOST_VALUE
    ? `${field} is too long: a value can have at most ${MOST_VALUE} characters; this one has ${length}`
    : undefined;
}

function hasPart(value: Json, isSuch: (part: Json) => boolean): boolean {
  return (
    isSuch(value) ||
    (typeof value === 'object' && value !== null && Object.values(value).some((part: Json | undefined) => hasPart(part ?? null, isSuch)))
  );
}

/** The value of `source` in a list file. */
export const SourceFile = z.strictObject({
  watch: z.string().describe('The operation that reads the people, for example `streaming.getTeamMembers`.'),
  account: z.string().optional().describe('The account that reads them. Default: the only one, or the default of its kind.'),
  with: z.custom<JsonObject>(isObject, { error: 'expected the parameters of the operation' }).optional(),
});

/** The keys of a list file with a source. */
export const SOURCED_KEYS: readonly string[] = ['source', 'entries'];

/** The entries of a list by id. A list file has this form. */
export type EntriesById = Readonly<Record<string, JsonObject>>;
