import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatConstants, formatLimits, formatNeeds, formatPlatformLimits, formatSimulation, SCENARIOS } from './format.ts';

const PAGE = join(import.meta.dirname, '../../docs/operating/capacity.md');
const TABLE = /^\|.*\|$(?:\n\|.*\|$)*/gmu;

/** The tables of the page, in their order. */
export function pageTables(): readonly string[] {
  const largest = SCENARIOS.slice(-1);
  return [
    ...SCENARIOS.map(formatNeeds),
    ...largest.map((scenario) => formatLimits(scenario)),
    ...largest.map((scenario) => formatSimulation(scenario)),
    formatPlatformLimits(),
    formatConstants(),
  ];
}

/** Replaces the tables of the page. */
export function writePage(): void {
  const tables = pageTables();
  const page = readFileSync(PAGE, 'utf8');
  const { length } = page.match(TABLE) ?? [];
  if (length !== tables.length) throw new Error(`the page has ${length} tables instead of ${tables.length}`);
  let next = 0;
  writeFileSync(
    PAGE,
    page.replaceAll(TABLE, (before) => tables[next++] ?? before),
  );
}
