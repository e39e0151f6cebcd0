import { NEW_STATE, type PausedBy, type RuleState } from '#src/rules/episode.ts';
import type { Commit, LastSlot, Pause, RuleStates } from '#src/engine/scheduler/rule-states.ts';

/** The states of rules in memory, and all commits. */
export interface MemoryStates extends RuleStates {
  readonly commits: readonly Commit[];
}

/** States that start empty, or with the last slots of some rules. */
export function memoryStates(lastSlots: Readonly<Record<string, number>> = {}): MemoryStates {
  const commits: Commit[] = [];
  const states = new Map<string, RuleState>();
  const people = new Map<string, PausedBy>();
  const slots = new Map<string, LastSlot>(Object.entries(lastSlots).map(([rule, slotMs]) => [rule, { slotMs }]));
  function pause(rule: string, by: string): boolean {
    if (people.has(rule)) return false;
    people.set(rule, { by, atMs: 0 });
    return true;
  }

  function resume(rule: string): boolean {
    const state = states.get(rule);
    const wasPaused = people.delete(rule);
    if (state?.memory.blownMs === undefined) return wasPaused;
    states.set(rule, { ...state, memory: { ...state.memory, blownMs: undefined, fusedMs: [] } });
    return true;
  }

  return {
    commits,
    load: (rule) => Promise.resolve({ ...(states.get(rule) ?? NEW_STATE), paused: people.get(rule), slotMs: slots.get(rule)?.slotMs }),
    lastSlots: () => Promise.resolve(new Map(slots)),
    commit(commit) {
      const { slotMs, afterMs, wakeMs } = commit;
      const lastMs = slots.get(commit.rule)?.slotMs;
      const isTaken = lastMs !== undefined && (lastMs >= slotMs || lastMs !== (afterMs ?? lastMs));
      if (isTaken) return Promise.resolve(false);
      slots.set(commit.rule, { slotMs, wakeMs });
      commits.push(commit);
      if (commit.change) {
        const episodes = new Map(states.get(commit.rule)?.episodes);
        for (const episode of commit.change.put) episodes.set(episode.id, episode);
        for (const id of commit.change.drop) episodes.delete(id);
        states.set(commit.rule, { memory: commit.change.memory, episodes });
      }
      return Promise.resolve(true);
    },
    retire: () => Promise.resolve(),
    disable: () => Promise.resolve(),
    reinstate: () => Promise.resolve(),
    keep: () => Promise.resolve(),
    rename({ from, to }) {
      const slot = slots.get(from);
      if (!slot) return Promise.resolve(false);
      slots.set(to, slot);
      slots.delete(from);
      states.set(to, states.get(from) ?? NEW_STATE);
      states.delete(from);
      return Promise.resolve(true);
    },
    paused() {
      const ids = new Set([...states.keys(), ...people.keys()]);
      const pauses = [...ids].map((id): readonly [string, Pause] => [
        id,
        { blownMs: states.get(id)?.memory.blownMs, person: people.get(id) },
      ]);
      return Promise.resolve(new Map(pauses.filter(([, { blownMs, person }]) => blownMs !== undefined || person)));
    },
    mute: () => Promise.reject(new Error('not part of these tests')),
    planned: () => Promise.resolve(new Map()),
    beginPlanned: () => Promise.resolve({ rules: [] }),
    changePauses: (rules, change) =>
      Promise.resolve(rules.filter((rule) => ('pause' in change ? pause(rule, change.pause.by) : resume(rule)))),
  };
}
