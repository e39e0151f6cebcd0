import type { EndedAttempt } from '#src/engine/delivery/attempt.ts';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import { logFieldsOf } from '#src/engine/delivery/log-fields.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import type { Clock } from '#src/clock.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Firing } from '#src/rules/firing.ts';
import { noticeOf } from '#src/rules/notice.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import type { SlotTimes } from '#src/engine/scheduler/slot-times.ts';
import { spanIdOf, traceIdOf, type Span } from './span.ts';

export interface FiringTracesOptions {
  /** Receives each span. */
  readonly onSpan: (span: Span) => void;
  readonly clock: Clock;
}

/** Makes one trace of each firing, from the tick to the receipts. Slots without a firing have no trace. */
export interface FiringTraces {
  /** `times`: absent if no slot of the schedule made the commit. */
  slotCommitted(commit: Pick<Commit, 'slotMs' | 'firings' | 'decisions'>, times?: SlotTimes): void;
  attempted(ended: EndedAttempt): void;
  /** A delivery has changed. */
  delivered(delivery: Delivery): void;
}

/** Creates the spans of firings. They have ids and names of operations, but no text of a post. */
export function traceFirings({ onSpan, clock }: FiringTracesOptions): FiringTraces {
  function traceSlot(
    firing: Firing,
    { slotMs, times, decisions }: Pick<Commit, 'slotMs' | 'decisions'> & { readonly times: SlotTimes },
  ): void {
    const { beganMs, polledMs, evaluatedMs, committedMs } = times;
    const traceId = traceIdOf(firing.id);
    const about = aboutOf(firing);
    const slot = {
      traceId,
      spanId: slotSpanOf(firing.id),
      name: 'slot',
      beganMs,
      endedMs: committedMs,
      attributes: {
        ...about,
        'fanfare.section': firing.section,
        'fanfare.slot': new Date(slotMs).toISOString(),
        'fanfare.steps': firing.steps.length,
        ...noticeAttributes(decisions.find(({ details }) => details?.['firing'] === firing.id)),
      },
    };
    onSpan(slot);
    const parts = [
      ['poll', beganMs, polledMs],
      ['evaluate', polledMs, evaluatedMs],
      ['commit', evaluatedMs, committedMs],
    ] as const;
    for (const [name, fromMs, untilMs] of parts) {
      const spanId = spanIdOf(firing.id, name);
      onSpan({ traceId, spanId, parentId: slot.spanId, name, beganMs: fromMs, endedMs: untilMs, attributes: about });
    }
  }

  return {
    slotCommitted({ slotMs, firings, decisions }, times = { beganMs: slotMs, polledMs: slotMs, evaluatedMs: slotMs, committedMs: slotMs }) {
      for (const firing of firings) traceSlot(firing, { slotMs, times, decisions });
    },

    attempted({ kind, delivery, change, beganMs, endedMs }) {
      onSpan({
        traceId: traceIdOf(delivery.firing),
        spanId: spanIdOf(delivery.id, kind, delivery.attempts, beganMs),
        parentId: deliverySpanOf(delivery.id),
        name: kind,
        beganMs,
        endedMs,
        attributes: { ...attributesOf(delivery), 'fanfare.attempt': delivery.attempts, 'fanfare.state': change.state },
        fault: change.error?.fault,
      });
    },

    delivered(delivery) {
      if (!isSettled(delivery)) return;
      const { id, firing, rule, state, createdAt, error, attempts } = delivery;
      onSpan({
        traceId: traceIdOf(firing),
        spanId: deliverySpanOf(id),
        // No slot decides the posts of people.
        parentId: rule === POST_RULE ? undefined : slotSpanOf(firing),
        name: 'delivery',
        beganMs: createdAt.getTime(),
        endedMs: Math.max(createdAt.getTime(), clock.nowMs()),
        attributes: { ...attributesOf(delivery), 'fanfare.attempts': attempts, 'fanfare.state': state },
        fault: error?.fault ?? (state === 'unknown' ? 'unknown' : undefined),
      });
    },
  };
}

/** How the change was noticed that a firing announces, and how long after it happened. */
function noticeAttributes(decision: Decision | undefined): Span['attributes'] {
  const notice = decision && noticeOf(decision);
  if (!notice) return {};
  return { 'fanfare.noticed_by': notice.isNotified ? 'notification' : 'poll', 'fanfare.notice_delay_ms': notice.delayMs };
}

function slotSpanOf(firing: string): string {
  return spanIdOf(firing, 'slot');
}

function deliverySpanOf(id: string): string {
  return spanIdOf(id, 'delivery');
}

/** The same fields as in log lines. */
function aboutOf(firing: Pick<Delivery, 'id' | 'rule' | 'queue'>): Span['attributes'] {
  const { rule, item } = logFieldsOf(firing);
  return { 'fanfare.rule': rule, 'fanfare.item': item };
}

function attributesOf(delivery: Delivery): Span['attributes'] {
  const { id, account, do: verb, step } = delivery;
  return { ...aboutOf(delivery), 'fanfare.delivery': id, 'fanfare.account': account, 'fanfare.do': verb, 'fanfare.step': step };
}
