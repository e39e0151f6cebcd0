import { z } from 'zod';
import type { Declared } from '#src/operation/declared.ts';
import type { CapabilityTable } from '#src/queries/capability-table.ts';
import { sharedTable } from './argument-table.ts';
import type { CallSignature } from './call-signature.ts';
import { fieldTable, pagingTable } from './fields.ts';
import { code, codeBlock, firstParagraph, page, paragraphs, table } from './markdown.ts';
import type { OperationSource } from './sources.ts';
import type { Sources } from './sources.ts';
import type { SchemaNames } from './type-text.ts';

export interface ClientPageOptions {
  /** The class, as `Bot`. */
  readonly className: string;
  /** The example that creates a client. */
  readonly construction: string;
  readonly operations: readonly OperationSource[];
  /** The page that documents an operation. */
  readonly pageOf: (operation: OperationSource) => string;
  /** The place of the page in the navigation. */
  readonly order: number;
  /** The signatures of its methods by name. */
  readonly calls: ReadonlyMap<string, readonly CallSignature[]>;
  /** The entry of the package with the records, as `fanfare/streaming`. */
  readonly entry: { readonly name: string; readonly exports: Readonly<Record<string, unknown>> };
  readonly sources: Sources;
  readonly tables: readonly CapabilityTable[];
}

/** The page of a class: how to create a client, its operations, paging and shared options. */
export function clientPage(options: ClientPageOptions): string {
  const { className, construction, calls, sources, order } = options;
  return page(
    { title: `${className} (TypeScript)`, order },
    `How to create a ${code(className)}, and links to all of its operations.`,
    sources.docOf(className)?.text,
    codeBlock('ts', construction),
    '## Operations',
    summaryTable(options),
    '## Pages',
    PAGES,
    pagingTable(),
    '## Options of every call',
    'Every call takes `signal`. Every write also takes the other options. [Errors](errors.md) lists what a call can throw.',
    sharedTable([...calls.values()].flat()),
  );
}

/** The page of the records of a client. */
export function recordsPage(options: ClientPageOptions): string {
  const { entry, className, order } = options;
  const names = namesIn(entry.exports);
  return page(
    { title: `Records of ${className}`, order: order + 10 },
    `The fields of every record that ${code(className)} returns, its enumerations and its containers.`,
    `\`${entry.name}\` exports all of them.`,
    ...recordSections(options, names),
    enumerationTable(options),
    containerTable(options),
  );
}

const PAGES = [
  'A call that reads pages sends no request before you use its result, a `ContainerPromise` of `fanfare`. `await` returns a container with all items, and `for await` yields the items one by one.',
  'The `iter` variant yields one pair for each page: a container with all items so far, and the items of this page.',
].join(' ');

function summaryTable({ operations, pageOf, tables }: ClientPageOptions): string {
  const supportIn = (table: CapabilityTable, operation: Declared): string =>
    table.rows.find((row) => row.operation === operation)?.capability.support ?? '';
  return table(
    ['operation', 'what it does', ...tables.map(({ adapter }) => adapter)],
    operations.map((source) => [
      `[${source.operation.name}](${pageOf(source)}#${source.operation.name.toLowerCase()})`,
      firstParagraph(source.doc.text),
      ...tables.map((one) => supportIn(one, source.operation)),
    ]),
  );
}

/** The names of the exported schemas of a module. */
function namesIn(exports: Readonly<Record<string, unknown>>): SchemaNames {
  return new Map(Object.entries(exports).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : [])));
}

function recordSections({ sources }: ClientPageOptions, names: SchemaNames): readonly string[] {
  return [...names].map(([schema, name]) =>
    schema instanceof z.ZodType ? paragraphs(`## ${name}`, sources.docOf(name)?.text, fieldTable(schema, names)) : '',
  );
}

function enumerationTable({ entry, sources }: ClientPageOptions): string {
  const rows = Object.entries(entry.exports).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[code(name), sources.docOf(name)?.text ?? '', code(value)]];
    if (typeof value !== 'object' || value === null || value instanceof z.ZodType) return [];
    return [[code(name), sources.docOf(name)?.text ?? '', Object.values(value).map(String).map(code).join(', ')]];
  });
  return paragraphs('## Enumerations', table(['name', 'meaning', 'values'], rows));
}

function containerTable({ entry, sources }: ClientPageOptions): string {
  const names = Object.entries(entry.exports).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  return paragraphs(
    '## Containers',
    'Every container has `items`, `length`, `at(index)`, an iterator, `cursor`, `hasNext`, `scanned`, `approximate` and `partialErrors`.',
    table(
      ['container', 'meaning'],
      names.map((name) => [code(name), sources.docOf(name)?.text ?? '']),
    ),
  );
}
