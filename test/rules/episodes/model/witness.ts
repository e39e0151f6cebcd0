import type { Advance } from '#src/rules/episodes/advance.ts';
import type { ModelRule } from './model-rule.ts';

/** Watches over what must hold whatever the model says. */
export function createWitness(): (one: Advance, poll: { readonly whole: boolean; readonly kind: ModelRule['kind'] }) => void {
  const openedBy = new Map<string, string>();
  const keys = new Set<string>();

  return ({ firings, change, decisions }, { whole, kind }) => {
    for (const { id, section, episode, scope, sees, steps } of firings) {
      for (const { key } of steps) {
        must(!keys.has(key), 'no step is decided twice');
        keys.add(key);
      }
      if (section === 'while' || section === 'finally') {
        must(sees.length === 1 && sees[0] === openedBy.get(episode), `no ${section} without then`);
      } else if (scope.change?.['kind'] === 'entered') {
        must(!openedBy.has(episode), 'at most one then an episode');
        openedBy.set(episode, id);
      }
    }
    const told = firings.filter(({ section }) => section === 'then' || section === 'quiet').length;
    must(decisions.filter(({ outcome }) => outcome === 'fired').length === told, 'each firing has a decision');
    must(
      decisions.every(({ reason }) => reason !== '' && !/undefined|NaN|\[object/u.test(reason)),
      'each reason can be read',
    );
    if (whole && kind !== 'feed') return;
    const put = change?.put ?? [];
    const ended = put.filter(({ phase, closedMs }) => phase === 'closed' && closedMs === change?.memory.lastPollMs);
    const replaced = ended.every(({ key }) => put.some((other) => other.key === key && other.phase !== 'closed'));
    must(replaced, 'a list that says nothing of who is missing ends only what it shows another broadcast of');
  };
}

function must(holds: boolean, promise: string): void {
  if (!holds) throw new Error(promise);
}
