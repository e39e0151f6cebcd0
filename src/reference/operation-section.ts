import { remarkOf } from '#src/operation/capability.ts';
import type { Declared } from '#src/operation/declared.ts';
import type { CapabilityTable } from '#src/queries/capability-table.ts';
import { argumentTable } from './argument-table.ts';
import { signatureText } from './signature-text.ts';
import type { CallSignature } from './call-signature.ts';
import { parameterTable } from './fields.ts';
import { code, codeBlock, paragraphs, table } from './markdown.ts';
import type { SourceDoc } from './source-docs.ts';

export interface OperationSource {
  readonly operation: Declared;
  /** From the root of the project. */
  readonly file: string;
  readonly doc: SourceDoc;
  /** The name of its twin that goes page by page. */
  readonly twin: string | undefined;
}

export interface SectionOptions {
  /** What the client is called in examples, as `bot`, and the ways to call its methods; without one, rules alone have the operation. */
  readonly client?: { readonly name: string; readonly calls: ReadonlyMap<string, readonly CallSignature[]> } | undefined;
  readonly tables: readonly CapabilityTable[];
}

/** All that there is to know of one operation. */
export function operationSection({ operation, file, doc, twin }: OperationSource, { client, tables }: SectionOptions): string {
  const calls = client?.calls.get(operation.name) ?? [];
  return paragraphs(
    `### ${operation.name}`,
    doc.text,
    client && codeBlock('ts', calls.map((call) => signatureText(`${client.name}.${operation.name}`, call)).join('\n\n')),
    client && twin && twinText(twin, client),
    client ? argumentTable(calls, operation.params) : parameterTable(operation.params),
    !client && operation.kind === 'list' ? 'And `pages`.' : undefined,
    kindText(operation, client !== undefined),
    client && `Fails with ${errorsOf(operation).map(code).join(', ')}: see [Errors](#errors).`,
    supportTable(operation, tables),
    doc.example && codeBlock(client ? 'ts' : 'yaml', doc.example),
    `Declared in [${file}](../../${file}).`,
  );
}

/** What the twin that goes page by page answers; it takes what the operation takes. */
function twinText(twin: string, { name, calls }: NonNullable<SectionOptions['client']>): string {
  const [call] = calls.get(twin) ?? [];
  return `${code(`${name}.${twin}`)} takes the same and answers page by page: ${code(call?.returns ?? '')}.`;
}

const WATCHES = {
  live: 'what is missing from the answer has ended',
  ranking: 'what is missing from the answer is below what was looked at',
  feed: 'that something is missing from the answer says nothing',
  set: 'what is missing from the whole list is gone',
  one: 'the list is of one',
} as const;

function kindText(operation: Declared, isCalled: boolean): string {
  switch (operation.kind) {
    case 'read':
      return 'Reads, and answers once.';
    case 'list':
      return `Reads, and answers in pages. For a rule that watches it, it is a list of the kind ${code(operation.watch)}: ${WATCHES[operation.watch]}.`;
    case 'write':
      if (operation.effect === 'sets') return 'Writes, and may be repeated: a repeat leaves what it finds.';
      return isCalled
        ? 'Writes, something new each time: give `key`, the same for every attempt, and a repeat makes nothing twice where the platform can tell.'
        : 'Writes, something new each time; a step of a rule makes nothing twice where the platform can tell.';
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
  return table(['adapter', 'parameter', 'support', 'requests', 'remark'], rows);
}
