import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { ModelRule } from './model-rule.ts';

/** Checks the invariants of all worlds. */
export function createInvariants(): (one: Advance, poll: { readonly whole: boolean; readonly kind: ModelRule['kind'] }) => void {
  const openedBy = new Map<string, string>();
  const keys = new Set<string>();

  return ({ firings, change, decisions }, { whole, kind }) => {
    for (const { id, section, episode, scope, sees, steps } of firings) {
      for (const { key } of steps) {
        must(!keys.has(key), 'no step has two decisions');
        keys.add(key);
      }
      if (section === 'while' || section === 'finally') {
        must(sees.length === 1 && sees[0] === openedBy.get(episode), `no ${section} without then`);
      } else if (scope.change?.['kind'] === 'entered') {
        must(!openedBy.has(episode), 'an episode has at most one then');
        openedBy.set(episode, id);
      }
    }
    const announced = firings.filter(({ section }) => section === 'then' || section === 'quiet').length;
    must(decisions.filter(({ outcome }) => outcome === 'fired').length === announced, 'each firing has a decision');
    must(
      decisions.every(({ message }) => message !== '' && !/undefined|NaN|\[object/u.test(message)),
      'each reason is readable',
    );
    if (whole && kind !== 'feed') return;
    const put = change?.put ?? [];
    const ended = put.filter(({ phase, closedMs }) => phase === 'closed' && closedMs === change?.memory.lastPollMs);
    const replaced = ended.every(({ key }) => put.some((other) => other.key === key && other.phase !== 'closed'));
    must(replaced, 'an incomplete list ends only episodes whose next broadcast it shows');
  };
}

function must(holds: boolean, promise: string): void {
  if (!holds) throw new Error(promise);
}
