import { ConfigError } from '#src/errors.ts';

const MOST_PORT = 65_535;

/** A whole number as it was typed behind an option. */
export function wholeNumber(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new ConfigError(`${text} is not a whole number`, { file: option });
  if (number > most) throw new ConfigError(`${text} is too large: at most ${most}`, { file: option });
  return number;
}

/** What was typed behind `--port`. */
export function portFrom(text: string): number {
  return wholeNumber('--port', text, MOST_PORT);
}
