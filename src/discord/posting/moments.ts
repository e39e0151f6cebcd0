import { UserError } from '#src/errors.ts';
import type { Words } from '../language/words.ts';
import type { Posting } from './posting.ts';

/** An instant as Discord shows it: in the zone of whoever reads, and how far away it is. */
export function moment(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `<t:${seconds}:F> (<t:${seconds}:R>)`;
}

/** The same in fewer words. */
export function shortMoment(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `<t:${seconds}:f> (<t:${seconds}:R>)`;
}

/** The instant that was typed; a {@link UserError} where that is not certain says what was understood. */
export function typedMoment(
  typed: string,
  { zone, posting, words }: { readonly zone: string; readonly posting: Posting; readonly words: Words },
): Date {
  const { time } = words.posting.errors;
  const read = posting.readTime(typed, zone);
  switch (read.kind) {
    case 'at':
      return read.at;
    case 'past':
    case 'far':
    case 'skipped':
      throw new UserError(time[read.kind](moment(read.at)));
    case 'ambiguous':
      throw new UserError(time.ambiguous(moment(read.either), moment(read.or)));
    case 'twice':
      throw new UserError(time.twice(moment(read.either), moment(read.or), withOffset(read.either, zone)));
    default:
      throw new UserError(time[read.kind]);
  }
}

/** As `2027-10-31 02:30+02:00`. */
function withOffset(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || 'Z';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}${offset}`;
}
