import type { Log } from '#src/log.ts';
import { suppressionOf } from '#src/rules/reasons/reason.ts';
import type { Commit, RuleStates } from '#src/scheduler/rule-states.ts';

export interface FuseLoggerOptions {
  readonly states: Pick<RuleStates, 'paused'>;
  /** Called when a fuse pauses a rule, and when the rule resumes. */
  readonly onChange: () => void;
  readonly log: Log;
}

/** Watches the commits of the rules. Logs once when a fuse blows and once when the rule resumes. */
export async function createFuseLogger({ states, onChange, log }: FuseLoggerOptions): Promise<(commit: Commit) => void> {
  const paused = new Set([...(await states.paused())].flatMap(([rule, { blownMs }]) => (blownMs === undefined ? [] : [rule])));

  return ({ rule: id, change, decisions }) => {
    if (!change) return;
    const isPaused = change.memory.blownMs !== undefined;
    if (isPaused === paused.has(id)) return;
    if (isPaused) {
      paused.add(id);
      const why = decisions.find(({ reason }) => reason && suppressionOf(reason)?.kind === 'fuseBlows')?.message;
      log.warn({ rule: id, why }, `the fuse of ${id} blew, so the rule is paused; to resume it: fanfare resume ${id}`);
    } else {
      paused.delete(id);
      log.info({ rule: id }, `${id} was resumed`);
    }
    onChange();
  };
}
