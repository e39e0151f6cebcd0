import type { Item } from '../../poll.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

const COUNT = new Intl.NumberFormat('en');

/** A length of time in its two greatest units, as `2h 5m`. */
export function span(ms: number): string {
  const parts: string[] = [];
  let restMs = Math.max(0, Math.round(ms / 1_000) * 1_000);
  for (const [unit, unitMs] of UNITS) {
    const n = Math.floor(restMs / unitMs);
    if (n > 0) parts.push(`${n}${unit}`);
    restMs -= n * unitMs;
  }
  return parts.slice(0, 2).join(' ') || '0s';
}

/** A number of things, as `1,200 viewers`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(n)} ${n === 1 ? one : many}`;
}

/** The first names of a list, and how many more there are. */
export function several(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${COUNT.format(more)} more` : names.join(', ');
}

/** What a person would call the item. */
export function nameOf(item: Item, key: string): string {
  for (const path of [['owner', 'displayName'], ['author', 'displayName'], ['displayName'], ['name'], ['title']]) {
    const name = path.reduce<unknown>((value, field) => (isRecord(value) ? value[field] : undefined), item);
    if (typeof name === 'string' && name !== '') return name;
  }
  return key;
}

/** Where the item stands, as `#3 with 740 viewers`. */
export function standing({ rank, viewerCount }: Item): string {
  const viewers = typeof viewerCount === 'number' ? ` with ${count(viewerCount, 'viewer')}` : '';
  return `#${typeof rank === 'number' ? rank : '?'}${viewers}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
