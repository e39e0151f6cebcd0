import { expect } from 'vitest';
import { FakePlatform } from '../support/fake-platform.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { Stored } from './stored.ts';
import { readActionTable } from './table.ts';
import { POINTS, walk } from './walk.ts';

export const table = readActionTable();

/** Walks all cells of the table that the deliveries allow, and returns the table that they result in. */
export async function walkTable(open: (clock: ManualClock) => Promise<Stored>): Promise<Record<string, Record<string, string>>> {
  const clock = new ManualClock(SLOT_MS);
  await using stored = await open(clock);
  const platform = new FakePlatform(clock, { deduplicates: false, finds: 'content' });
  const found: Record<string, Record<string, string>> = {};
  let cells = 0;
  for (const [name, row] of table) {
    const point = POINTS[name];
    if (!point) throw new Error(`no test reaches the point "${name}"`);
    const its: Record<string, string> = (found[name] = {});
    for (const action of row.keys()) {
      if (action.startsWith('restore') && !stored.copy) continue;
      if (action === 'turn off, then on' && !stored.enable) continue;
      const cell = { stored, platform, clock, slotMs: SLOT_MS + ++cells, name: `${name} / ${action}`, action };
      const { isRefused, outcome } = await walk(point, cell);
      its[action] = isRefused ? 'refused' : outcome;
      // A refused action changes nothing.
      expect(!isRefused || outcome === its['no action'], cell.name).toBe(true);
    }
  }
  return found;
}

/** The table of the page, without the columns whose names begin with one of these texts. */
export function expected({ without = [] }: { readonly without?: readonly string[] } = {}): Record<string, Record<string, string>> {
  const isWalked = ([action]: readonly [string, string]): boolean => !without.some((name) => action.startsWith(name));
  return Object.fromEntries([...table].map(([name, row]) => [name, Object.fromEntries([...row].filter(isWalked))]));
}
