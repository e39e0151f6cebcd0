import { UsageError } from './usage-error.ts';

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** Parses the value of an option that takes a whole number. */
export function parseWholeNumber(option: string, text: string, { least = 0, most = Number.MAX_SAFE_INTEGER }: Bounds = {}): number {
  // An empty text is 0 for Number(), for example a variable of a script that is not set.
  const number = /^-?\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < least)
    throw new UsageError(`expected a whole number of at least ${least}, found ${JSON.stringify(text)}`, { argument: option });
  if (number > most) throw new UsageError(`expected at most ${most}, found ${text}`, { argument: option });
  return number;
}

/** Parses the value of `--port`. */
export function parsePort(text: string): number {
  return parseWholeNumber('--port', text, { most: 65_535 });
}
