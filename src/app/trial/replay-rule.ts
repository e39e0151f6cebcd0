import type { ReplayView } from '#src/cli/replay-view.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import { recordedPollsOf, type RecordedPoll } from '#src/planner/recorded-rule.ts';
import { nameOf } from '#src/rules/episodes/telling/item-words.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Rule } from '#src/rules/rule.ts';
import { durationText } from '#src/rules/wording/duration-text.ts';
import { slotsOf } from '#src/scheduler/slots.ts';
import type { Store } from '#src/store/store.ts';
import { catalogue } from '../catalogue.ts';
import { timezoneOf } from '../schedule-text.ts';
import { keptStepPlace, stepName, stepPlace } from '../step-name.ts';
import { compare, type Did, type Would } from './compare.ts';
import { madeUpResult } from './made-up-result.ts';
import { Rehearsal, type RehearsedStep } from './rehearsal.ts';
import { firstTrace, namesOf, sentSince } from './traces.ts';

/** A look that came later than its slot is still the same look. */
const APART_MS = 10 * 60_000;
/** More slots of a rule that watches nothing are not gone through. */
const MOST_SLOTS = 10_000;

export interface ReplayRuleOptions {
  readonly store: Pick<Store, 'recordedPolls' | 'deliveryLog' | 'decisions' | 'episodes'>;
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
}

/** What a rule would have done with what was really seen, beside what was really sent. */
export async function replayRule(rule: Rule, { store, sinceMs, nowMs, textLimitOf }: ReplayRuleOptions): Promise<ReplayView> {
  const sent = await sentSince(rule, store, sinceMs);
  const results = new Map(sent.map((delivery) => [toDid(delivery, rule).place, delivery.result]));
  const rehearsal = new Rehearsal({
    rule,
    textLimitOf,
    // What was really made stands where it was made; the rest is made up.
    resultOf: async ({ firing, planned, ...done }) => results.get(placeIn(firing, planned)) ?? madeUpResult(planned, done),
  });
  const steps: RehearsedStep[] = [];
  const lacks = new Set<string>();
  let looks: ReplayView['looks'];
  for await (const { slotMs, poll, lacks: names } of slotsSeen(rule, { store, sinceMs, nowMs })) {
    steps.push(...(await rehearsal.slot({ slotMs, poll })).steps);
    for (const name of names) lacks.add(name);
    looks = { count: (looks?.count ?? 0) + 1, first: looks?.first ?? new Date(slotMs), last: new Date(slotMs) };
  }
  const firstMs = looks?.first.getTime() ?? Infinity;
  const would = steps.flatMap((step) => toWould(step, rule));
  const names = new Map(would.map(({ place, about }) => [place, about]));
  const writes = sent.filter((one) => catalogue.get(one.do)?.kind === 'write' && one.createdAt.getTime() >= firstMs);
  const known = await namesOf(rule, store);
  const did = writes
    .map((one) => toDid(one, rule))
    .map((one) => ({ ...one, about: names.get(one.place) ?? known.get(one.about) ?? one.about }));
  const isEdit = ({ place }: { readonly place: string }): boolean => place.startsWith('while ');
  const beganMs = await firstTrace(rule, store);
  return {
    rule,
    timezone: timezoneOf(rule),
    since: new Date(sinceMs),
    looks,
    blown:
      rehearsal.blownMs === undefined
        ? undefined
        : { at: new Date(rehearsal.blownMs), most: `${rule.fuse.firings} in ${durationText(rule.fuse.perMs)}` },
    began: beganMs === undefined || beganMs <= firstMs ? undefined : new Date(beganMs),
    lacks: [...lacks],
    events: compare(
      would.filter((one) => !isEdit(one)),
      did.filter((one) => !isEdit(one)),
      { withinMs: Math.max(APART_MS, 'everyMs' in rule.schedule ? 2 * rule.schedule.everyMs : 0), beganMs },
    ),
    edits: { would: would.filter(isEdit).length, did: did.filter(isEdit).length },
  };
}

type Seen = Omit<RecordedPoll, 'poll'> & { readonly poll?: RecordedPoll['poll'] | undefined };

/** What was seen at the slots of the rule: another rule may have had it looked more often. */
async function* slotsSeen(
  rule: Rule,
  { store, sinceMs, nowMs }: Pick<ReplayRuleOptions, 'store' | 'sinceMs' | 'nowMs'>,
): AsyncGenerator<Seen, void> {
  const slots = slotsOf(rule.schedule);
  if (!rule.watched) {
    for (const slotMs of slots.lastOf(sinceMs, nowMs, MOST_SLOTS)) yield { slotMs, lacks: [] };
    return;
  }
  let lastMs: number | undefined;
  for await (const seen of recordedPollsOf(rule, store.recordedPolls, sinceMs)) {
    if (lastMs !== undefined && slots.latest(lastMs, seen.slotMs) === undefined) continue;
    lastMs = seen.slotMs;
    yield seen;
  }
}

function toWould({ firing, planned, outcome }: RehearsedStep, rule: Rule): readonly Would[] {
  if (outcome.kind === 'skipped' || (outcome.kind === 'done' && outcome.reads)) return [];
  const { section, episode, scope, atMs } = firing;
  const { step, account, index } = planned;
  const item = scope.item ?? scope.previous;
  return [
    {
      atMs,
      sinceMs: Math.min(atMs, beginningOf(episode) ?? atMs),
      about: item ? nameOf(item, keyOf(episode)) : '',
      place: placeIn(firing, planned),
      step: stepName(stepPlace(rule, section, index)),
      do: step.do,
      account,
      params: outcome.kind === 'done' ? outcome.params : [],
      failure: outcome.kind === 'failed' ? outcome.reason : undefined,
    },
  ];
}

function placeIn({ section, episode, scope }: Firing, { step, account, index }: PlannedStep): string {
  const isOfItem = (scope.item ?? scope.previous) !== undefined;
  return placeOf({ section, key: isOfItem ? keyOf(episode) : '', step: step.id ?? String(index), account });
}

function toDid(delivery: Delivery, rule: Rule): Did {
  const { section, episode, step, account, queue, createdAt } = delivery;
  const isOfItem = queue.startsWith(`${rule.id}/`);
  const key = isOfItem ? keyOf(episode) : '';
  return {
    delivery,
    atMs: createdAt.getTime(),
    place: placeOf({ section, key, step, account }),
    about: key,
    step: stepName(keptStepPlace(rule, delivery)),
  };
}

function placeOf({
  section,
  key,
  step,
  account,
}: {
  readonly section: string;
  readonly key: string;
  readonly step: string;
  readonly account: string;
}): string {
  return `${section} ${JSON.stringify([key, step, account])}`;
}

/** An episode is named after its item's key and the slot of its first sight. */
function keyOf(episode: string): string {
  const end = episode.lastIndexOf('@');
  return end === -1 ? episode : episode.slice(0, end);
}

/** The slot of an episode's first sight. */
function beginningOf(episode: string): number | undefined {
  const beganMs = Date.parse(episode.slice(episode.lastIndexOf('@') + 1));
  return Number.isNaN(beganMs) ? undefined : beganMs;
}
