import { setImmediate as nextLoop } from 'node:timers/promises';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { AccountFacts } from '../account-facts.ts';
import { Simulation } from '../simulation.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { World } from '#src/engine/testing/world/world.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { recordedSlots } from './recorded-slots.ts';
import { expectedDeliveries, type ExpectedDelivery } from './expected-deliveries.ts';
import type { ReplayLimit } from './replay-limit.ts';

/** The longest time without a pause for other work. */
const MAX_BLOCK_MS = 10;
/** Polls are stored some seconds after their slots. */
const STORED_WITHIN_MS = 60_000;

export interface ReplayPollsOptions extends AccountFacts {
  readonly world: World;
  readonly recordedPolls: RecordedPolls;
  readonly receivedWebhooks: Pick<ReceivedWebhooks, 'list'>;
  /** The start of the simulation, so that episodes that are open at `sinceMs` are known. */
  readonly startMs: number;
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Absent: the replay has no limit. */
  readonly limit?: ReplayLimit | undefined;
}

/** The result of a simulation from `startMs` on; slots and names are those since `sinceMs`. */
export interface ReplayedPolls extends Pick<ReplayView, 'slots' | 'missingNames'> {
  /** In the order of the slots. */
  readonly expected: readonly ExpectedDelivery[];
  /** The first slot of all. */
  readonly firstMs: number | undefined;
  readonly blownMs: number | undefined;
  /** The last simulated slot, if the replay reached its limit. */
  readonly endedMs: number | undefined;
}

/** Runs a rule over the recorded slots, with the code of production. */
export async function replayPolls(rule: Rule, options: ReplayPollsOptions): Promise<ReplayedPolls> {
  const { world, recordedPolls, receivedWebhooks, startMs, sinceMs, nowMs, limit, ...facts } = options;
  const simulation = new Simulation({ ...facts, rule, catalogue, world });
  const toExpected = expectedDeliveries(rule);
  const expected: ExpectedDelivery[] = [];
  const missing = new Set<string>();
  let firstMs: number | undefined;
  let slots: ReplayView['slots'];
  let endedMs: number | undefined;
  let lastMs = startMs;
  let pausedMs = performance.now();
  const recorded = { recordedPolls, receivedWebhooks, startMs, nowMs, wakeMs: () => simulation.wakeMs };
  for await (const { missingNames, ...slot } of recordedSlots(rule, recorded)) {
    if (performance.now() - pausedMs >= MAX_BLOCK_MS) {
      await nextLoop();
      pausedMs = performance.now();
    }
    if (limit?.isReached(slots?.count ?? 0)) {
      endedMs = lastMs;
      break;
    }
    lastMs = slot.slotMs;
    for (const one of toExpected(await simulation.slot(slot))) expected.push(one);
    firstMs ??= slot.slotMs;
    if (slot.slotMs < sinceMs) continue;
    for (const name of missingNames) missing.add(name);
    const at = new Date(slot.slotMs);
    slots = { count: (slots?.count ?? 0) + 1, first: slots?.first ?? at, last: at, isWarm: slots?.isWarm ?? firstMs < slot.slotMs };
  }
  const untilMs = endedMs ?? nowMs;
  // Between two slots, for example at the end of quiet hours, the rule gets the last poll again.
  const betweenMs = Math.min(untilMs - STORED_WITHIN_MS, (slotsOf(rule.schedule).next(lastMs) ?? Infinity) - 1);
  if (rule.watched && firstMs !== undefined && betweenMs > lastMs)
    for (const one of toExpected(await simulation.runUntil(betweenMs))) expected.push(one);
  // Deliveries that wait need no poll; the next poll of the rule is not recorded yet.
  const endMs = rule.watched && simulation.wakeMs !== undefined ? Math.min(untilMs, simulation.wakeMs - 1) : untilMs;
  for (const one of toExpected(await simulation.runUntil(endMs))) expected.push(one);
  return {
    expected: expected.toSorted((a, b) => a.atMs - b.atMs),
    firstMs,
    slots,
    missingNames: [...missing],
    blownMs: simulation.blownMs,
    endedMs,
  };
}
