import type { RequestedAnnouncement } from '#src/admin/actions/rule-actions.ts';
import type { Fault } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';

/** The faults of a platform that a retry can solve. */
const OUTAGES: readonly Fault[] = ['unreachable', 'unanswered', 'unavailable'];

/** Whether a requested announcement was made, and why not. */
export function announcementText({ outcome, decision }: RequestedAnnouncement, name: string, { texts }: Pick<Caller, 'texts'>): string {
  const { announced, notAnnounced } = texts.following;
  if (outcome === 'announced') return announced(name);
  if (outcome === 'alreadyAnnounced' || outcome === 'notLive') return notAnnounced[outcome](name);
  const { reason } = decision ?? {};
  if (reason?.kind === 'pollFailed' && reason.fault !== undefined && OUTAGES.includes(reason.fault)) return notAnnounced.unreachable(name);
  return notAnnounced.other(name, decision ? texts.reasons.decided(decision) : '');
}
