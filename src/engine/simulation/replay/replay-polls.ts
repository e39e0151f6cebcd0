import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { Rule } from '#src/rules/rule.ts';
import { Simulation } from '../simulation.ts';
import type { World } from '#src/engine/testing/world/world.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { recordedSlots } from './recorded-slots.ts';
import { expectedDeliveries, type ExpectedDelivery } from './expected-deliveries.ts';

export interface ReplayPollsOptions {
  readonly world: World;
  readonly recordedPolls: RecordedPolls;
  readonly receivedWebhooks: Pick<ReceivedWebhooks, 'list'>;
  /** The start of the simulation, so that episodes that are open at `sinceMs` are known. */
  readonly startMs: number;
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
}

/** The result of a simulation from `startMs` on; slots and names are those since `sinceMs`. */
export interface ReplayedPolls extends Pick<ReplayView, 'slots' | 'missingNames'> {
  /** In the order of the slots. */
  readonly expected: readonly ExpectedDelivery[];
  /** The first slot of all. */
  readonly firstMs: number | undefined;
  readonly blownMs: number | undefined;
}

/** Runs a rule over the recorded slots, with the code of production. */
export async function replayPolls(rule: Rule, options: ReplayPollsOptions): Promise<ReplayedPolls> {
  const { world, recordedPolls, receivedWebhooks, startMs, sinceMs, nowMs, textLimitOf } = options;
  const simulation = new Simulation({ rule, catalogue, textLimitOf, world });
  const toExpected = expectedDeliveries(rule);
  const expected: ExpectedDelivery[] = [];
  const missing = new Set<string>();
  let firstMs: number | undefined;
  let slots: ReplayView['slots'];
  const recorded = { recordedPolls, receivedWebhooks, startMs, nowMs, wakeMs: () => simulation.wakeMs };
  for await (const { missingNames, ...slot } of recordedSlots(rule, recorded)) {
    for (const one of toExpected(await simulation.slot(slot))) expected.push(one);
    firstMs ??= slot.slotMs;
    if (slot.slotMs < sinceMs) continue;
    for (const name of missingNames) missing.add(name);
    const at = new Date(slot.slotMs);
    slots = { count: (slots?.count ?? 0) + 1, first: slots?.first ?? at, last: at, isWarm: slots?.isWarm ?? firstMs < slot.slotMs };
  }
  // Deliveries that wait need no poll; a poll that the rule asks for was not recorded.
  const endMs = rule.watched && simulation.wakeMs !== undefined ? Math.min(nowMs, simulation.wakeMs - 1) : nowMs;
  for (const one of toExpected(await simulation.runUntil(endMs))) expected.push(one);
  return {
    expected: expected.toSorted((a, b) => a.atMs - b.atMs),
    firstMs,
    slots: slots,
    missingNames: [...missing],
    blownMs: simulation.blownMs,
  };
}
