import type { ReplayView } from '#src/cli/replay-view.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Rule } from '#src/rules/rule.ts';
import { durationText } from '#src/rules/wording/duration-text.ts';
import { slotsOf } from '#src/scheduler/slots.ts';
import type { Store } from '#src/store/store.ts';
import { catalogue } from '../catalogue.ts';
import { timezoneOf } from '../schedule-text.ts';
import { compare } from './compare.ts';
import { didSince, isSaid, type Did } from './did.ts';
import { pairing } from './pairing.ts';
import { beginningOf } from './place.ts';
import { playAgain } from './play-again.ts';
import { replayWorld } from './replay-world.ts';
import { firstTrace, namesOf } from './traces.ts';

/** An edited rule that says something a little earlier or later still says the same. */
const APART_MS = 10 * 60_000;
/** So much longer it is gone back, unseen: what was open, waited or was held then goes on. */
const BEFORE_MS = 24 * 3_600_000;

export interface ReplayRuleOptions {
  readonly store: Pick<Store, 'recordedPolls' | 'deliveryLog' | 'decisions' | 'episodes'>;
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
}

/** What a rule would have done with what was really seen, beside what was really sent. */
export async function replayRule(rule: Rule, { store, sinceMs, nowMs, textLimitOf }: ReplayRuleOptions): Promise<ReplayView> {
  const withinMs = Math.max(APART_MS, 'everyMs' in rule.schedule ? 2 * rule.schedule.everyMs : 0);
  const beganMs = await firstTrace(rule, store);
  const startMs = startOf(rule, { sinceMs, beganMs });
  const all = await didSince(rule, store, startMs);
  const world = replayWorld(pairing(all, withinMs));
  const played = await playAgain(rule, { world, recordedPolls: store.recordedPolls, startMs, sinceMs, nowMs, textLimitOf });
  const { would, looks, lacks, blownMs, firstMs = Infinity } = played;
  const lastMs = rule.watched ? (looks?.last.getTime() ?? -Infinity) : nowMs;
  const names = new Map(would.map(({ place, about }) => [place, about]));
  const known = await namesOf(rule, store);
  const did = all
    .filter((one) => catalogue.get(one.delivery.do)?.kind === 'write' && isOf(one, { firstMs, lastMs }))
    .map((one) => ({ ...one, about: names.get(one.place) ?? known.get(one.about) ?? one.about }));
  const isShown = ({ atMs }: { readonly atMs: number }): boolean => atMs >= sinceMs;
  const isEdit = ({ place }: { readonly place: string }): boolean => place.startsWith('while ');
  const events = compare(
    would.filter((one) => !isEdit(one)),
    did.filter((one) => !isEdit(one)),
    { withinMs, beganMs },
  );
  const edits = { would: would.filter(isEdit), did: did.filter((one) => isEdit(one) && isSaid(one)) };
  return {
    rule,
    timezone: timezoneOf(rule),
    since: new Date(sinceMs),
    looks,
    blown: blownMs === undefined ? undefined : { at: new Date(blownMs), most: `${rule.fuse.firings} in ${durationText(rule.fuse.perMs)}` },
    began: beganMs === undefined || beganMs <= firstMs ? undefined : new Date(beganMs),
    lacks,
    events: events.filter(({ at }) => isShown({ atMs: at.getTime() })),
    edits: { would: edits.would.filter(isShown).length, did: edits.did.filter(isShown).length },
  };
}

/** Where a rule is taken up, so that at `sinceMs` it stands where it stood: not before its oldest trace, as it was new then. */
function startOf(rule: Rule, { sinceMs, beganMs }: { readonly sinceMs: number; readonly beganMs: number | undefined }): number {
  if (beganMs === undefined || beganMs >= sinceMs) return sinceMs;
  const earliestMs = sinceMs - BEFORE_MS;
  if (!rule.watched) return Math.max(earliestMs, beganMs);
  // What it said first it saw coming.
  const { settleMs, confirm } = rule.watched;
  const [aheadMs = beganMs] = slotsOf(rule.schedule).lastOf(earliestMs, beganMs - settleMs - 1, 1 + confirm.new);
  return Math.max(earliestMs, aheadMs);
}

/** Whether something was decided at what is gone through: of what decided the rest nothing is recorded, or not yet. */
function isOf({ atMs, delivery }: Did, { firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number }): boolean {
  const { section, episode } = delivery;
  // Of what was there before the first look nobody can tell whether it was said, and so whether its end is.
  const isOlder = (section === 'finally' || section === 'while') && (beginningOf(episode) ?? atMs) < firstMs;
  return atMs >= firstMs && atMs <= lastMs && !isOlder;
}
