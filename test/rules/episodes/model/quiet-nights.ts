import type { ModelQuiet } from './model-rule.ts';

const MINUTE = 60_000;
const DAYS = 120;
/** Clocks that are set back show a time again within so many minutes. */
const AGAIN = 180;

/** The quiet hours as somebody would find them who looks at the clock every minute; minutes are counted from `startMs`. */
export class QuietNights {
  readonly #untils: readonly (number | undefined)[];
  readonly #first: number;

  constructor({ from, to, zone }: ModelQuiet, startMs: number) {
    this.#first = -2 * 1440;
    const clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const shown = Array.from({ length: DAYS * 1440 }, (_, i) => {
      const [hours = '0', minutes = '0'] = clock.format(startMs + (this.#first + i) * MINUTE).split(':');
      return Number(hours) * 60 + Number(minutes);
    });
    const untils: (number | undefined)[] = shown.map(() => undefined);
    let begun: number | undefined;
    shown.forEach((time, i) => {
      if (i === 0) return;
      const before = shown[i - 1] ?? time;
      if (begun === undefined && strikes(from, before, time)) begun = i;
      if (begun === undefined || !strikes(to, before, time)) return;
      const again = shown.slice(i + 1, i + AGAIN).findIndex((later, j) => strikes(to, shown[i + j] ?? later, later));
      if (again >= 0) return;
      untils.fill(this.#first + i, begun, i);
      begun = undefined;
    });
    this.#untils = untils;
  }

  /** When it gets loud again; undefined: it is. */
  until(now: number): number | undefined {
    const at = now - this.#first;
    if (at < 0 || at > (DAYS - 3) * 1440) throw new Error(`nobody looked at the clock at minute ${now}`);
    return this.#untils[at];
  }
}

/** Whether the clock comes to a time, or is set forward over it. */
function strikes(wanted: number, before: number, now: number): boolean {
  if (now === wanted) return true;
  const steps = (now - before + 1440) % 1440;
  const isForward = steps > 1 && steps < 300;
  return isForward && (wanted - before + 1440) % 1440 < steps && wanted !== before;
}
