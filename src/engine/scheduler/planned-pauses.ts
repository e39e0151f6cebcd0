import type { Clock } from '#src/clock.ts';
import { isOutage } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { RuleStates } from './rule-states.ts';

/** Another process may plan a pause at any time. */
const LONGEST_PAUSE_MS = 15_000;

export interface PlannedPausesOptions {
  readonly ruleStates: Pick<RuleStates, 'beginPlanned'>;
  readonly eventBus: Pick<EventBus, 'publish'>;
  /** Called when pauses have begun, so that the deliveries that they held and did not withdraw begin. */
  readonly onBegun: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Begins each planned pause at its time, until `signal` aborts. */
export async function runPlannedPauses({ ruleStates, eventBus, onBegun, clock, log, signal }: PlannedPausesOptions): Promise<void> {
  while (!signal.aborted) {
    let nextMs = Infinity;
    try {
      const begun = await ruleStates.beginPlanned();
      if (begun.rules.length > 0) {
        log.info({ rules: begun.rules }, 'planned pauses began');
        eventBus.publish({ kind: 'rules' });
        onBegun();
      }
      nextMs = begun.nextMs ?? Infinity;
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) log.error({ error }, 'the planned pauses could not be read; Fanfare retries');
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(0, nextMs - clock.nowMs()));
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}
