import { cronSlots, type CronSchedule } from '#src/rules/clocks/cron-slots.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import { calledName, operandsOf, walk, written, type Node } from '#src/rules/expression/language/tree.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Schedule, Watched } from '#src/rules/rule.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeAt } from '#src/rules/shape/shape.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { DEFAULT_NOW_MS } from './check-schedule.ts';

const DAY_MS = 86_400_000;
/** The fields from which the age of an item of a feed counts: see `creationOf`. */
const CREATIONS = ['createdAt', 'publishedAt', 'startedAt'];

/** A number that grows after the creation of an item. */
const GROWING = /(?:\bcounts\.\??\w+|\.\??(?:count|lengthMs|totalVotes|viewCount|viewerCount|voters))$/u;

interface MaxAgeOptions {
  readonly draft: RuleDraft;
  readonly schedule: Schedule;
  readonly watched: Watched;
  readonly maxAgeMs: number;
  /** The condition of `where`. */
  readonly where: Node | undefined;
}

/** Warns of a rule for a feed whose `maxAge` is over before a poll shows an item, or before `where` holds for it, and of old items at the first poll. */
export function checkMaxAge({ draft, schedule, watched, maxAgeMs, where }: MaxAgeOptions, context: CheckContext): void {
  const { document, report, catalogue } = context;
  if (report.hasErrors || watched.kind !== 'feed' || !announcesEntries(draft, watched)) return;
  const item = itemShape(catalogue.get(watched.verb));
  if (!CREATIONS.some((field) => shapeAt(item, [field]))) return;
  const isWritten = draft.when?.maxAge !== undefined;
  const age = formatDuration(maxAgeMs);
  const gapMs = gapOf(schedule, { maxAgeMs, nowMs: context.nowMs ?? DEFAULT_NOW_MS });
  if (gapMs !== undefined && gapMs > maxAgeMs) {
    const message = `polls are ${formatDuration(gapMs)} apart, and items that are older than maxAge (${age}) are not announced`;
    const remedy = `maxAge: ${gapMs < DAY_MS ? 1 : Math.floor(gapMs / DAY_MS) + 1}d`;
    const location = document.locationOf(['when', isWritten ? 'maxAge' : 'cron']);
    report.warning(location, 'short-max-age', message, isWritten ? `write ${remedy}` : `add ${remedy} to when`);
    return;
  }
  // A rule that polls each week announces the items of a week at each poll.
  if (isWritten && maxAgeMs > Math.max(DAY_MS, 2 * (gapMs ?? 0)) && announcesAtOnce(draft, watched)) {
    const message = `the first poll announces every item of the last ${draft.when?.maxAge}, each separately`;
    report.warning(document.keyLocation(['when'], 'first'), 'first-of-feed', message, 'remove first, or write a shorter maxAge');
  }
  if (isWritten) return;
  const order = orderOf(watched, context);
  if (order !== undefined && order !== 'TIME') {
    const path = isSet(context, ['when', 'with', 'sort']) ? ['when', 'with', 'sort'] : ['when', 'watch'];
    const message = `with sort: ${order}, the list shows items late, and items that are older than maxAge (${age}) are not announced`;
    report.warning(document.locationOf(path), 'short-max-age', message, 'write sort: TIME in with, or add maxAge: 1d to when, or longer');
    return;
  }
  const growing = where && growingPart(where);
  if (!growing) return;
  const location = document.textLocation(['when', 'where'], conditionSource(draft.when?.where ?? '').at + growing.start);
  const message = `${written(growing)} grows, and items that are older than maxAge (${age}) are not announced`;
  report.warning(location, 'short-max-age', message, 'add maxAge: 1d to when, or longer');
}

/** The order of a list, if its operation has a choice; undefined also for one that an expression chooses. */
function orderOf({ verb, with: parameters }: Watched, { catalogue }: CheckContext): string | undefined {
  const declared = catalogue.get(verb);
  const { data } = declared?.kind === 'list' ? declared.params.safeParse(parameters) : {};
  return typeof data === 'object' && data !== null && 'sort' in data && typeof data.sort === 'string' ? data.sort : undefined;
}

/** Whether the rule reads which items are new. With `per: slot`, most rules read the whole list. */
function announcesEntries(draft: RuleDraft, { changes, per }: Watched): boolean {
  if (per === 'slot') return /\bchanges\.entered\b/u.test(JSON.stringify(draft));
  return changes.some(({ kind }) => kind === 'entered');
}

/** Whether the first poll sends all items of a feed. A limit, a cooldown of the rule and collected items leave some out or spread them. */
function announcesAtOnce({ cooldown, limit, gather }: RuleDraft, { per, first, take }: Watched): boolean {
  const isSpread = limit !== undefined || gather !== undefined || (typeof cooldown === 'object' && cooldown.per === 'rule');
  return per === 'item' && first === 'fire' && take !== 1 && !isSpread;
}

/** More slots are not compared: a rule that runs each minute has so many in a day. */
const MOST_SLOTS = 1_500;
const LEAST_SLOTS = 3;
const SPAN_MS = 8 * DAY_MS;

/** The longest time between two polls. For `cron`, of about a week. */
function gapOf(schedule: Schedule, { maxAgeMs, nowMs }: { readonly maxAgeMs: number; readonly nowMs: number }): number | undefined {
  if ('everyMs' in schedule) return schedule.everyMs;
  return 'cron' in schedule && maxAgeMs < SPAN_MS * 10 ? longestGap(schedule, nowMs) : undefined;
}

function longestGap(schedule: CronSchedule, nowMs: number): number {
  const slots = cronSlots(schedule);
  let longestMs = 0;
  let atMs = slots.next(nowMs);
  for (let count = 0; count < MOST_SLOTS && atMs !== undefined; count++) {
    const nextMs = slots.next(atMs);
    if (nextMs === undefined || (count >= LEAST_SLOTS && nextMs > nowMs + SPAN_MS)) break;
    longestMs = Math.max(longestMs, nextMs - atMs);
    atMs = nextMs;
  }
  return longestMs;
}

/** The part of a condition that holds only once a number of the item has grown. */
function growingPart(where: Node): Node | undefined {
  const found: Node[] = [];
  const reactions: Node[] = [];
  walk(where, (node) => {
    const [left, right] = operandsOf(node);
    const grown = node.op === '>' || node.op === '>=' ? left : node.op === '<' || node.op === '<=' ? right : undefined;
    if (grown && GROWING.test(written(grown))) found.push(grown);
    if (calledName(node) === 'exists' && /\.reactions\.exists\(/u.test(written(node))) reactions.push(node);
  });
  return found[0] ?? reactions[0];
}
