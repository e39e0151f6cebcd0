import type { PartError } from '#src/rules/poll.ts';
import type { PartlyFailed } from '#src/rules/reasons/reason.ts';

const MOST_PARTS = 3;
const MOST_NAMES = 3;

/** The reason with the first parts of a poll that were not read; undefined: everything was read. */
export function partlyFailedOf(errors: readonly PartError[] = []): PartlyFailed | undefined {
  if (errors.length === 0) return undefined;
  const parts = errors.slice(0, MOST_PARTS).map(({ names, ...part }) => ({
    ...part,
    ...(names && { names: { count: names.length, names: names.slice(0, MOST_NAMES) } }),
  }));
  return { kind: 'pollPartlyFailed', count: errors.length, parts };
}
