import { remarkOf } from '#src/operation/capability.ts';
import type { Declared } from '#src/operation/declared.ts';
import type { CapabilityTable } from '../capability-tables.ts';
import { parameterTable } from './fields.ts';
import { code, codeBlock, paragraphs, table } from './markdown.ts';
import type { SourceDoc } from './source-docs.ts';
import { typeText, type SchemaNames } from './type-text.ts';

export interface OperationSource {
  readonly operation: Declared;
  /** From the root of the project. */
  readonly file: string;
  readonly doc: SourceDoc;
  /** As `user, options?`. */
  readonly args: string;
  /** The name of its twin that goes page by page. */
  readonly twin: string | undefined;
}

export interface SectionOptions {
  /** What the client is called in examples, as `bot`; without one, rules alone have the operation. */
  readonly client?: string | undefined;
  readonly tables: readonly CapabilityTable[];
  readonly names: SchemaNames;
}

/** All that there is to know of one operation. */
export function operationSection(source: OperationSource, { client, tables, names }: SectionOptions): string {
  const { operation, file, doc } = source;
  return paragraphs(
    `### ${operation.name}`,
    doc.text,
    client && codeBlock('ts', callsOf(source, client, names)),
    parameterTable(operation.params),
    operation.kind === 'list' ? 'And `pages`, `waitTime` and `cursor`.' : undefined,
    kindText(operation),
    `Fails with ${errorsOf(operation).map(code).join(', ')}.`,
    supportTable(operation, tables),
    doc.example && codeBlock('ts', doc.example),
    `Declared in [${file}](../../${file}).`,
  );
}

function callsOf({ operation, args, twin }: OperationSource, client: string, names: SchemaNames): string {
  const call = `${client}.${operation.name}(${args}): ${answerOf(operation, names)}`;
  return twin === undefined ? call : `${call}\n${client}.${twin}(${args}): ${pairsOf(operation, names)}`;
}

function answerOf(operation: Declared, names: SchemaNames): string {
  if (operation.kind === 'list') return `ContainerPromise<${typeText(operation.item, names)}, ${operation.into.name}>`;
  return `Promise<${typeText(operation.returns, names)}>`;
}

function pairsOf(operation: Declared, names: SchemaNames): string {
  if (operation.kind !== 'list') return '';
  const item = typeText(operation.item, names);
  return `AsyncGenerator<[${operation.into.name}, ${item.includes(' ') ? `(${item})` : item}[]]>`;
}

const WATCHES = {
  live: 'what is missing from the answer has ended',
  ranking: 'what is missing from the answer is below what was looked at',
  feed: 'that something is missing from the answer says nothing',
  set: 'what is missing from the whole list is gone',
  one: 'the list is of one',
} as const;

function kindText(operation: Declared): string {
  switch (operation.kind) {
    case 'read':
      return 'Reads, and answers once.';
    case 'list':
      return `Reads, and answers in pages. A list of the kind ${code(operation.watch)}: ${WATCHES[operation.watch]}.`;
    case 'write':
      return operation.effect === 'creates'
        ? 'Writes, something new each time: give `key`, the same for every attempt, and a repeat makes nothing twice where the platform can tell.'
        : 'Writes, and may be repeated: a repeat leaves what it finds.';
  }
}

function errorsOf({ kind }: Declared): readonly string[] {
  return ['ValidationError', 'UnsupportedOperation', 'UnsupportedParameter', ...(kind === 'list' ? ['CursorError'] : []), 'PlatformError'];
}

function supportTable(operation: Declared, tables: readonly CapabilityTable[]): string {
  const rows = tables.flatMap(({ adapter, rows: all }) => {
    const capability = all.find((row) => row.operation === operation)?.capability;
    if (!capability) return [];
    const parts = Object.entries(capability.parameters ?? {}).flatMap(([name, support]) => [
      [adapter, code(name), support.support, '', remarkOf(support)],
      ...Object.entries(support.values ?? {}).map(([value, one]) => [adapter, code(`${name}: ${value}`), one.support, '', remarkOf(one)]),
    ]);
    const endpoints = (capability.endpoints ?? []).map(code).join(', ');
    return [[adapter, '', capability.support, endpoints, remarkOf(capability)], ...parts];
  });
  return table(['adapter', 'parameter', 'support', 'requests', ''], rows);
}
