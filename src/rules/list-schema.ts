import type { Catalogue } from '#src/clients/operation/declared.ts';
import { peopleReads } from './check/check-source.ts';
import { ENTRY_PATTERN, FIELD_PATTERN, MOST_ENTRIES, MOST_FIELDS, MOST_VALUE, SOURCED_KEYS, SourceFile } from './grammar/list-file.ts';
import type { JsonSchema } from './editor-schema.ts';

/** Fields that Fanfare or its shipped rules read, for completion. */
const USUAL_FIELDS: Readonly<Record<string, string>> = {
  twitch: 'The handle on Twitch.',
  kick: 'The handle on Kick.',
  channel: 'The Discord channel of announcements.',
  ping: 'The Discord role that an announcement pings.',
  message: 'The text of an announcement, with placeholders as {name}, {title}, {game} and {url}.',
  line: 'A line about the person, for expressions.',
};

/** The value of any field: a rule decides what it reads. An id of Discord is a number if it has no quotes. */
const VALUE: JsonSchema = { type: ['string', 'number', 'boolean', 'array', 'object'], maxLength: MOST_VALUE };

/** The JSON Schema of a list file, for editors. */
export function listSchema(catalogue: Catalogue): JsonSchema {
  const entries = entriesSchema();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A list of Fanfare',
    description: 'Entries by id. Rules read them as `lists.<name>`, with the name of the file.',
    // `source` beside other entries is the id of an entry.
    if: { type: 'object', required: ['source'], propertyNames: { enum: [...SOURCED_KEYS] } },
    then: { properties: { source: sourceSchema(catalogue), entries: { ...entries, description: 'The entries of the file, by id.' } } },
    else: entries,
  };
}

function sourceSchema(catalogue: Catalogue): JsonSchema {
  const { watch, account } = SourceFile.shape;
  return {
    type: 'object',
    description: 'The source of further people. Entries of the file add fields to them.',
    required: ['watch'],
    additionalProperties: false,
    properties: {
      watch: { description: watch.description ?? '', enum: [...peopleReads(catalogue)] },
      account: { type: 'string', description: account.description ?? '' },
      with: { type: 'object', description: 'The parameters of the operation.' },
    },
  };
}

function entriesSchema(): JsonSchema {
  return {
    type: ['object', 'null'],
    maxProperties: MOST_ENTRIES,
    propertyNames: { pattern: ENTRY_PATTERN.source },
    additionalProperties: {
      type: ['object', 'null'],
      description: 'The fields of the entry.',
      maxProperties: MOST_FIELDS,
      propertyNames: { pattern: FIELD_PATTERN.source },
      properties: Object.fromEntries(Object.entries(USUAL_FIELDS).map(([name, description]) => [name, { ...VALUE, description }])),
      additionalProperties: { ...VALUE, description: 'Text, a number, true or false, a list or a map.' },
    },
  };
}
