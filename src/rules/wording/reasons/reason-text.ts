import type { Falsehood } from '../../reasons/falsehood.ts';
import type { Absent, Missing, Named, Reason, Unchanged, Unfit } from '../../reasons/reason.ts';
import { durationText } from '../duration-text.ts';
import { enumerate } from '../enumerate.ts';
import { count, numeral } from '../numbers.ts';
import { falsehoodText } from './falsehood-text.ts';
import { begunText, happenedText, standingText } from './happened-text.ts';
import { hindranceText, silenceText } from './refusal-text.ts';

/** Why a rule decided as it did, as a sentence for its author, in English. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'unread':
      return `nothing could be read: ${reason.failure ?? 'there was no answer'}`;
    case 'keyless':
      return 'the answer cannot be used: one of its items has no key';
    case 'slot': {
      const { hindrance } = reason;
      return hindrance?.kind === 'refused'
        ? `nothing is done: ${silenceText(hindrance.by)}`
        : `its time came${hindrance ? hindranceText(hindrance) : ''}`;
    }
    case 'waiting': {
      const { name, standing, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`settling for ${durationText(settleMs)} more`];
      const counting = seen ? [`seen in ${seen.count} of ${count(seen.of, 'poll')}`] : [];
      return `${name} is ${standingText(standing)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${begunText(reason.happened)}, settling for ${durationText(reason.settleMs)} more`;
    case 'missing':
      return `${reason.name} ${reason.unfit ? noFitText(reason.unfit) : 'is missing'}: ${missingText(reason.missing)}`;
    case 'back':
      return `${reason.name} is back at ${standingText(reason.standing)} after ${durationText(reason.awayMs)}: the same episode, no second announcement`;
    case 'vanished': {
      const gone = reason.unfit ? `${noFitText(reason.unfit)}, and had not opened` : 'was gone again before it opened';
      return `${reason.name} ${gone}; it was seen for ${durationText(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} is ${standingText(reason.standing)}, not announced: ${silenceText(reason.silence)}`;
    case 'happened': {
      const { name, happened, hindrance } = reason;
      const sentence = `${name} ${happenedText(happened)}`;
      if (hindrance?.kind === 'refused') return `that ${sentence} is not announced: ${silenceText(hindrance.by)}`;
      return sentence + (hindrance ? hindranceText(hindrance) : '');
    }
    case 'poll': {
      const kinds = reason.changes.map((changes) => `${changes.count} ${changes.change} (${severalText(changes)})`);
      return enumerate(kinds, 'and') + (reason.hindrance ? hindranceText(reason.hindrance) : '');
    }
    case 'closed': {
      const { name, live, seenMs, standing, unfit, silence } = reason;
      const gone = unfit ? `has left: it ${noFitText(unfit)};` : `${live ? 'has ended' : 'has left'}:`;
      const unsaid = silence === undefined ? '' : `; it was never announced: ${silenceText(silence)}`;
      return `${name} ${gone} seen for ${durationText(seenMs)}, at last ${standingText(standing)}${unsaid}`;
    }
    case 'unfollowed':
      return `${reason.name} is not followed any more: its value of each was taken out of the rule; it was seen for ${durationText(reason.seenMs)}`;
    case 'baseline': {
      const look = reason.isNew ? 'the first look' : 'the first look since the rule watches something else';
      const { found } = reason;
      return `${look}: ${count(found.count, 'item')} there already, followed without a word: ${severalText(found)}`;
    }
    case 'unfit':
      return unfitText(reason);
    case 'unchanged':
      return [unchangedText(reason), ...(reason.unfit ? [unfitText(reason.unfit)] : [])].join('; ');
    case 'handedOver': {
      const { changes, lastSlotMs, untold } = reason;
      const held =
        lastSlotMs === undefined
          ? `${count(changes, 'change')} held`
          : `slots were held, the last of ${new Date(lastSlotMs).toISOString()}`;
      const told = `the quiet hours are over: ${held}`;
      if (!untold) return told;
      return `${told}, not told: ${untold.kind === 'fuseBlew' ? 'the fuse blew' : silenceText(untold)}`;
    }
  }
}

/** That `where` refuses an item that it let through before, behind its name. */
function noFitText(because: Falsehood): string {
  return `no longer fits where (${falsehoodText(because)})`;
}

function unfitText({ count: all, named }: Unfit): string {
  const samples = named.map(({ name, because }) => `${name}: ${falsehoodText(because)}`).join('; ');
  const more = all > named.length ? `; and ${numeral(all - named.length)} more` : '';
  return `${count(all, 'item does', 'items do')} not fit where: ${samples}${more}`;
}

const CUTS = {
  short: '; the list was cut short and says nothing of who is missing',
  pages: '; pages were left unread, so the list says nothing of who is missing',
} as const;

function unchangedText({ read, followed, below, missing, noLongerFit, cut }: Unchanged): string {
  const gone = missing ? `, ${missing.count} still missing: ${absentText(missing)}` : '';
  const unfit = noLongerFit
    ? `, ${noLongerFit.count} that no longer ${noLongerFit.count === 1 ? 'fits' : 'fit'} where: ${absentText(noLongerFit)}`
    : '';
  const lower = below ? `, ${below.count} below the first ${below.take}` : '';
  return `nothing changed: ${count(read, 'item')} read, ${followed} of them followed${lower}${gone}${unfit}${cut ? CUTS[cut] : ''}`;
}

function absentText({ count: all, named }: Absent): string {
  return severalText({ count: all, names: named.map(({ name, missing }) => `${name} (${missingText(missing)})`) });
}

/** How often and how long an item is missing, of what it may be. */
function missingText({ polls, graceMs }: Missing): string {
  const counting = polls ? [`${polls.count} of ${count(polls.of, 'poll')}`] : [];
  const grace = graceMs === undefined ? [] : [`grace for ${durationText(graceMs)}`];
  return [...counting, ...grace].join(', ');
}

function severalText({ count: all, names }: Named): string {
  const more = all - names.length;
  return more > 0 ? `${names.join(', ')} and ${numeral(more)} more` : names.join(', ');
}
