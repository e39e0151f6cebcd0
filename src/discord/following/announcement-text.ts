import type { RequestedAnnouncement } from '#src/admin/actions/rule-actions.ts';
import type { Fault } from '#src/errors.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Caller } from '#src/discord/caller.ts';
import { shownName, shownWords } from './follow.ts';

/** The faults of a platform that a retry can solve. */
const OUTAGES: readonly Fault[] = ['unreachable', 'unanswered', 'unavailable'];

/** Whether the requested announcement of an entry was made, and why not. */
export function announcementText({ outcome, decision }: RequestedAnnouncement, entry: ListEntry, { texts }: Pick<Caller, 'texts'>): string {
  const { announced, notAnnounced } = texts.following;
  const name = shownName(entry);
  if (outcome === 'announced') return announced(name);
  if (outcome === 'alreadyAnnounced') return notAnnounced.alreadyAnnounced(name);
  // The list of the rule has no stream without the words of its entry.
  if (outcome === 'notLive') return notAnnounced.notLive(name, shownWords(entry));
  const { reason } = decision ?? {};
  if (reason?.kind === 'pollFailed' && reason.fault !== undefined && OUTAGES.includes(reason.fault)) return notAnnounced.unreachable(name);
  return notAnnounced.other(name, decision ? texts.reasons.decided(decision) : '');
}
