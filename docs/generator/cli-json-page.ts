import { z } from 'zod';
import { ANSWER_CONVERSION } from '#src/admin/queries/answer-conversion.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { fieldsIn, jsonType } from './json-type.ts';
import { code, codeBlock, frontMatter, paragraphs, table } from './markdown.ts';

/** What the page shows. */
export interface CliJson {
  /** The schema of the answer of each command. */
  readonly answers: ReadonlyMap<string, z.ZodType>;
  /** The schema of a failure. */
  readonly failure: z.ZodType;
  /** The commands without `--json`, and why. */
  readonly without: Readonly<Record<string, string>>;
  /** The records of the HTTP API, to which the page refers. */
  readonly records: Readonly<Record<string, z.ZodType>>;
}

const INTRODUCTION = `With \`--json\`, a command prints one JSON document to standard output and nothing else. Questions, warnings and progress go to standard
error. Exit codes are the same with and without it.

- \`version\` is 1. It changes if a field changes its meaning or is removed. New versions of Fanfare can add fields without another \`version\`: ignore
  fields that you do not know.
- Timestamps are ISO 8601 in UTC, for example \`2026-11-20T18:00:00.000Z\`. Fields without a value are omitted.
- If the command fails, the document has [\`error\`](#errors) and no other fields. A command that finds errors, for example \`fanfare check\`, prints its
  answer and exits with 1.
- Some commands have several answers. Each has its own fields.
- The output has no passwords and no tokens, except the text of a new token that \`fanfare token create\` prints once.
- Types such as \`Delivery\` are [records of the HTTP API](http-api.md#records).`;

const EXAMPLE = `fanfare rules list --json | jq -r '.rules[] | select(.on | not) | .id'`;

/** The reference of the JSON output of commands. */
export function cliJsonPage({ answers, failure, without, records }: CliJson): string {
  const names = new Map(Object.entries(records).map(([name, schema]) => [schema, name]));
  return paragraphs(
    frontMatter('JSON output of commands'),
    '# JSON output of commands',
    INTRODUCTION,
    codeBlock('sh', `# The ids of all rules that are off\n${EXAMPLE}`),
    ...[...answers].flatMap(([command, schema]) => [`## fanfare ${command}`, ...answerParts(schema, names)]),
    '## Errors',
    ...answerParts(failure, names),
    '## Commands without JSON',
    table(
      ['command', 'reason'],
      Object.entries(without).map(([command, reason]) => [code(`fanfare ${command}`), reason]),
    ),
  ).concat('\n');
}

type Names = ReadonlyMap<z.core.$ZodType, string>;

function answerParts(answer: z.ZodType, names: Names): readonly string[] {
  const record = names.get(answer);
  if (record !== undefined) return [`The fields of ${link(record)}.`];
  if (answer instanceof z.ZodUnion)
    return answer.options.flatMap((option) => [z.globalRegistry.get(option)?.description ?? '', fieldTable(jsonSchemaOf(option, names))]);
  return [fieldTable(jsonSchemaOf(answer, names))];
}

function jsonSchemaOf(answer: z.core.$ZodType, names: Names): JsonSchema {
  const registry = z.registry<{ readonly id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  registry.add(answer, { id: 'answer' });
  return z.toJSONSchema(registry, ANSWER_CONVERSION).schemas['answer'] ?? {};
}

function fieldTable(schema: JsonSchema): string {
  return table(
    ['field', 'type', 'meaning'],
    fieldsIn(schema).map(({ path, required, schema: field }) => [
      code(`${path}${required ? '' : '?'}`),
      typeText(jsonType(field)),
      field.description ?? '',
    ]),
  );
}

/** The type with a link to the record in it. */
function typeText(type: string): string {
  const [, record] = /^([A-Z]\w+)(?:\[\])?$/u.exec(type) ?? [];
  return record === undefined || record === 'JSON' ? code(type) : link(record, type);
}

function link(record: string, text = record): string {
  return `[${code(text)}](http-api.md#${record.toLowerCase()})`;
}
