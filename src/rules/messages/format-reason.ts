import type { Falsehood } from '../reasons/falsehood.ts';
import type { Absent, Explained, Missing, Named, Reason, RestrictedItems, Unchanged, Unfit } from '../reasons/reason.ts';
import { formatDuration, formatList, formatCount, formatNumber } from './format.ts';
import { formatFalsehood } from './format-falsehood.ts';
import { formatPendingChange, formatChange, formatStanding } from './format-change.ts';
import { formatBlock, formatSuppression } from './format-suppression.ts';

/** The English message of a reason. */
function formatReason(reason: Reason): string {
  switch (reason.kind) {
    case 'unread':
      return `the poll failed: ${reason.failure ?? 'there was no answer'}`;
    case 'keyless':
      return 'the poll was ignored: an item has no key';
    case 'slot': {
      const { hindrance } = reason;
      return hindrance?.kind === 'refused'
        ? `scheduled run skipped: ${formatSuppression(hindrance.by)}`
        : `scheduled run${hindrance ? formatBlock(hindrance) : ''}`;
    }
    case 'waiting': {
      const { name, standing, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`settling for ${formatDuration(settleMs)} more`];
      const counting = seen ? [`seen in ${seen.count} of ${formatCount(seen.of, 'poll')}`] : [];
      return `${name} is ${formatStanding(standing)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${formatPendingChange(reason.happened)}, settling for ${formatDuration(reason.settleMs)} more`;
    case 'missing':
      return `${reason.name} ${reason.unfit ? noFitText(reason.unfit) : 'is missing'}: ${missingText(reason.missing)}`;
    case 'back':
      return `${reason.name} is back at ${formatStanding(reason.standing)} after ${formatDuration(reason.awayMs)}: its episode continues, without a second announcement`;
    case 'vanished': {
      const gone = reason.unfit ? `${noFitText(reason.unfit)}, before its episode opened` : 'left before its episode opened';
      return `${reason.name} ${gone}; it was seen for ${formatDuration(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} is ${formatStanding(reason.standing)}, not announced: ${formatSuppression(reason.silence)}`;
    case 'happened': {
      const { name, happened, hindrance } = reason;
      return `${name} ${formatChange(happened)}${hindrance ? formatBlock(hindrance) : ''}`;
    }
    case 'poll': {
      const kinds = reason.changes.map((changes) => `${changes.count} ${changes.change} (${severalText(changes)})`);
      return formatList(kinds, 'and') + (reason.hindrance ? formatBlock(reason.hindrance) : '');
    }
    case 'closed': {
      const { name, live, seenMs, standing, unfit, silence } = reason;
      const gone = unfit ? `has left: it ${noFitText(unfit)};` : `${live ? 'has ended' : 'has left'}:`;
      const suppression = silence === undefined ? '' : `; it was never announced: ${formatSuppression(silence)}`;
      return `${name} ${gone} seen for ${formatDuration(seenMs)}, last at ${formatStanding(standing)}${suppression}`;
    }
    case 'outOfList':
      return `${reason.name} is no longer in the list after an edit of the rule; its end is not announced; it was seen for ${formatDuration(reason.seenMs)}`;
    case 'unfollowed':
      return `${reason.name} is no longer followed: its value was removed from each; it was seen for ${formatDuration(reason.seenMs)}`;
    case 'baseline': {
      const { isNew, found } = reason;
      const poll = isNew ? 'the first poll' : 'the first poll after an edit of the list';
      return `${poll}: ${formatCount(found.count, 'item')} already in the list, not announced: ${severalText(found)}`;
    }
    case 'unfit':
      return unfitText(reason);
    case 'restricted':
      return restrictedText(reason);
    case 'unchanged': {
      const { unfit, restricted } = reason;
      return [unchangedText(reason), ...(unfit ? [unfitText(unfit)] : []), ...(restricted ? [restrictedText(restricted)] : [])].join('; ');
    }
    case 'handedOver': {
      const { changes, lastSlotMs, untold } = reason;
      const deferred =
        lastSlotMs === undefined
          ? `${formatCount(changes, 'change')} held`
          : `slots were held, the last of ${new Date(lastSlotMs).toISOString()}`;
      const block = untold && `, not announced: ${untold.kind === 'fuseBlew' ? 'the fuse blew' : formatSuppression(untold)}`;
      return `quiet hours ended: ${deferred}${block ?? ''}`;
    }
  }
}

/** An item no longer fits `where`, after its name. */
function noFitText(because: Falsehood): string {
  return `no longer fits where (${formatFalsehood(because)})`;
}

function unfitText({ count: all, named }: Unfit): string {
  const samples = named.map(({ name, because }) => `${name}: ${formatFalsehood(because)}`).join('; ');
  const more = all > named.length ? `; and ${formatNumber(all - named.length)} more` : '';
  return `${formatCount(all, 'item does', 'items do')} not fit where: ${samples}${more}`;
}

function restrictedText({ followers, direct }: RestrictedItems): string {
  const kinds = [
    ...(followers > 0 ? [`${formatNumber(followers)} for followers`] : []),
    ...(direct > 0 ? [`${formatNumber(direct)} direct`] : []),
  ];
  return `${formatCount(followers + direct, 'item')} left out, because not everyone can read ${followers + direct === 1 ? 'it' : 'them'}: ${kinds.join(', ')}; include adds them`;
}

const INCOMPLETE = {
  short: '; the list was cut short, so it does not show which items are missing',
  pages: '; pages were not read, so the list does not show which items are missing',
} as const;

function unchangedText({ read, followed, below, missing, noLongerFit, cut }: Unchanged): string {
  const gone = missing ? `, ${missing.count} still missing: ${absentText(missing)}` : '';
  const unfit = noLongerFit
    ? `, ${noLongerFit.count} that no longer ${noLongerFit.count === 1 ? 'fits' : 'fit'} where: ${absentText(noLongerFit)}`
    : '';
  const lower = below ? `, ${below.count} below the first ${below.take}` : '';
  return `nothing changed: ${formatCount(read, 'item')} read, ${followed} of them followed${lower}${gone}${unfit}${cut ? INCOMPLETE[cut] : ''}`;
}

function absentText({ count: all, named }: Absent): string {
  return severalText({ count: all, names: named.map(({ name, missing }) => `${name} (${missingText(missing)})`) });
}

/** How often and how long an item may still be missing. */
function missingText({ polls, graceMs }: Missing): string {
  const counting = polls ? [`${polls.count} of ${formatCount(polls.of, 'poll')}`] : [];
  const grace = graceMs === undefined ? [] : [`grace for ${formatDuration(graceMs)}`];
  return [...counting, ...grace].join(', ');
}

function severalText({ count: all, names }: Named): string {
  const more = all - names.length;
  return more > 0 ? `${names.join(', ')} and ${formatNumber(more)} more` : names.join(', ');
}

/** The reason of a decision with its message. */
export function withMessage(reason: Reason): Explained<Reason> {
  return { message: formatReason(reason), reason };
}
