/** Base 32 in an alphabet that sorts. */
const LETTERS = '234567abcdefghijklmnopqrstuvwxyz';
const INSTANT_LETTERS = 11;
const CLOCK_LETTERS = 2;
const SHAPE = /^[2-7a-j][2-7a-z]{12}$/;

/** How many clocks can tell the same microsecond. */
export const CLOCKS = 1024;

/** An instant in microseconds and which clock told it. */
export interface Tick {
  readonly atUs: number;
  readonly clock: number;
}

/** A record key that sorts by time. */
export function toTid({ atUs, clock }: Tick): string {
  return written(atUs, INSTANT_LETTERS) + written(clock, CLOCK_LETTERS);
}

export function fromTid(tid: string): Tick | undefined {
  if (!SHAPE.test(tid)) return undefined;
  return { atUs: read(tid.slice(0, INSTANT_LETTERS)), clock: read(tid.slice(INSTANT_LETTERS)) };
}

function written(value: number, letters: number): string {
  let text = '';
  for (let left = value; text.length < letters; left = Math.floor(left / LETTERS.length)) {
    text = (LETTERS[left % LETTERS.length] ?? '') + text;
  }
  return text;
}

function read(text: string): number {
  return text.split('').reduce((value, letter) => value * LETTERS.length + LETTERS.indexOf(letter), 0);
}
