import type { PlannedStep } from '#src/rules/firing.ts';
import type { Occurrence, World } from '#src/engine/testing/world/world.ts';
import { haveSameContent } from './compare.ts';
import { isPublished, OUTSIDE, type ActualDelivery } from './actual-deliveries.ts';
import { sampleResult } from '../preview/samples.ts';
import type { Pairing } from './pairing.ts';
import { slotKeyIn } from './delivery-slot.ts';

/** The recorded world: real results, refusals and answers for deliveries that were really sent, and sample results for all others. */
export function replayWorld(actual: Pairing): World {
  function realOf(planned: PlannedStep, { firing, ...which }: Occurrence): ActualDelivery | undefined {
    return actual.nearest({ slotKey: slotKeyIn(firing, planned, which), atMs: firing.atMs, firing: firing.id });
  }

  /** For each failure, the firing of the replay that it belongs to: a later one with the same content is another attempt. */
  const failedFor = new Map<ActualDelivery, string>();

  return {
    resultOf(planned, nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      return real && isPublished(real) ? real.delivery.result : sampleResult(planned, { ...occurrence, slotMs: nowMs });
    },

    refuses(planned, _nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real) return false;
      const { state, do: verb, params, reason } = real.delivery;
      if (state === 'failed') {
        if (params === undefined || !haveSameContent(verb, params, occurrence.params)) return false;
        // After a notification, the slot of the replay is later than the real one.
        const firing = failedFor.get(real) ?? occurrence.firing.id;
        failedFor.set(real, firing);
        return firing === occurrence.firing.id && 'forGood';
      }
      return real.atMs === occurrence.firing.atMs && OUTSIDE.includes(reason?.kind) && 'forGood';
    },

    skips(planned, _nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real || real.atMs !== occurrence.firing.atMs || real.delivery.state === 'failed') return undefined;
      const { maxAgeMs, reason } = real.delivery;
      return reason?.kind === 'tooLate' && maxAgeMs === planned.step.maxAgeMs ? reason : undefined;
    },

    // The recorded result has the answer. A person took as long as in reality, because `mode: single` waits for the answer.
    answerTo(planned, nowMs, occurrence) {
      const real = realOf(planned, occurrence);
      if (!real) return {};
      const { state, settledAt } = real.delivery;
      const tookMs = (settledAt?.getTime() ?? 0) - real.atMs;
      return state === 'asked' || nowMs - occurrence.firing.atMs < tookMs ? undefined : {};
    },
  };
}
