import type { PlannedStep } from '#src/rules/firing.ts';
import type { Occurrence, World } from '#src/rules/testing/world/world.ts';
import { sayTheSame } from './compare.ts';
import { isSaid, type Did } from './did.ts';
import { madeUpResult } from './made-up-result.ts';
import type { Pairing } from './pairing.ts';
import { placeIn } from './place.ts';

/** The world as it was: what was really made, read, refused and answered, where a rule does what it did; the rest is made up. */
export function replayWorld(did: Pairing): World {
  function realOf(planned: PlannedStep, { firing, ...which }: Occurrence): Did | undefined {
    return did.nearest({ place: placeIn(firing, planned, which), atMs: firing.atMs, firing: firing.id });
  }

  return {
    resultOf(planned, nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      return real && isSaid(real) ? real.delivery.result : madeUpResult(planned, { params: occurrence.params, slotMs: nowMs });
    },

    refuses(planned, _nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real || real.atMs !== occurrence.firing.atMs) return false;
      const { state, do: verb, params, maxAgeMs, why } = real.delivery;
      if (state === 'failed') return params !== undefined && sayTheSame(verb, params, occurrence.params) && 'forGood';
      if (why?.kind === 'tooLate') return maxAgeMs === planned.step.maxAgeMs && why;
      return why?.kind === 'gone' && 'forGood';
    },

    // What was answered stands in the result.
    answerTo: (planned, _nowMs, occurrence) => (realOf(planned, occurrence)?.delivery.state === 'asked' ? undefined : {}),
  };
}
