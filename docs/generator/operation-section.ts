import { remarkOf } from '#src/clients/operation/capability.ts';
import { looksUpRecord, type Declared } from '#src/clients/operation/declared.ts';
import { twinName } from '#src/clients/operation/operation.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { argumentTable } from './argument-table.ts';
import { signatureText } from './signature-text.ts';
import type { CallSignature } from './call-signature.ts';
import { parameterTable } from './fields.ts';
import { code, codeBlock, paragraphs, table } from './markdown.ts';
import type { OperationSource } from './sources.ts';
import { typeText, type SchemaNames } from './type-text.ts';

export interface SectionOptions {
  /** The name of the operation in rules, for example `discord.send`. */
  readonly verb: string;
  /** The variable of the client in examples, for example `bot`, and the signatures of its methods. Absent for operations that only rules have. */
  readonly client?: { readonly name: string; readonly calls: ReadonlyMap<string, readonly CallSignature[]> } | undefined;
  readonly tables: readonly CapabilityTable[];
  /** The page of the records, and their names. */
  readonly records: { readonly file: string; readonly names: SchemaNames };
}

/** The reference of one operation. */
export function operationSection({ operation, doc }: OperationSource, { verb, client, tables, records }: SectionOptions): string {
  const calls = client?.calls.get(operation.name) ?? [];
  const twin = twinName(operation);
  return paragraphs(
    `## ${operation.name}`,
    doc.text,
    `In rules: ${code(verb)}.`,
    client && codeBlock('ts', calls.map((call) => signatureText(`${client.name}.${operation.name}`, call)).join('\n\n')),
    client && twin !== undefined ? iteratorText(twin, client) : undefined,
    client ? argumentTable(calls, operation.params) : parameterTable(operation.params),
    !client && operation.kind === 'list' ? 'Also takes `pages`.' : undefined,
    kindText(operation, client !== undefined),
    resultText(operation, records),
    client && `Errors: ${errorsOf(operation).map(code).join(', ')}. See [Errors](errors.md).`,
    supportTable(operation, tables),
    doc.example && codeBlock(client ? 'ts' : 'yaml', doc.example),
  );
}

/** The sentence about the variant that yields single pages. */
function iteratorText(iterator: string, { name, calls }: NonNullable<SectionOptions['client']>): string {
  const [call] = calls.get(iterator) ?? [];
  return `${code(`${name}.${iterator}`)} takes the same arguments and yields single pages: ${code(call?.returns ?? '')}.`;
}

const WATCHES = {
  live: 'an item that is missing from the response has ended',
  ranking: 'an item that is missing from the response is below the part that was read',
  feed: 'an item that is missing from the response may still exist',
  set: 'an item that is missing from the whole list is gone',
  one: 'the list has one item',
} as const;

function kindText(operation: Declared, isCalled: boolean): string {
  switch (operation.kind) {
    case 'read':
      return looksUpRecord(operation) && !isCalled
        ? 'Reads and returns one record. If the platform does not have it, `gone` of the result of the step is true.'
        : 'Reads and returns one result.';
    case 'list':
      return `Reads a list in pages. For rules, its kind is ${code(operation.watch)}: ${WATCHES[operation.watch]}.`;
    case 'write':
      if (operation.effect === 'sets') return 'Writes. A repeat changes nothing.';
      return isCalled
        ? 'Writes something new with each call. With the same `key`, a repeat creates no duplicate if the platform supports this.'
        : 'Writes something new with each call. A repeated step of a rule creates no duplicate if the platform supports this.';
  }
}

/** The sentence about the record that the operation returns, with links to the records. */
function resultText(operation: Declared, { file, names }: SectionOptions['records']): string {
  const known = new Set(names.values());
  const type = typeText(operation.kind === 'list' ? operation.item : operation.returns, names);
  const linked = type.split(' | ').map((part) => {
    const record = part.replace(/\[\]$/u, '');
    return known.has(record) ? `[${code(part)}](${file}#${record.toLowerCase()})` : code(part);
  });
  return `${operation.kind === 'list' ? 'Each item' : 'Result'}: ${linked.join(' or ')}.`;
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
