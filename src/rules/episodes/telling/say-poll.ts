import { fireSlot } from './fire.ts';
import { whyPoll } from './reasons.ts';
import { decide, said, type Said } from './said.ts';
import { replaced, type SayOptions } from './say-items.ts';
import type { ChangeOf } from './scope.ts';
import type { Say, Verdict } from './tell-changes.ts';

/** What is said of a poll, and what comes of each of its changes. */
export interface SaidPoll extends Said {
  readonly say: Say;
}

/** Says all changes of a poll in one firing; nothing where there are none. */
export function sayPoll(changes: readonly ChangeOf[], { rule, slotMs, gates, kept, whole }: SayOptions): SaidPoll {
  const about = { rule, slotMs };
  if (changes.length === 0) return toldAs({ kind: 'held' }, said({}));
  const answer = gates.ask(whole);
  if (answer.kind !== 'pass') {
    const outcome = answer.kind;
    const verdict: Verdict = outcome === 'held' ? { kind: outcome } : { kind: outcome, by: answer.by };
    return toldAs(verdict, said({ decisions: [decide(outcome, whyPoll(changes, answer), about)] }));
  }
  const firing = fireSlot({ ...about, scope: kept, queue: answer.queue });
  return toldAs(
    { kind: 'said', by: firing.id },
    said({
      firings: [firing],
      withdrawals: replaced(answer, rule),
      decisions: [decide('fired', whyPoll(changes), { ...about, details: { firing: firing.id } })],
    }),
  );
}

function toldAs(verdict: Verdict, all: Said): SaidPoll {
  return { say: () => ({ verdict, said: said({}) }), ...all };
}
