import type { PlannedStep } from '#src/rules/firing.ts';
import type { Occurrence, World } from '#src/engine/testing/world/world.ts';
import { haveSameContent } from './compare.ts';
import { isPublished, type ActualDelivery } from './actual-deliveries.ts';
import { sampleResult } from '../preview/samples.ts';
import type { Pairing } from './pairing.ts';
import { slotKeyIn } from './delivery-slot.ts';

/** The recorded world: real results, refusals and answers for deliveries that were really sent, and sample results for all others. */
export function replayWorld(actual: Pairing): World {
  function realOf(planned: PlannedStep, { firing, ...which }: Occurrence): ActualDelivery | undefined {
    return actual.nearest({ slotKey: slotKeyIn(firing, planned, which), atMs: firing.atMs, firing: firing.id });
  }

  return {
    resultOf(planned, nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      return real && isPublished(real) ? real.delivery.result : sampleResult(planned, occurrence.params, nowMs);
    },

    refuses(planned, _nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real || real.atMs !== occurrence.firing.atMs) return false;
      const { state, do: verb, params, reason } = real.delivery;
      if (state === 'failed') return params !== undefined && haveSameContent(verb, params, occurrence.params) && 'forGood';
      return reason?.kind === 'alreadyDeleted' && 'forGood';
    },

    skips(planned, _nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real || real.atMs !== occurrence.firing.atMs || real.delivery.state === 'failed') return undefined;
      const { maxAgeMs, reason } = real.delivery;
      return reason?.kind === 'tooLate' && maxAgeMs === planned.step.maxAgeMs ? reason : undefined;
    },

    // The recorded result has the answer.
    answerTo: (planned, _nowMs, occurrence) => (realOf(planned, occurrence)?.delivery.state === 'asked' ? undefined : {}),
  };
}
