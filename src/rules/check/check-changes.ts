import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { ChangeDraft, RuleDraft, WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import type { Schedule, Watched, WatchedChange } from '#src/rules/rule.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import { itemShape, withFields } from '#src/rules/shape/operation-shapes.ts';
import { keysOf, shapeAt, type Shape } from '#src/rules/shape/shape.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { isMeant } from './meant-keys.ts';

const PATH: Path = ['when', 'changes'];

type ChangeMap = Exclude<ChangeDraft, string>;
type Crossing = NonNullable<ChangeMap['rose']> & NonNullable<ChangeMap['fell']>;

/** Checks the changes that fire. */
export function checkChanges({ changes, watch = '' }: WhenDraft, context: CheckContext): readonly WatchedChange[] {
  const { document, report, catalogue } = context;
  const item = rankedShape(watch, catalogue);
  const written = (changes ?? ['entered']).map((change, index) =>
    change === null ? [] : checkChange(change, { path: [...PATH, index], item }, context),
  );
  // slice() frees the spare capacity of a grown array; rules stay in memory.
  const found = written.flat().slice();
  for (const [index, { kind }] of found.entries()) {
    const isPlain = kind === 'entered' || kind === 'left';
    if (isPlain && found.findIndex((one) => one.kind === kind) < index) {
      report.error(document.locationOf(PATH), 'duplicate-change', `${kind} appears twice`, 'remove one of them');
    }
  }
  return found;
}

interface ChangeSite {
  readonly path: Path;
  readonly item: Shape;
}

/** An item in a change: with its rank. */
function rankedShape(verb: string, catalogue: Catalogue): Shape {
  const shape = itemShape(catalogue.get(verb));
  return shape.kind === 'record' ? withFields(shape, { rank: { shape: { kind: 'whole' }, optional: false } }) : shape;
}

function checkChange(change: ChangeDraft, site: ChangeSite, context: CheckContext): readonly WatchedChange[] {
  const { document, report } = context;
  if (change === 'moved') return [{ kind: 'moved' }];
  if (typeof change === 'string') return [{ kind: change }];
  const { moved, changed, rose, fell } = change;
  const written = ['moved', 'changed', 'rose', 'fell'].filter((kind) => isSet(context, [...site.path, kind]));
  if (written.length > 1 || (written.length === 0 && !report.hasErrors)) {
    const message = 'expected one of moved, changed, rose and fell';
    report.error(document.locationOf(site.path), 'ambiguous-change', message, 'write each change as a separate element');
  }
  if (moved !== undefined) return [{ kind: 'moved', direction: moved }];
  if (changed !== undefined) {
    const fields = changed.filter((field) => field !== null);
    for (const [index, field] of fields.entries()) {
      const path: Path = [...site.path, 'changed', index];
      checkRecordField(field, checkField(field, { ...site, path }, context), { path }, context);
    }
    return [{ kind: 'changed', fields: [...new Set(fields)] }];
  }
  if (rose !== undefined) return checkCrossing('rose', rose, site, context);
  return fell === undefined ? [] : checkCrossing('fell', fell, site, context);
}

/** Fields that messages show of a record. Its other fields, for example its picture, also change. */
const SHOWN = ['name', 'title', 'handle', 'text', 'id'];

/** Warns of a record that changes although what people see of it stays the same. */
function checkRecordField(
  field: string,
  shape: Shape | undefined,
  { path }: Pick<ChangeSite, 'path'>,
  { document, report }: CheckContext,
): void {
  const shown = SHOWN.find((name) => keysOf(shape).includes(name));
  if (shape?.kind !== 'record' || shown === undefined) return;
  const message = `${field} changes if any of its fields does: ${keysOf(shape).join(', ')}`;
  report.warning(document.locationOf(path), 'changed-record', message, `write ${field}.${shown}`);
}

function checkCrossing(
  kind: 'rose' | 'fell',
  { field, above, below, every, rearm }: Partial<Crossing>,
  site: ChangeSite,
  context: CheckContext,
): readonly WatchedChange[] {
  const { document, report } = context;
  const path = [...site.path, kind];
  const lines = numbersOf(kind === 'rose' ? above : below);
  checkThresholdKeys({ kind, path, every }, context);
  if (field === undefined || (lines.length === 0 && every === undefined)) return [];
  const shape = checkField(field, { ...site, path: [...path, 'field'] }, context);
  if (shape && !['whole', 'number', 'anything'].includes(shape.kind)) {
    const location = document.locationOf([...path, 'field']);
    report.error(location, 'not-a-number', `${field} is not a number`, 'rose and fell need a number; for other fields, use changed');
  }
  if (every !== undefined && kind === 'rose') return [{ kind, field, every }];
  const rearms = numbersOf(rearm);
  if (rearms.length > 1 && rearms.length !== lines.length) {
    const message = `rearm has ${formatCount(rearms.length, 'value')} for ${formatCount(lines.length, 'threshold')}`;
    report.error(document.locationOf([...path, 'rearm']), 'rearm-count', message, 'write one value for each threshold, or one for all');
  }
  const rearmOf = (at: number, index: number): number => checkRearm(at, rearms[rearms.length > 1 ? index : 0], { kind, path }, context);
  return [{ kind, field, lines: lines.map((at, index) => ({ at, rearm: rearmOf(at, index) })) }];
}

/** Checks that `rose` has either `above` or `every`. */
function checkThresholdKeys(
  { kind, path, every }: { readonly kind: 'rose' | 'fell'; readonly path: Path; readonly every: number | undefined },
  context: CheckContext,
): void {
  const { document, report } = context;
  if (kind === 'fell') return;
  const isWritten = (key: string): boolean => isSet(context, [...path, key]);
  if (!isMeant(context, [...path, 'above']) && !isMeant(context, [...path, 'every'])) {
    if (!report.hasUnreadableLines)
      report.error(
        document.locationOf([...path, 'above']),
        'missing-key',
        'above is missing',
        'add above: with a threshold, or every: with a distance',
      );
  } else if (isWritten('above') && isWritten('every')) {
    const message = 'rose cannot have both above and every';
    report.error(document.keyLocation(path, 'every'), 'above-and-every', message, 'write two changes: one with above, one with every');
  } else if (every !== undefined && isWritten('rearm')) {
    const message = 'rearm has no effect with every: each multiple fires once in an episode';
    report.error(document.keyLocation(path, 'rearm'), 'rearm-with-every', message, 'remove rearm, or write the thresholds in above');
  }
}

/** Checks that a line is armed again on the side that the number comes from. */
function checkRearm(
  at: number,
  rearm: number | undefined,
  { kind, path }: { readonly kind: 'rose' | 'fell'; readonly path: Path },
  { document, report }: CheckContext,
): number {
  if (rearm === undefined) return at;
  if (kind === 'rose' ? rearm > at : rearm < at) {
    const [past, cure] = kind === 'rose' ? ['above', 'at or below'] : ['below', 'at or above'];
    const message = `${rearm} is ${past} the threshold ${at}, which would never fire again`;
    report.error(document.locationOf([...path, 'rearm']), 'rearm-side', message, `write a number ${cure} ${at}`);
  }
  return rearm;
}

function checkField(field: string, { path, item }: ChangeSite, { document, report }: CheckContext): Shape | undefined {
  const parts = field.split('.');
  const found = shapeAt(item, parts);
  if (found) return found;
  const above = parts.slice(0, -1);
  const known = keysOf(shapeAt(item, above)).map((name) => [...above, name].join('.'));
  const meant = closestName(field, known);
  const hint = meant === undefined ? `available: ${keysOf(item).join(', ')}` : `did you mean ${meant}?`;
  report.error(document.locationOf(path), 'unknown-field', `items have no field ${field}`, hint);
  return undefined;
}

function numbersOf(numbers: number | readonly (number | null)[] | undefined): readonly number[] {
  return [numbers ?? []].flat().filter((one) => one !== null);
}

/** Checks the rule against the kind of its list: a feed never loses items, and a single record always exists. */
export function checkWatchKind({ verb, kind, changes, first, per }: Watched, when: WhenDraft, context: CheckContext): void {
  const { document, report } = context;
  if (kind === 'feed') {
    const reason = `${verb} is a feed: a missing item is not gone`;
    if (changes.some((one) => one.kind === 'left')) {
      report.error(document.locationOf(PATH), 'feed-has-no-end', `${reason}, so nothing has left`);
    }
    if (isSet(context, ['when', 'grace'])) {
      report.error(document.keyLocation(['when'], 'grace'), 'feed-has-no-end', `${reason}, so there is no grace`);
    }
    if (isSet(context, ['finally'])) {
      report.error(document.keyLocation([], 'finally'), 'feed-has-no-end', `${reason}, so there is no end for finally`);
    }
  }
  if (kind !== 'one') return;
  const impossible = changes.find((one) => one.kind === 'left' || one.kind === 'moved');
  if (impossible) {
    const message = `${verb} returns one record, which never ${impossible.kind === 'left' ? 'leaves' : 'moves'}`;
    report.error(document.locationOf(PATH), 'impossible-change', message);
  }
  // Changes of a wrong form have their own error.
  const isKnown = when.changes !== undefined || !isSet(context, PATH);
  const neverFires = isKnown && per !== 'slot' && first === 'silent' && changes.every((one) => one.kind === 'entered');
  if (neverFires && !report.hasUnreadableLines) {
    report.error(
      document.keyLocation(['when'], isSet(context, PATH) ? 'changes' : 'watch'),
      'never-fires',
      `${verb} returns one record, which exists from the first poll on: the rule never fires`,
      'write changes: [{ changed: [<field>] }], or per: slot',
    );
  }
}

/** Numbers that differ at nearly every poll. */
const RESTLESS = /(?:^|\.)(?:lengthMs|viewCount|viewerCount)$/u;
/** A rule that fires each hour can be wanted. */
const SELDOM_MS = 3_600_000;

/** Streams are seldom live for so long. */
const LONG_SETTLE_MS = 12 * 3_600_000;

interface ListOptions {
  readonly draft: RuleDraft;
  readonly schedule: Schedule | undefined;
  readonly watched: Watched;
  /** Whether the operation returns pages. */
  readonly isPaged: boolean;
}

/** Warns of settings that are allowed, but rarely do what their author wants. */
export function checkListSettings({ draft, schedule, watched, isPaged }: ListOptions, { document, report }: CheckContext): void {
  const { graceMs, settleMs, take, kind, changes, per } = watched;
  const hasChange = (...kinds: readonly string[]): boolean => changes.some((change) => kinds.includes(change.kind));
  if (schedule && 'everyMs' in schedule && graceMs > 0 && graceMs < 2 * schedule.everyMs) {
    const message = 'grace is shorter than two polls: a single poll without the item can end its episode';
    report.warning(document.locationOf(['when', 'grace']), 'short-grace', message, 'make grace at least twice as long as every');
  }
  const isRestless = take !== undefined && settleMs === 0 && draft.cooldown === undefined;
  if (isRestless && per !== 'slot' && kind !== 'feed' && hasChange('entered', 'left')) {
    const message = 'take without settle or cooldown: items near the last rank can be announced repeatedly';
    const hint = 'add settle: 10m to when, or cooldown: 6h to the rule';
    report.warning(document.keyLocation(['when'], 'take'), 'restless-take', message, hint);
  }
  if (per === 'item' && hasChange('moved')) {
    const message = 'moved fires for each item, and an item that overtakes another moves both';
    report.warning(document.locationOf(PATH), 'moved-per-item', message, 'add per: poll to announce all changes of a poll together');
  }
  const isUnlimited = [draft.cooldown, draft.limit, draft.gather].every((one) => one === undefined) && settleMs === 0;
  const restless = changes.flatMap((change) => (change.kind === 'changed' ? change.fields.filter((field) => RESTLESS.test(field)) : []))[0];
  // A condition on the number leaves most firings out, and the author of a fuse expects many.
  const isExpected = restless === undefined || draft.fuse !== undefined || draft.if?.includes(restless) === true;
  if (!isExpected && isUnlimited && per !== 'slot' && schedule && 'everyMs' in schedule && schedule.everyMs < SELDOM_MS) {
    const message = `${restless} changes at nearly every poll, and the rule fires each time`;
    report.warning(
      document.locationOf(PATH),
      'restless-field',
      message,
      `write { rose: { field: ${restless}, every: ${restless.endsWith('Ms') ? SELDOM_MS : 100} } }`,
    );
  }
  const isRepeated = per === 'slot' && kind !== 'one' && schedule !== undefined && !('atMs' in schedule) && !report.hasErrors;
  if (isRepeated && !/\b(?:items|changes|held)\b/u.test(JSON.stringify({ ...draft, when: undefined }))) {
    const message = 'the rule fires at every slot, and no expression reads the list: it fires even if the list is empty';
    const hint = 'remove per to announce each new item, or read items in a step';
    report.warning(document.keyLocation(['when'], 'per'), 'unread-list', message, hint);
  }
  if (kind === 'live' && settleMs >= LONG_SETTLE_MS) {
    const message = `a stream counts only after it was live for ${draft.when?.settle}`;
    const hint = `for the time after the end of a stream, write grace: ${draft.when?.settle} and changes: [left]`;
    report.warning(document.keyLocation(['when'], 'settle'), 'long-settle', message, hint);
  }
  const { for: rest = '', per: cools = 'item' } = typeof draft.cooldown === 'string' ? { for: draft.cooldown } : (draft.cooldown ?? {});
  if (kind === 'feed' && per === 'item' && rest !== '' && cools === 'item' && changes.every((change) => change.kind === 'entered')) {
    const message = 'the cooldown has no effect: it counts for each item alone, and an item of a feed is announced once';
    report.warning(document.keyLocation([], 'cooldown'), 'idle-cooldown', message, `write cooldown: { for: ${rest}, per: rule }`);
  }
  if (schedule && 'atMs' in schedule && watched.first === 'silent' && per !== 'slot' && kind !== 'one') {
    const message = 'the rule polls once, and its first poll announces nothing';
    report.warning(document.keyLocation(['when'], 'watch'), 'single-poll', message, 'add first: fire to when');
  }
  if (kind === 'set' && isPaged && watched.with['pages'] !== 'all') {
    const message = 'not all pages are read: a missing item can be on another page, so no item ever leaves';
    report.warning(document.keyLocation(['when'], 'watch'), 'unread-pages', message, 'add pages: all to with');
  }
}
