import type { Log } from '#src/log.ts';
import type { Commit, RuleStates } from '#src/scheduler/rule-states.ts';

export interface FusesOptions {
  readonly states: Pick<RuleStates, 'paused'>;
  /** Told when a rule is paused or speaks again. */
  readonly onChange: () => void;
  readonly log: Log;
}

/** Watches what rules commit, and says it once when a fuse blows and once when the rule speaks again. */
export async function watchFuses({ states, onChange, log }: FusesOptions): Promise<(commit: Commit) => void> {
  const paused = new Set([...(await states.paused())].flatMap(([rule, { blownMs }]) => (blownMs === undefined ? [] : [rule])));

  return ({ rule: id, change, decisions }) => {
    if (!change) return;
    const isPaused = change.memory.blownMs !== undefined;
    if (isPaused === paused.has(id)) return;
    if (isPaused) {
      paused.add(id);
      const why = decisions.find(({ reason }) => reason.includes('fuse: '))?.reason;
      log.warn({ rule: id, why }, `the fuse of ${id} blew: it says nothing more until: fanfare resume ${id}`);
    } else {
      paused.delete(id);
      log.info({ rule: id }, `${id} was resumed: it speaks again`);
    }
    onChange();
  };
}
