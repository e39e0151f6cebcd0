/** The priorities of rules, the highest first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;

/** Which rules are polled first if a rate limit does not allow all polls in time. */
export type Priority = (typeof PRIORITIES)[number];

/** The position of a priority: 0 is the highest. A rule without a priority has `normal`. */
export function priorityRank({ priority = 'normal' }: { readonly priority?: Priority | undefined }): number {
  return PRIORITIES.indexOf(priority);
}
