import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import type { Rule } from '#src/rules/rule.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { longestRestMs } from '#src/engine/scheduler/rest.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { timezoneOf } from '#src/rules/messages/schedule-text.ts';
import type { AccountFacts } from '../account-facts.ts';
import { asksPerson } from '../assumptions.ts';
import { changedLists, type ListChanges } from './changed-lists.ts';
import { compare } from './compare.ts';
import { actualSince, isPublished, type ActualDelivery } from './actual-deliveries.ts';
import { pairing } from './pairing.ts';
import { beginningOf } from './delivery-slot.ts';
import type { ReplayLimit } from './replay-limit.ts';
import { replayPolls } from './replay-polls.ts';
import { replayWorld } from './replay-world.ts';
import { namesOf, tracesOf } from './traces.ts';

/** A message of an edited rule may come this much earlier or later and count as the same. */
const APART_MS = 10 * 60_000;
/** The simulation starts this much earlier, so that open episodes and deferred changes go on. */
const BEFORE_MS = 24 * 3_600_000;

export interface ReplayRuleOptions extends AccountFacts {
  readonly store: {
    readonly recordedPolls: RecordedPolls;
    readonly receivedWebhooks: Pick<ReceivedWebhooks, 'list'>;
    readonly deliveryLog: DeliveryLog;
    readonly decisions: DecisionLog;
    readonly episodes: EpisodeLog;
    readonly lists: ListChanges;
  };
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Absent: the replay has no limit. */
  readonly limit?: ReplayLimit | undefined;
}

/** Compares the deliveries that a rule makes from recorded slots with those that were really sent. */
export async function replayRule(rule: Rule, { store, sinceMs, nowMs, limit, ...facts }: ReplayRuleOptions): Promise<ReplayView> {
  // The poll after a notification is not recorded, so the replay sees a change at the next poll of the whole list.
  const withinMs = Math.max(APART_MS, 'everyMs' in rule.schedule ? 2 * rule.schedule.everyMs : 0, longestRestMs(rule) ?? 0);
  const { beganMs, preventedMs, allSinceMs } = await tracesOf(rule, store);
  const startMs = startOf(rule, { sinceMs, beganMs });
  const { all, withdrawnMs } = await actualSince(rule, store.deliveryLog, startMs);
  const world = replayWorld(pairing(all, withinMs));
  const replayed = await replayPolls(rule, { ...facts, world, ...store, startMs, sinceMs, nowMs, limit });
  const { expected, slots, missingNames, blownMs, firstMs = Infinity, endedMs } = replayed;
  const lastMs = rule.watched ? (slots?.last.getTime() ?? -Infinity) : (endedMs ?? nowMs);
  const names = new Map(expected.map(({ slotKey, about }) => [slotKey, about]));
  const known = await namesOf(rule, store.episodes);
  const actual = all
    .filter((one) => catalogue.get(one.delivery.do)?.kind === 'write' && isOf(one, { firstMs, lastMs }))
    .map((one) => ({ ...one, about: names.get(one.slotKey) ?? known.get(one.about) ?? one.about }));
  const isShown = ({ atMs }: { readonly atMs: number }): boolean => atMs >= sinceMs;
  const events = compare(
    expected.filter((one) => !isEdit(one)),
    actual.filter((one) => !isEdit(editOf(one))),
    { withinMs, beganMs },
  );
  const edits = { expected: expected.filter(isEdit), actual: actual.filter((one) => isEdit(editOf(one)) && isPublished(one)) };
  return {
    rule,
    timezone: timezoneOf(rule),
    since: new Date(sinceMs),
    slots,
    endedAt: endedMs === undefined ? undefined : new Date(endedMs),
    blown:
      blownMs === undefined ? undefined : { at: new Date(blownMs), most: `${rule.fuse.firings} in ${formatDuration(rule.fuse.perMs)}` },
    knownSince: beganMs === undefined || beganMs <= firstMs ? undefined : new Date(beganMs),
    startsEmpty:
      beganMs !== undefined && (firstMs > beganMs || events.some(({ kind }) => kind === 'early'))
        ? keysFromBefore(rule, sinceMs - firstMs)
        : [],
    missingNames,
    changedLists: await changedLists(rule, store.lists, sinceMs),
    answersFirst: expected.some((one) => asksPerson(one.do) && isShown(one)),
    paused: [...preventedMs, ...withdrawnMs].filter((atMs) => isShown({ atMs })).length,
    pausedIsMinimum: sinceMs < allSinceMs,
    failed: actual.filter((one) => one.delivery.state === 'failed' && isShown(one)).length,
    events: events.filter(({ at }) => isShown({ atMs: at.getTime() })),
    edits: { expected: edits.expected.filter(isShown).length, actual: edits.actual.filter(isShown).length },
  };
}

/** Whether a step of `while` changes a message. A post of a step with `every` is compared like the other posts. */
function isEdit({ slotKey, do: verb }: { readonly slotKey: string; readonly do: string }): boolean {
  const declared = catalogue.get(verb);
  return slotKey.startsWith('while ') && !(declared?.kind === 'write' && declared.effect === 'creates');
}

function editOf({ slotKey, delivery }: ActualDelivery): Parameters<typeof isEdit>[0] {
  return { slotKey, do: delivery.do };
}

/** The keys of a rule that can depend on slots before those of the replay, which begins `aheadMs` before its period. */
function keysFromBefore({ keep, gather, cooldown, limit }: Rule, aheadMs: number): readonly string[] {
  return [
    ...(keep ? ['keep'] : []),
    ...(gather ? ['gather'] : []),
    ...(cooldown && cooldown.forMs > aheadMs ? ['cooldown'] : []),
    ...(limit && limit.perMs > aheadMs ? ['limit'] : []),
  ];
}

/** The start of the simulation. It is early enough to restore the state at `sinceMs`, but not before the oldest trace of the rule. */
function startOf(rule: Rule, { sinceMs, beganMs }: { readonly sinceMs: number; readonly beganMs: number | undefined }): number {
  if (beganMs === undefined) return sinceMs;
  // The slots of a schedule are computed: before its oldest trace, the rule did not run.
  if (!rule.watched && !rule.webhook && beganMs > sinceMs) return beganMs;
  if (beganMs >= sinceMs) return sinceMs;
  const earliestMs = sinceMs - BEFORE_MS;
  if (!rule.watched) return Math.max(earliestMs, beganMs);
  // Before its first announcement, the rule waited for `settle` and confirmations.
  const { settleMs, confirm } = rule.watched;
  const [aheadMs = beganMs] = slotsOf(rule.schedule).lastOf(earliestMs, beganMs - settleMs - 1, 1 + confirm.new);
  return Math.max(earliestMs, aheadMs);
}

/** Whether a delivery was decided within the recorded slots. */
function isOf({ atMs, delivery }: ActualDelivery, { firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number }): boolean {
  const { section, episode } = delivery;
  // An episode that began before the first poll may have been announced or not, so its end is not compared.
  const isOlder = (section === 'finally' || section === 'while') && (beginningOf(episode) ?? atMs) < firstMs;
  return atMs >= firstMs && atMs <= lastMs && !isOlder;
}
