import type { ItemExplanation } from '#src/admin/queries/explain-item.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { LoggedEpisode } from '#src/rules/episode-log.ts';
import { minutesAgo } from './view-records.ts';

const KEY = 'twitch/1202584';

/** A decision about Ada. */
export function decisionAbout(minutes: number, changes: Partial<Decision> = {}): Decision {
  return { rule: 'top', atMs: minutesAgo(minutes).getTime(), outcome: 'suppressed', item: KEY, message: 'cooldown', ...changes };
}

/** An episode of Ada. */
function episodeAbout(minutes: number, changes: Partial<LoggedEpisode> = {}): LoggedEpisode {
  const startedMs = minutesAgo(minutes).getTime();
  const item = { owner: { displayName: 'Ada' } };
  return {
    id: `e${minutes}`,
    rule: 'top',
    key: KEY,
    item,
    startedMs,
    openedMs: startedMs,
    lengthMs: 0,
    peak: {},
    phase: 'open',
    announced: true,
    ...changes,
  };
}

/** What a running rule and a deleted rule know about Ada. */
export function explanationOf(name: string, changes: Partial<ItemExplanation> = {}): ItemExplanation {
  const rule = { id: 'top', verb: 'streaming.getTopStreams', on: true, isPaused: false, isNamed: false, isOpen: true };
  return {
    name,
    keys: [KEY],
    rules: [{ ...rule, episodes: [episodeAbout(30)], decisions: [decisionAbout(5)] }],
    gone: [{ id: 'old', goneAt: minutesAgo(60), lastRunAt: minutesAgo(61), episodes: [], decisions: [decisionAbout(90, { rule: 'old' })] }],
    others: [{ id: 'clips', verb: 'streaming.getClips', on: false, isPaused: true }],
    ...changes,
  };
}
