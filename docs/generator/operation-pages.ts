import { basename } from 'node:path';
import type { Declared } from '#src/clients/operation/declared.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { watchKind } from '#src/rules/grammar/when-file.ts';
import type { CallSignature } from './call-signature.ts';
import { code, firstParagraph, page, paragraphs, table } from './markdown.ts';
import { operationSection } from './operation-section.ts';
import type { OperationSource } from './sources.ts';
import type { SchemaNames } from './type-text.ts';

/** The operations of a client in rules, for example `discord`. */
export interface ClientOperations {
  readonly client: string;
  readonly title: string;
  /** The first page of its topics in the navigation. */
  readonly order: number;
  readonly operations: readonly OperationSource[];
  /** The page of the records, and their names. */
  readonly records: { readonly file: string; readonly names: SchemaNames };
  /** The TypeScript class, for clients that have one. */
  readonly typescript?: { readonly variable: string; readonly calls: ReadonlyMap<string, readonly CallSignature[]> } | undefined;
}

/** The operations of one source file. */
interface Topic extends ClientOperations {
  readonly topic: string;
  readonly file: string;
}

/** The name of the page that documents an operation. */
export function operationPage(client: string, { file }: Pick<OperationSource, 'file'>, isSingle: boolean): string {
  return isSingle ? `operations-${client}.md` : `operations-${client}-${topicOf(file)}.md`;
}

/** One page for each topic, and the list of all operations. */
export function operationPages(
  clients: readonly ClientOperations[],
  tables: readonly CapabilityTable[],
): readonly (readonly [name: string, text: string])[] {
  const topics = clients.flatMap(topicsOf);
  return [['operations.md', indexPage(topics)], ...topics.map((topic) => [topic.file, topicPage(topic, tables)] as const)];
}

function topicsOf(client: ClientOperations): readonly Topic[] {
  const groups = Map.groupBy(client.operations, ({ file }) => file);
  return [...groups].map(([file, operations], index) => ({
    ...client,
    operations,
    topic: groups.size === 1 ? '' : topicOf(file).replaceAll('-', ' '),
    file: operationPage(client.client, { file }, groups.size === 1),
    order: client.order + index,
  }));
}

function topicOf(file: string): string {
  return basename(file, '.ts');
}

function titleOf({ title, topic }: Topic): string {
  return topic === '' ? title : `${title}: ${topic}`;
}

const PARAMETERS =
  'Rules write the parameters below `with`, under the names in the tables. Each value can be text, a YAML value or an expression in `${{ }}`.';

function topicPage(topic: Topic, tables: readonly CapabilityTable[]): string {
  const { client, operations, typescript, order, records } = topic;
  return page(
    { title: titleOf(topic), order },
    `All parameters, limits and platforms of the operations ${operations.map(({ operation }) => code(`${client}.${operation.name}`)).join(', ')}.`,
    typescript
      ? `${PARAMETERS} Each first block shows the TypeScript signature. If a call takes a record, a rule writes its id.`
      : PARAMETERS,
    ...operations.map((source) =>
      operationSection(source, {
        verb: `${client}.${source.operation.name}`,
        client: typescript && { name: typescript.variable, calls: typescript.calls },
        tables,
        records,
      }),
    ),
  );
}

const INDEX = [
  'A step can use each operation in `do`. `watch` takes the operations with a kind in the second column.',
  'The kind defines what a missing item means: it has ended (`live`), it is below the part that was read (`ranking`), nothing (`feed`), or it is gone if the whole list was read (`set`). `one` reads one record.',
].join(' ');

function indexPage(topics: readonly Topic[]): string {
  return page(
    { title: 'Operations', order: 30 },
    'All operations that rules can use, by topic.',
    INDEX,
    ...topics.map((topic) => paragraphs(`## ${titleOf(topic)}`, topicTable(topic))),
  );
}

function topicTable({ client, operations, file }: Topic): string {
  return table(
    ['operation', 'watch', 'parameters', 'description'],
    operations.map(({ operation, doc }) => [
      `[${client}.${operation.name}](${file}#${operation.name.toLowerCase()})`,
      watchKind(operation) ?? '',
      parametersOf(operation),
      firstParagraph(doc.text),
    ]),
  );
}

function parametersOf({ params }: Declared): string {
  const names = 'shape' in params ? Object.keys(params.shape as object) : []; // each is a z.strictObject
  return names
    .filter((name) => name !== 'waitTime' && name !== 'cursor')
    .map(code)
    .join(', ');
}
