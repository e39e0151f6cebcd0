import type { Command } from 'commander';
import { z } from 'zod';
import type { CapabilityRow, CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { remarkOf, type Capability, type Support } from '#src/clients/operation/capability.ts';
import { nameSuggestion } from '#src/clients/operation/closest-name.ts';
import type { Watch } from '#src/clients/operation/declared.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { printHanging } from './format.ts';
import { Refusal } from './refusal.ts';
import type { Style, Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('capabilities'), {
    group: 'rules',
    summary: 'List the operations that each platform supports',
    description: [
      'List the operations that each platform supports. For operations with limits or without support, the list has the reason and alternatives.',
    ],
    examples: [
      ['List the operations of all platforms', 'fanfare capabilities'],
      ['List the operations of one platform', 'fanfare capabilities mastodon'],
    ],
    exits: ['The list was printed', 'There is no such platform'],
  }).argument('[platform]', 'Platform, such as twitch (default: all platforms)');
  answering(command, {
    schema: CapabilitiesAnswer,
    out,
    async run(shown, adapter: string | undefined) {
      const { capabilityTables } = await import('#src/app/capability-tables.ts');
      return capabilities({ tables: capabilityTables, adapter, out: shown });
    },
  });
}

const support = {
  support: z.enum(['native', 'composed', 'gated', 'unsupported']).describe('How the platform supports it.'),
  detail: z.string().optional().describe('A remark.'),
  reason: z.string().optional().describe('Why it is not, or not always, supported.'),
  alternatives: z.array(z.string()).readonly().optional().describe('Operations to use instead.'),
};

const CapabilitiesAnswer = z.object({
  platforms: z
    .array(
      z.object({
        platform: z.string().describe('The platform.'),
        client: z.string().describe('The client, for example `streaming`.'),
        operations: z
          .array(
            z.object({
              name: z.string().describe('The name of the operation.'),
              kind: z.string().describe('The kind of the operation.'),
              watch: z.string().optional().describe('The meaning of a missing item, for lists that a rule can watch.'),
              ...support,
              parameters: z
                .record(z.string(), z.object({ ...support, values: z.record(z.string(), z.object(support)).optional() }))
                .optional()
                .describe('The parameters and values with another support.'),
            }),
          )
          .readonly()
          .describe('The operations.'),
      }),
    )
    .describe('The platforms.'),
});

export interface CapabilitiesOptions {
  readonly tables: readonly CapabilityTable[];
  /** The only adapter to print; undefined for all. */
  readonly adapter?: string | undefined;
  readonly out: Terminal;
}

const STYLES: Readonly<Record<Support['support'], Style>> = { native: 'green', composed: 'cyan', gated: 'yellow', unsupported: 'red' };
const WIDTH = Math.max(...Object.keys(STYLES).map(({ length }) => length));

const SUPPORTS: Readonly<Record<Support['support'], string>> = {
  native: 'the platform has this operation',
  composed: 'Fanfare builds it from several requests or from stored data',
  gated: 'only on some plans or servers; see the reason in the row',
  unsupported: 'not available; see the reason in the row',
};
const WATCHES: Readonly<Record<Watch, string>> = {
  live: 'the stream has ended',
  ranking: 'the item ranks below the part that was read',
  feed: 'nothing: a feed shows only recent items',
  set: 'the item is gone (only if the whole list was read)',
  one: 'the list has one item',
};

/** Prints the support of every operation by each adapter. Throws a refusal if there is no such adapter. */
export function capabilities({ tables, adapter, out }: CapabilitiesOptions): Answer<z.input<typeof CapabilitiesAnswer>> {
  const shown = tables.filter((table) => adapter === undefined || table.adapter === adapter);
  for (const [index, table] of shown.entries()) {
    if (index > 0) out.print('');
    printTable(table, out);
  }
  if (shown.length > 0) {
    printLegend(shown, out);
    return { data: { platforms: shown.map(toAnswer) } };
  }
  const names = tables.map((table) => table.adapter);
  throw new Refusal(`unknown platform ${adapter}${nameSuggestion(adapter ?? '', names)}`, {
    code: 'platformNotFound',
    hint: `Platforms: ${names.join(', ')}`,
  });
}

function toAnswer({ adapter, client, rows }: CapabilityTable): z.input<typeof CapabilitiesAnswer>['platforms'][number] {
  const operations = rows.map(({ operation, capability }) => ({
    ...capability,
    name: operation.name,
    kind: operation.kind,
    watch: operation.kind === 'list' ? operation.watch : undefined,
  }));
  return { platform: adapter, client, operations };
}

function printTable({ adapter, client, rows }: CapabilityTable, out: Terminal): void {
  const totals = Map.groupBy(rows, ({ capability }) => capability.support);
  const summary = Object.keys(STYLES).flatMap((support) => {
    const count = totals.get(support as Support['support'])?.length; // the keys of STYLES
    return count === undefined ? [] : [`${count} ${support}`];
  });
  out.print(`${out.paint('bold', adapter)} (${client}): ${summary.join(', ')}`);
  const names = rows.flatMap((row) => [row.operation.name, ...partsOf(row.capability).map(({ name }) => name)]);
  const columns: Columns = {
    name: Math.max(...names.map(({ length }) => length)),
    kind: Math.max(...rows.map((row) => kindOf(row).length)),
  };
  for (const row of rows) {
    const indent = columns.name + columns.kind + WIDTH + 8; // the columns, and two spaces before each
    printHanging(lineOf({ name: row.operation.name, kind: kindOf(row), support: row.capability }, columns, out), indent, out);
    for (const part of partsOf(row.capability)) printHanging(out.paint('dim', lineOf({ kind: '', ...part }, columns, out)), indent, out);
  }
}

/** Explains the words that the printed tables contain. */
function printLegend(tables: readonly CapabilityTable[], out: Terminal): void {
  const rows = tables.flatMap((table) => table.rows);
  const supports = new Set(
    rows.flatMap(({ capability }) => [capability, ...partsOf(capability).map((part) => part.support)]).map((one) => one.support),
  );
  const watches = new Set(rows.flatMap(({ operation }) => (operation.kind === 'list' ? [operation.watch] : [])));
  out.print('');
  for (const [support, meaning] of Object.entries(SUPPORTS)) {
    const name = support as Support['support']; // the keys of SUPPORTS
    if (supports.has(name)) printHanging(`${out.paint(STYLES[name], name.padEnd(WIDTH))}  ${meaning}`, WIDTH + 2, out);
  }
  const [verb] = tables.flatMap(({ client, rows: all }) => all.map(({ operation }) => `${client}.${operation.name}`));
  printHanging(`In rules, write the name in brackets before the operation, such as ${verb}.`, 0, out);
  printHanging('Indented rows are parameters and values whose support differs from their operation.', 0, out);
  out.print('If an item is missing from a list that a rule watches:');
  for (const [watch, meaning] of Object.entries(WATCHES)) {
    if (watches.has(watch as Watch)) printHanging(`${watch.padEnd(WIDTH)}  ${meaning}`, WIDTH + 2, out); // the keys of WATCHES
  }
}

interface Columns {
  readonly name: number;
  readonly kind: number;
}

interface Line {
  readonly name: string;
  readonly kind: string;
  readonly support: Support;
}

function lineOf({ name, kind, support }: Line, columns: Columns, out: Terminal): string {
  const state = out.paint(STYLES[support.support], support.support.padEnd(WIDTH));
  return `  ${name.padEnd(columns.name)}  ${kind.padEnd(columns.kind)}  ${state}  ${remarkOf(support)}`.trimEnd();
}

/** The kind of an operation; for a list, with what a missing item means. */
function kindOf({ operation }: CapabilityRow): string {
  return operation.kind === 'list' ? `list (${operation.watch})` : operation.kind;
}

/** The parameters and values with other support than their operation. */
function partsOf({ parameters = {} }: Capability): readonly Omit<Line, 'kind'>[] {
  return Object.entries(parameters).flatMap(([name, support]) => [
    { name: `  ${name}`, support },
    ...Object.entries(support.values ?? {}).map(([value, ofValue]) => ({ name: `    ${value}`, support: ofValue })),
  ]);
}
