import type { Reason } from '#src/rules/reasons/reason.ts';
import { pauseSuppression } from '../gates/gates.ts';
import { gatherDueBy } from '../gates/gather.ts';
import { createLimit } from '../gates/limit.ts';
import { quietUntil } from '../gates/quiet-hours.ts';
import { decide, effects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';

/** The decisions about steps of `limit` and `gather` that wait until the rule is resumed. A delay has one, at the first poll that would run the steps. */
export function delayedByPause({ rule, slotMs, list, gates, collection, state: { memory, paused } }: EvaluatedList): Effects {
  // After a poll of some names, the next poll of the whole list has the decision.
  if (!paused || list.asked || gates.memory().blownMs !== undefined) return effects({});
  const { waiting, gathered } = collection.collected();
  const isQuiet = (atMs: number): boolean => rule.quiet !== undefined && quietUntil(rule.quiet, atMs) !== undefined;
  const hasRoom = (atMs: number): boolean => waiting.length > 0 && createLimit(rule, memory, atMs).untilMs() === undefined;
  const { lastPollMs } = memory;
  const begins = (isDue: (atMs: number) => boolean): boolean => {
    const isDelayed = (atMs: number): boolean => !isQuiet(atMs) && isDue(atMs);
    // The steps were due in the last poll and did not run, so the delay began in that poll or before.
    return isDelayed(slotMs) && (lastPollMs === undefined || !isDelayed(lastPollMs));
  };
  const block = { kind: 'deferred', by: pauseSuppression(paused, slotMs) } as const;
  const by = gatherDueBy(rule, gathered, slotMs);
  const reasons: Reason[] = [];
  if (typeof rule.limit?.then === 'object' && begins(hasRoom)) reasons.push({ kind: 'limitEnded', changes: waiting.length, block });
  if (by && begins((atMs) => gatherDueBy(rule, gathered, atMs) !== undefined))
    reasons.push({ kind: 'gathered', changes: gathered.length, by, block });
  return effects({ decisions: reasons.map((reason) => decide('deferred', reason, { rule, slotMs })) });
}
