import type { ModelQuiet } from './model-rule.ts';

const MINUTE = 60_000;
const DAYS = 85;
/** A clock change repeats a wall time within so many minutes. */
const REPEAT = 180;

/** The quiet hours, found by reading the wall clock every minute. Minutes count from `startMs`. */
export class QuietCalendar {
  readonly #untils: readonly (number | undefined)[];
  readonly #first: number;

  constructor({ from, to, zone }: ModelQuiet, startMs: number) {
    this.#first = -2 * 1440;
    const shown = readClock(zone, startMs + this.#first * MINUTE);
    const untils: (number | undefined)[] = shown.map(() => undefined);
    let begun: number | undefined;
    shown.forEach((time, i) => {
      if (i === 0) return;
      const before = shown[i - 1] ?? time;
      if (begun === undefined && strikes(from, before, time)) begun = i;
      if (begun === undefined || !strikes(to, before, time)) return;
      const repeat = shown.slice(i + 1, i + REPEAT).findIndex((later, j) => strikes(to, shown[i + j] ?? later, later));
      if (repeat >= 0) return;
      untils.fill(this.#first + i, begun, i);
      begun = undefined;
    });
    this.#untils = untils;
  }

  /** When the quiet hours end. Undefined outside quiet hours. */
  until(now: number): number | undefined {
    const at = now - this.#first;
    if (at < 0 || at > (DAYS - 3) * 1440) throw new Error(`minute ${now} is not in the calendar`);
    return this.#untils[at];
  }
}

const readClocks = new Map<string, readonly number[]>();

/** The time of day in minutes that a wall clock shows at each minute of the calendar. */
function readClock(zone: string, fromMs: number): readonly number[] {
  const known = readClocks.get(`${zone} ${fromMs}`);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const shown = Array.from({ length: DAYS * 1440 }, (_, i) => {
    const [hours = '0', minutes = '0'] = clock.format(fromMs + i * MINUTE).split(':');
    return Number(hours) * 60 + Number(minutes);
  });
  readClocks.set(`${zone} ${fromMs}`, shown);
  return shown;
}

/** Whether the clock reaches a time or skips it. */
function strikes(wanted: number, before: number, now: number): boolean {
  if (now === wanted) return true;
  const steps = (now - before + 1440) % 1440;
  const isForward = steps > 1 && steps < 300;
  return isForward && (wanted - before + 1440) % 1440 < steps && wanted !== before;
}
