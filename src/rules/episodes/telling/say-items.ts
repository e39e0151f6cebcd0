import type { Withdrawal } from '../../firing.ts';
import { stepBecause } from '../../reasons/because.ts';
import type { Rule, Scope } from '../../rule.ts';
import type { Answer, Gates } from '../gates/gates.ts';
import { fireThen } from './fire.ts';
import { whyChange } from './reasons.ts';
import { decide, said } from './said.ts';
import { episodeScope } from './scope.ts';
import type { Say } from './tell-changes.ts';

export interface SayOptions {
  readonly rule: Rule;
  readonly slotMs: number;
  readonly gates: Gates;
  /** What the steps of this poll see. */
  readonly kept: Scope;
  /** What a condition sees: the whole list, too. */
  readonly whole: Scope;
}

/** Says each change by itself. */
export function sayItems({ rule, slotMs, gates, kept, whole }: SayOptions): Say {
  return (episode, change) => {
    const seen = { episode, previous: change.previous, change };
    const about = { rule, slotMs, episode };
    const answer = gates.ask(episodeScope(whole, seen), episode.key);
    if (answer.kind !== 'pass') {
      const outcome = answer.kind;
      const verdict = outcome === 'held' ? { kind: outcome } : { kind: outcome, by: answer.by };
      return { verdict, said: said({ decisions: [decide(outcome, whyChange(seen, answer), about)] }) };
    }
    const firing = fireThen({ ...about, scope: episodeScope(kept, seen), ...answer });
    return {
      verdict: { kind: 'said', by: firing.id },
      said: said({
        firings: [firing],
        withdrawals: replaced(answer, rule),
        decisions: [decide('fired', whyChange(seen), { ...about, details: { firing: firing.id } })],
      }),
    };
  };
}

/** What a firing takes the place of. */
export function replaced({ replaces, queue }: Extract<Answer, { kind: 'pass' }>, rule: Rule): readonly Withdrawal[] {
  return replaces ? [{ rule: rule.id, of: { queue }, section: 'then', ...stepBecause({ kind: 'replaced' }) }] : [];
}
