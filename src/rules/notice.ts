/** How a change was noticed that a rule announced. */
export interface Notice {
  /** The time since the instant that the platform reports for the change; absent: it reports none. */
  readonly delayMs?: number | undefined;
  /** Whether the platform notified Fanfare, which then polled. */
  readonly isNotified: boolean;
}

/** What tells how a change was noticed: the instant and the `details` of a `Decision`. */
export interface NoticedDecision {
  readonly atMs: number;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** How the change of a decision was noticed; undefined: the decision does not say it. */
export function noticeOf({ atMs, details }: NoticedDecision): Notice | undefined {
  const isNotified = details?.['noticedBy'] === 'notification';
  const occurredAt = details?.['occurredAt'];
  if (typeof occurredAt !== 'string') return isNotified ? { isNotified } : undefined;
  return { isNotified, delayMs: Math.max(0, atMs - Date.parse(occurredAt)) };
}
