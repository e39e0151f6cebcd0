import type { JsonObject } from '#src/operation/json.ts';
import { nameOf } from '#src/rules/episodes/telling/item-words.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Happened } from '#src/rules/testing/simulation.ts';
import { stepName, stepPlace } from '../step-name.ts';
import type { Timed } from './pairing.ts';
import { beginningOf, itemKey, placeIn } from './place.ts';

/** What would be said at an instant: one element of a list, one part of a thread. */
export interface Would extends Timed {
  /** When what it belongs to began. */
  readonly sinceMs: number;
  readonly about: string;
  readonly step: string;
  readonly do: string;
  readonly account: string;
  /** Absent: it cannot be said. */
  readonly params?: JsonObject | undefined;
  readonly failure?: string | undefined;
}

/** A firing without all that it saw. */
type Decided = Pick<Firing, 'rule' | 'section' | 'episode' | 'queue' | 'atMs'> & { readonly about: string };

/** Which of the times it is that a step of a firing is done. */
interface Which {
  readonly firing: string;
  readonly element?: string | undefined;
  readonly part: number;
}

/** Makes what would be said of what happens in a rule, slot by slot. */
export function wouldOf(rule: Rule): (happened: Happened) => readonly Would[] {
  const decided = new Map<string, Decided>();

  function toWould({ step, account, index }: PlannedStep, which: Which, said: Pick<Would, 'params' | 'failure'>): readonly Would[] {
    const one = decided.get(which.firing);
    if (!one) return [];
    const { section, episode, atMs, about } = one;
    return [
      {
        ...said,
        atMs,
        sinceMs: Math.min(atMs, beginningOf(episode) ?? atMs),
        about,
        place: placeIn(one, { step, account, index }, which),
        firing: which.firing,
        step: stepName(stepPlace(rule, section, index)),
        do: step.do,
        account,
      },
    ];
  }

  return ({ firings, done, undone }) => {
    for (const { scope, ...firing } of firings) {
      const { id, rule: of, section, episode, queue, atMs } = firing;
      const item = scope.item ?? scope.previous;
      decided.set(id, { rule: of, section, episode, queue, atMs, about: item ? nameOf(item, itemKey(firing) ?? '') : '' });
    }
    return [
      ...done.filter(({ reads }) => !reads).flatMap((one) => toWould(one.planned, one, { params: one.params })),
      ...undone.filter(({ failed }) => failed).flatMap((one) => toWould(one.planned, { ...one, part: 1 }, { failure: one.reason })),
    ];
  };
}
