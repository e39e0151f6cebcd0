import { zone } from '#src/rules/clocks/zone.ts';
import { calledName, handleCalls, walk, type Node } from './tree.ts';

const DAY_MS = 86_400_000;

/** The parts of a wall time, which is a `Date` as if the wall clock were UTC. */
const PARTS: ReadonlyMap<string, (wall: Date) => number> = new Map([
  ['getFullYear', (wall) => wall.getUTCFullYear()],
  ['getMonth', (wall) => wall.getUTCMonth()],
  ['getDate', (wall) => wall.getUTCDate()],
  ['getDayOfMonth', (wall) => wall.getUTCDate() - 1],
  ['getDayOfWeek', (wall) => wall.getUTCDay()],
  ['getDayOfYear', (wall) => Math.floor((wall.getTime() - new Date(wall).setUTCMonth(0, 1)) / DAY_MS)],
  ['getHours', (wall) => wall.getUTCHours()],
  ['getMinutes', (wall) => wall.getUTCMinutes()],
  ['getSeconds', (wall) => wall.getUTCSeconds()],
  ['getMilliseconds', (wall) => wall.getUTCMilliseconds()],
]);

/** Whether a function returns a part of a timestamp. */
export function isCalendarPart(name: string): boolean {
  return PARTS.has(name);
}

/**
 * Reads the parts of timestamps from the clocks of their zone. The library reads wall times in the zone of the process, whose clock changes
 * move hours and days.
 */
export function readCalendars(tree: Node): void {
  walk(tree, (node) => {
    const part = PARTS.get(calledName(node) ?? '');
    if (!part) return;
    handleCalls(node, (call, values) => {
      const [instant, zoneName] = values;
      if (!(instant instanceof Date)) return call(values);
      const atMs = instant.getTime();
      return BigInt(part(new Date(typeof zoneName === 'string' ? atMs + zone(zoneName).offsetAt(atMs) : atMs)));
    });
  });
}
