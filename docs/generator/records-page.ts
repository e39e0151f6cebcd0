import { z } from 'zod';
import { fieldTable } from './fields.ts';
import { code, firstParagraph, page, paragraphs, table } from './markdown.ts';
import type { Sources } from './sources.ts';
import type { SchemaNames } from './type-text.ts';

/** The records of a client. */
export interface ClientRecords {
  /** The name of the client in rules, for example `streaming`. */
  readonly client: string;
  readonly title: string;
  /** The place of the page in the navigation. */
  readonly order: number;
  /** The entry of the package that exports the records, for example `fanfare/streaming`. */
  readonly entry?: string | undefined;
  /** The records, enumerations and containers by name. */
  readonly exports: Readonly<Record<string, unknown>>;
  readonly sources: Sources;
}

/** The name of the page with the records of a client. */
export function recordsFile(client: string): string {
  return `records-${client}.md`;
}

/** The page of the records of a client. */
export function recordsPage(records: ClientRecords): string {
  const { title, entry, exports, order } = records;
  const names = recordNames(exports);
  return page(
    { title, order },
    `The fields of every record that the operations of ${code(records.client)} return.`,
    entry === undefined ? undefined : `\`${entry}\` exports the records, enumerations and containers.`,
    ...recordSections(records, names),
    enumerationTable(records),
    entry === undefined ? undefined : containerTable(records),
  );
}

/** The list of the records of all clients. */
export function recordsIndexPage(clients: readonly ClientRecords[], order: number): string {
  return page(
    { title: 'Records', order },
    'All records that operations return, with links to their fields.',
    RECORDS,
    ...clients.map((records) =>
      paragraphs(
        `## ${records.title}`,
        table(
          ['record', 'meaning'],
          [...recordNames(records.exports).values()].map((name) => [
            `[${name}](${recordsFile(records.client)}#${name.toLowerCase()})`,
            firstParagraph(records.sources.docOf(name)?.text ?? ''),
          ]),
        ),
      ),
    ),
  );
}

const RECORDS = `A rule reads a record in three places: \`item\` is a record of the operation in \`watch\`, \`steps.<id>\` is the result of a step, and \`steps.<id>.items\` has the
records of a step that reads a list. The [operations](operations.md) name the record that they return, and [the HTTP API](http-api.md#records) lists the records of its answers.

In the tables, \`?\` marks a field that a platform can omit: in an expression, its text is empty and its number is absent. A \`Date\` is a timestamp in
expressions. Fields that end in \`Ms\` are milliseconds.`;

/** The names of the exported schemas of a module. */
export function recordNames(exports: Readonly<Record<string, unknown>>): SchemaNames {
  return new Map(Object.entries(exports).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : [])));
}

function recordSections({ sources }: ClientRecords, names: SchemaNames): readonly string[] {
  return [...names].map(([schema, name]) =>
    schema instanceof z.ZodType ? paragraphs(`## ${name}`, sources.docOf(name)?.text, fieldTable(schema, names)) : '',
  );
}

function enumerationTable({ exports, sources }: ClientRecords): string {
  const rows = Object.entries(exports).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[code(name), sources.docOf(name)?.text ?? '', code(value)]];
    if (typeof value !== 'object' || value === null || value instanceof z.ZodType) return [];
    return [[code(name), sources.docOf(name)?.text ?? '', Object.values(value).map(String).map(code).join(', ')]];
  });
  return rows.length === 0 ? '' : paragraphs('## Enumerations', table(['name', 'meaning', 'values'], rows));
}

function containerTable({ exports, sources }: ClientRecords): string {
  const names = Object.entries(exports).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  return paragraphs(
    '## Containers',
    'Every container has `items`, `length`, `at(index)`, an iterator, `cursor`, `hasNext`, `scanned`, `approximate` and `partialErrors`.',
    table(
      ['container', 'meaning'],
      names.map((name) => [code(name), sources.docOf(name)?.text ?? '']),
    ),
  );
}
