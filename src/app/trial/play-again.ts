import type { ReplayView } from '#src/cli/replay-view.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Rule } from '#src/rules/rule.ts';
import { Simulation } from '#src/rules/testing/simulation.ts';
import type { World } from '#src/rules/testing/world/world.ts';
import type { Store } from '#src/store/store.ts';
import { catalogue } from '../catalogue.ts';
import { slotsSeen } from './slots-seen.ts';
import { wouldOf, type Would } from './would.ts';

export interface PlayAgainOptions {
  readonly world: World;
  readonly recordedPolls: Store['recordedPolls'];
  /** Where it begins, so that what goes on at `sinceMs` is known. */
  readonly startMs: number;
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
}

/** What came of a rule, from `startMs` on; looks and names are those since `sinceMs`. */
export interface PlayedAgain extends Pick<ReplayView, 'looks' | 'lacks'> {
  /** In the order of the slots. */
  readonly would: readonly Would[];
  /** The first slot of all. */
  readonly firstMs: number | undefined;
  readonly blownMs: number | undefined;
}

/** Runs a rule over all that was seen, by the code that runs in production. */
export async function playAgain(rule: Rule, options: PlayAgainOptions): Promise<PlayedAgain> {
  const { world, recordedPolls, startMs, sinceMs, nowMs, textLimitOf } = options;
  const simulation = new Simulation({ rule, catalogue, textLimitOf, world });
  const toWould = wouldOf(rule);
  const would: Would[] = [];
  const lacking = new Set<string>();
  let firstMs: number | undefined;
  let looks: ReplayView['looks'];
  for await (const { lacks, ...slot } of slotsSeen(rule, { recordedPolls, startMs, nowMs, wakeMs: () => simulation.wakeMs })) {
    for (const one of toWould(simulation.slot(slot))) would.push(one);
    firstMs ??= slot.slotMs;
    if (slot.slotMs < sinceMs) continue;
    for (const name of lacks) lacking.add(name);
    const at = new Date(slot.slotMs);
    looks = { count: (looks?.count ?? 0) + 1, first: looks?.first ?? at, last: at, isWarm: looks?.isWarm ?? firstMs < slot.slotMs };
  }
  // What waits needs no look to be done; what the rule wants to look at once more was not looked at.
  const endMs = rule.watched && simulation.wakeMs !== undefined ? Math.min(nowMs, simulation.wakeMs - 1) : nowMs;
  for (const one of toWould(simulation.runUntil(endMs))) would.push(one);
  return { would: would.toSorted((a, b) => a.atMs - b.atMs), firstMs, looks, lacks: [...lacking], blownMs: simulation.blownMs };
}
