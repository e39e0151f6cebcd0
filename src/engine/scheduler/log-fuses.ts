import type { Log } from '#src/log.ts';
import { suppressionOf } from '#src/rules/reasons/reason.ts';
import type { Commit, RuleStates } from './rule-states.ts';

export interface FuseLoggerOptions {
  readonly states: Pick<RuleStates, 'paused'>;
  /** Called when a fuse pauses a rule, and when the rule resumes. */
  readonly onChange: () => void;
  readonly log: Log;
}

/** Watches the commits of the rules. Logs once when `fuse` pauses a rule and once when the rule resumes. */
export async function createFuseLogger({
  states,
  onChange,
  log,
}: FuseLoggerOptions): Promise<{ readonly slotCommitted: (commit: Commit) => void }> {
  const paused = new Set([...(await states.paused())].flatMap(([rule, { blownMs }]) => (blownMs === undefined ? [] : [rule])));

  return {
    slotCommitted({ rule: id, change, decisions }) {
      if (!change) return;
      const isPaused = change.memory.blownMs !== undefined;
      if (isPaused === paused.has(id)) return;
      if (isPaused) {
        paused.add(id);
        const why = decisions.find(({ reason }) => reason && suppressionOf(reason)?.kind === 'fuseLimitReached')?.message;
        log.warn({ rule: id, why }, `${id} announced too often, so it was paused automatically; to resume it: npx fanfare resume ${id}`);
      } else {
        paused.delete(id);
        log.info({ rule: id }, `${id} was resumed`);
      }
      onChange();
    },
  };
}
