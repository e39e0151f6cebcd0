/** The number of different reasons that a preview shows. */
const MOST_REASONS = 3;

/** Why the elements of a list fail: each different reason once. Undefined: none fails. */
export function failureText(failures: readonly string[]): string | undefined {
  const reasons = [...new Set(failures)];
  if (reasons.length === 0) return undefined;
  const more = reasons.length - MOST_REASONS;
  return [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more ${more === 1 ? 'reason' : 'reasons'}`] : [])].join('; ');
}
