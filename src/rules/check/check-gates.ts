import { parseDuration } from '#src/operation/duration.ts';
import type { RuleDraft } from '../grammar/rule-file.ts';
import type { Rule } from '../rule.ts';
import { isWritten, type Desk } from './desk.ts';

const FUSE = { firings: 30, perMs: 3_600_000 };

/** `while` and `finally` go with an episode that `then` opened. */
export function checkSections({ when }: RuleDraft, desk: Desk): void {
  const { document, report } = desk;
  for (const section of ['while', 'finally'] as const) {
    if (!isWritten(desk, [section]) || report.hasGaps) continue;
    const spot = document.keySpot([], section);
    const changes = when?.changes ?? ['entered'];
    if (!isWritten(desk, ['when', 'watch'])) report.error(spot, `${section} needs watch: nothing lasts where nothing is watched`);
    else if (when?.per !== undefined && when.per !== 'item') {
      report.error(spot, `${section} needs per: item: with per: ${when.per} no firing is about one item`);
    } else if (!changes.includes('entered') && !changes.includes(null))
      report.error(spot, `${section} goes with what entered`, 'add entered to changes');
  }
}

/** At least so long between two firings. */
export function checkCooldown({ cooldown, when }: RuleDraft, desk: Desk): Rule['cooldown'] {
  const isWatching = isWritten(desk, ['when', 'watch']);
  const hasItems = isWatching && (when?.per ?? 'item') === 'item';
  const given = typeof cooldown === 'string' ? { for: cooldown, per: undefined } : cooldown;
  if (given?.per === 'item' && !hasItems && !desk.report.hasGaps) {
    const why = isWatching
      ? 'per: item needs per: item in when: a firing is about no item'
      : 'per: item needs watch: without it there are no items';
    desk.report.error(desk.document.spot(['cooldown', 'per']), why, 'write per: rule');
  }
  if (given?.for === undefined) return undefined;
  return { forMs: parseDuration(given.for) ?? 0, per: given.per ?? (hasItems ? 'item' : 'rule') };
}

/** How many firings pause the rule. */
export function fuseOf({ fuse }: RuleDraft): Rule['fuse'] {
  return { firings: fuse?.firings ?? FUSE.firings, perMs: fuse?.per === undefined ? FUSE.perMs : (parseDuration(fuse.per) ?? FUSE.perMs) };
}
