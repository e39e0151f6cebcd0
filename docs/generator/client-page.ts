import type { Declared } from '#src/clients/operation/declared.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { sharedTable } from './argument-table.ts';
import type { CallSignature } from './call-signature.ts';
import { pagingTable } from './fields.ts';
import { code, codeBlock, firstParagraph, page, table } from './markdown.ts';
import type { OperationSource, Sources } from './sources.ts';

export interface ClientPageOptions {
  /** The class, for example `Bot`. */
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

const PAGES = [
  'A call that reads pages sends no request before you use its result, a `ContainerPromise` of `fanfare`. `await` returns a container with all items, and `for await` yields the items one by one.',
  'The `iter` variant yields one pair for each page: a container with all items so far, and the items of this page.',
].join(' ');

function summaryTable({ operations, pageOf, tables }: ClientPageOptions): string {
  const supportIn = (table: CapabilityTable, operation: Declared): string =>
    table.rows.find((row) => row.operation === operation)?.capability.support ?? '';
  return table(
    ['operation', 'description', ...tables.map(({ adapter }) => adapter)],
    operations.map((source) => [
      `[${source.operation.name}](${pageOf(source)}#${source.operation.name.toLowerCase()})`,
      firstParagraph(source.doc.text),
      ...tables.map((one) => supportIn(one, source.operation)),
    ]),
  );
}
