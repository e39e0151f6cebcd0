import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type {
  Absent,
  Explained,
  Keyless,
  Missing,
  Named,
  PartlyFailed,
  Reason,
  RestrictedItems,
  Unchanged,
  Unfit,
} from '#src/rules/reasons/reason.ts';
import { formatDuration, formatList, formatCount, formatNumber } from './format.ts';
import { formatFalsehood } from './format-falsehood.ts';
import { formatPendingChange, formatChange, formatLastStanding, formatStanding } from './format-change.ts';
import { formatBlock, formatPastSuppression, formatSuppression } from './format-suppression.ts';

/** The English message of a reason. */
function formatReason(reason: Reason): string {
  switch (reason.kind) {
    case 'pollFailed':
      return `the poll failed: ${reason.failure ?? 'there was no answer'}`;
    case 'missingKey':
      return reason.items ? keylessText(reason.items) : 'the poll was ignored: an item has no key';
    case 'scheduledRun': {
      const { block } = reason;
      return block?.kind === 'suppressed'
        ? `scheduled run skipped: ${formatSuppression(block.by)}`
        : `scheduled run${block ? formatBlock(block) : ''}`;
    }
    case 'commandUsed': {
      const { command, by, block } = reason;
      return `${by} used /${command}${block ? formatBlock(block) : ''}`;
    }
    case 'webhookReceived': {
      const { webhook, block } = reason;
      return `the webhook ${webhook} was received${block ? formatBlock(block) : ''}`;
    }
    case 'waiting': {
      const { name, standing, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`settling for ${formatDuration(settleMs)} more`];
      const counting = seen ? [`seen in ${seen.count} of ${formatCount(seen.of, 'poll')}`] : [];
      return `${name} ${formatStanding(standing)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${formatPendingChange(reason.change)}, settling for ${formatDuration(reason.settleMs)} more`;
    case 'missing':
      return `${reason.name} ${reason.filteredOut ? noFitText(reason.filteredOut) : 'is missing'}: ${missingText(reason.missing)}`;
    case 'returned':
      return `${reason.name} is back${formatLastStanding(reason.standing)} after ${formatDuration(reason.awayMs)}: its episode continues, without a second announcement`;
    case 'leftBeforeOpening': {
      const gone = reason.filteredOut ? `${noFitText(reason.filteredOut)}, before its episode opened` : 'left before its episode opened';
      return `${reason.name} ${gone}; it was seen for ${formatDuration(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} ${formatStanding(reason.standing)}, not announced: ${formatSuppression(reason.suppressedBy)}`;
    case 'itemChanged': {
      const { name, change, block } = reason;
      return `${name} ${formatChange(change)}${block ? formatBlock(block) : gatheredText(reason)}`;
    }
    case 'itemsChanged': {
      const kinds = reason.changes.map((changes) => `${changes.count} ${changes.change} (${severalText(changes)})`);
      return formatList(kinds, 'and') + (reason.block ? formatBlock(reason.block) : gatheredText(reason));
    }
    case 'closed': {
      const { name, live, seenMs, standing, filteredOut, suppressedBy } = reason;
      const gone = filteredOut ? `has left: it ${noFitText(filteredOut)};` : `${live ? 'has ended' : 'has left'}:`;
      const suppression = suppressedBy === undefined ? '' : `; it was never announced: ${formatPastSuppression(suppressedBy)}`;
      const last = formatLastStanding(standing);
      return `${name} ${gone} seen for ${formatDuration(seenMs)}${last && `, last${last}`}${suppression}`;
    }
    case 'everyReached': {
      const { name, everyMs, multipleMs, missed, block } = reason;
      const late = missed === undefined ? '' : `; ${formatCount(missed, 'earlier multiple')} without a poll`;
      return `${name} has lasted for ${formatDuration(multipleMs)}, a multiple of every: ${formatDuration(everyMs)}${late}${block ? formatBlock(block) : ''}`;
    }
    case 'removedByEdit':
      return `${reason.name} is no longer in the list after an edit of the rule or the list; its end is not announced; it was seen for ${formatDuration(reason.seenMs)}`;
    case 'removedFromEach':
      return `${reason.name} is no longer followed: its value was removed from each; it was seen for ${formatDuration(reason.seenMs)}`;
    case 'baseline': {
      const { isNew, found } = reason;
      const poll = isNew ? 'the first poll' : 'the first poll after an edit of the list';
      return `${poll}: ${formatCount(found.count, 'item')} already in the list, not announced: ${severalText(found)}`;
    }
    case 'filteredOut':
      return unfitText(reason);
    case 'restricted':
      return restrictedText(reason);
    case 'pollPartlyFailed':
      return partlyFailedText(reason);
    case 'unchanged': {
      const { filteredOut, restricted, partlyFailed } = reason;
      return [
        unchangedText(reason),
        ...(filteredOut ? [unfitText(filteredOut)] : []),
        ...(restricted ? [restrictedText(restricted)] : []),
        ...(partlyFailed ? [partlyFailedText(partlyFailed)] : []),
      ].join('; ');
    }
    case 'limitEnded':
      return `limit allows a further announcement: ${formatCount(reason.changes, 'change')} collected${collectedBlock(reason)}`;
    case 'gathered': {
      const due = reason.by === 'count' ? 'enough for the steps of gather' : 'the time of gather has come';
      return `${formatCount(reason.changes, 'change')} gathered: ${due}${collectedBlock(reason)}`;
    }
    case 'quietHoursEnded': {
      const { changes, lastSlotMs, suppressedBy } = reason;
      const deferred =
        lastSlotMs === undefined
          ? `${formatCount(changes, 'change')} deferred`
          : `slots were deferred, the last of ${new Date(lastSlotMs).toISOString()}`;
      const block = suppressedBy && `, not announced: ${formatSuppression(suppressedBy)}`;
      return `quiet hours ended: ${deferred}${block ?? ''}`;
    }
  }
}

function collectedBlock({ suppressedBy, block }: Extract<Reason, { readonly kind: 'limitEnded' | 'gathered' }>): string {
  const blocked = suppressedBy ? ({ kind: 'suppressed', by: suppressedBy } as const) : block;
  return blocked ? formatBlock(blocked) : '';
}

function gatheredText({ gathered }: { readonly gathered?: number | undefined }): string {
  return gathered === undefined ? '' : `; ${formatNumber(gathered)} gathered`;
}

function keylessText({ count: all, named }: Keyless): string {
  const samples = named.map(({ name, error }) => `${name} (${error ?? 'the key is empty'})`);
  const more = all > named.length ? ` and ${formatNumber(all - named.length)} more` : '';
  return `left out ${formatCount(all, 'item')} without a key: ${samples.join(', ')}${more}; no item counts as missing in this poll`;
}

/** An item no longer fits `where`, after its name. */
function noFitText(because: Falsehood): string {
  return `no longer fits where (${formatFalsehood(because)})`;
}

function unfitText({ count: all, named }: Unfit): string {
  const samples = named.map(({ name, condition }) => `${name}: ${formatFalsehood(condition)}`).join('; ');
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

function partlyFailedText({ count: all, parts }: PartlyFailed): string {
  const samples = parts.map(({ account, names, isWhole, failure }) => {
    const what = names ? severalText(names) : isWhole ? 'everything' : 'a part';
    return `${what} through ${account} (${failure})`;
  });
  const more = all > parts.length ? `; and ${formatNumber(all - parts.length)} more` : '';
  return `not read: ${samples.join('; ')}${more}`;
}

const INCOMPLETE = {
  short: '; the list was cut short, so it does not show which items are missing',
  pages: '; pages were not read, so the list does not show which items are missing',
} as const;

function unchangedText({ live, hinted, read, followed, below, missing, noLongerMatching, cut }: Unchanged): string {
  const gone = missing ? absenceText(missing, live ? 'went offline' : 'left the list') : '';
  const unfit = noLongerMatching
    ? `, ${noLongerMatching.count} that no longer ${noLongerMatching.count === 1 ? 'fits' : 'fit'} where: ${absentText(noLongerMatching)}`
    : '';
  const lower = below ? `, ${below.count} below the first ${below.take}` : '';
  const known = live && read === followed ? `${formatNumber(read)} live` : `${formatCount(read, 'item')} in the list, ${followed} followed`;
  const part = hinted ? 'only the channels of a notification were read: ' : '';
  return `${part}${known}${lower}${unfit}${gone}${cut ? INCOMPLETE[cut] : ''}`;
}

/** People or items that are missing, and what ends their episodes: `. Grace went offline; the episode ends in 40s`. */
function absenceText({ count: all, named }: Absent, gone: string): string {
  const more = all > named.length ? [`${formatNumber(all - named.length)} more ${gone}`] : [];
  return ['', ...named.map(({ name, missing }) => `${name} ${gone}; ${endText(missing)}`), ...more].join('. ');
}

function endText({ polls, graceMs }: Missing): string {
  const left = polls && polls.of - polls.count;
  const counting = left === undefined ? [] : [`after ${formatCount(left, 'more poll')}`];
  const grace = graceMs === undefined ? [] : [`in ${formatDuration(graceMs)}`];
  const ends = [...grace, ...counting].join(' and ');
  return `the episode ends ${ends === '' ? 'at the next poll' : ends}`;
}

function absentText({ count: all, named }: Absent): string {
  return severalText({ count: all, names: named.map(({ name, missing }) => `${name} (${missingText(missing)})`) });
}

/** How often and how long an item may still be missing. */
function missingText({ polls, graceMs }: Missing): string {
  const counting = polls ? [`${polls.count} of ${formatCount(polls.of, 'poll')}`] : [];
  const grace = graceMs === undefined ? [] : [`the episode ends in ${formatDuration(graceMs)}`];
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
