import { recordedPollsOf, type RecordedPoll, type RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { SimulatedSlot } from '../simulation.ts';
import { longestRestMs } from '#src/engine/scheduler/rest.ts';
import { slotsOf, type Slots } from '#src/engine/scheduler/slots.ts';

/** The largest number of replayed slots of a rule that watches nothing. */
const MAX_SLOTS = 10_000;

/** A slot of a rule with its recorded poll. */
export interface RecordedSlot extends SimulatedSlot, Pick<RecordedPoll, 'missingNames'> {}

export interface RecordedSlotsOptions {
  readonly recordedPolls: RecordedPolls;
  readonly receivedWebhooks: Pick<ReceivedWebhooks, 'list'>;
  readonly startMs: number;
  readonly nowMs: number;
  /** When the simulated rule asks to run next. */
  readonly wakeMs: () => number | undefined;
}

/** The slots of a rule as the scheduler would have run them. Polls for other rules may be more frequent. */
export async function* recordedSlots(
  rule: Rule,
  { recordedPolls, receivedWebhooks, startMs, nowMs, wakeMs }: RecordedSlotsOptions,
): AsyncGenerator<RecordedSlot, void> {
  if (rule.webhook) {
    for (const { slotMs, ...webhook } of await receivedWebhooks.list(rule.id, startMs)) yield { slotMs, webhook, missingNames: [] };
    return;
  }
  const slots = slotsOf(rule.schedule);
  if (!rule.watched) {
    for (const slotMs of slots.lastOf(startMs - 1, nowMs, MAX_SLOTS)) yield { slotMs, missingNames: [] };
    return;
  }
  const findGap = createGapDetector(rule, slots);
  let lastPollMs: number | undefined;
  let downSinceMs: number | undefined;
  for await (const { slotMs: pollMs, poll, missingNames } of recordedPollsOf(rule, recordedPolls, startMs)) {
    downSinceMs ??= findGap(pollMs, { isAwaited: wakeMs() !== undefined });
    const scheduledMs = slots.latest(lastPollMs ?? pollMs - 1, pollMs);
    const wantedMs = [scheduledMs, wakeMs()].filter((atMs) => atMs !== undefined && atMs <= pollMs).map(Number);
    // The first poll of a rule is due at any time.
    if (lastPollMs !== undefined && wantedMs.length === 0) continue;
    const slotMs = wantedMs.length > 0 ? Math.max(...wantedMs) : pollMs;
    yield {
      slotMs,
      poll,
      missingNames,
      woken: scheduledMs === undefined,
      downSinceMs,
    };
    lastPollMs = pollMs;
    downSinceMs = undefined;
  }
}

/**
 * Finds the times in which the program did not run: no poll was recorded, and the polls before were more frequent. The schedule alone does not
 * show them, because an edit may have made it more frequent.
 */
function createGapDetector(rule: Rule, slots: Slots): (pollMs: number, options: { readonly isAwaited: boolean }) => number | undefined {
  const restMs = longestRestMs(rule) ?? 0;
  let usualMs = Infinity;
  let lastMs: number | undefined;
  return (pollMs, { isAwaited }) => {
    const [beforeMs = pollMs, gapMs] = [lastMs, pollMs - (lastMs ?? pollMs)];
    lastMs = pollMs;
    const missedMs = slots.next(beforeMs);
    if (gapMs >= 2 * usualMs && missedMs !== undefined && missedMs < pollMs)
      // A rule at rest waits for nothing but a notification.
      return isAwaited || gapMs > restMs ? missedMs : undefined;
    if (gapMs > 0) usualMs = usualMs === Infinity ? gapMs : Math.max(usualMs, gapMs);
    return undefined;
  };
}
