import type { CapabilityRow, CapabilityTable } from '#src/app/capability-tables.ts';
import { remarkOf, type Capability, type Support } from '#src/operation/capability.ts';
import type { Style, Terminal } from './terminal.ts';

export interface CapabilitiesOptions {
  readonly tables: readonly CapabilityTable[];
  /** Whose table alone. */
  readonly adapter?: string | undefined;
  readonly out: Terminal;
}

const STYLES: Readonly<Record<Support['support'], Style>> = { native: 'green', composed: 'cyan', gated: 'yellow', unsupported: 'red' };
const WIDTH = Math.max(...Object.keys(STYLES).map(({ length }) => length));

/** Prints what each adapter makes of every operation; the exit code is 1 where there is no such adapter. */
export function capabilities({ tables, adapter, out }: CapabilitiesOptions): number {
  const shown = tables.filter((table) => adapter === undefined || table.adapter === adapter);
  for (const [index, table] of shown.entries()) {
    if (index > 0) out.print('');
    printTable(table, out);
  }
  if (shown.length > 0) return 0;
  out.printError(`There is no adapter ${adapter}. There are: ${tables.map((table) => table.adapter).join(', ')}.`);
  return 1;
}

function printTable({ adapter, client, rows }: CapabilityTable, out: Terminal): void {
  const totals = Map.groupBy(rows, ({ capability }) => capability.support);
  const summary = [...totals].map(([support, { length }]) => `${length} ${support}`).join(', ');
  out.print(`${out.paint('bold', adapter)} (${client}): ${summary}`);
  const names = rows.flatMap((row) => [row.operation.name, ...partsOf(row.capability).map(({ name }) => name)]);
  const columns: Columns = {
    name: Math.max(...names.map(({ length }) => length)),
    kind: Math.max(...rows.map((row) => kindOf(row).length)),
  };
  for (const row of rows) {
    out.print(lineOf({ name: row.operation.name, kind: kindOf(row), support: row.capability }, columns, out));
    for (const part of partsOf(row.capability)) out.print(out.paint('dim', lineOf({ kind: '', ...part }, columns, out)));
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

/** What it does; of a list also what it means that an item is missing. */
function kindOf({ operation }: CapabilityRow): string {
  return operation.kind === 'list' ? `list (${operation.watch})` : operation.kind;
}

/** The parameters, and the values of parameters, that are not as their operation is. */
function partsOf({ parameters = {} }: Capability): readonly Omit<Line, 'kind'>[] {
  return Object.entries(parameters).flatMap(([name, support]) => [
    { name: `  ${name}`, support },
    ...Object.entries(support.values ?? {}).map(([value, ofValue]) => ({ name: `    ${value}`, support: ofValue })),
  ]);
}
