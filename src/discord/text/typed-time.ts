import type { Caller } from '#src/discord/caller.ts';
import type { TypedTime } from '#src/engine/posting/posting.ts';
import { UserError } from '#src/errors.ts';
import { dateTimeWithDistance } from './format.ts';

/** The instant that a user typed. Throws a {@link UserError} that shows how Fanfare understood an unclear time. */
export function instantOf(parsed: TypedTime, { zone, texts }: Pick<Caller, 'zone' | 'texts'>): Date {
  const { time } = texts.posting.errors;
  switch (parsed.kind) {
    case 'at':
      return parsed.at;
    case 'past':
    case 'far':
    case 'skipped':
      throw new UserError(time[parsed.kind](dateTimeWithDistance(parsed.at)));
    case 'ambiguous':
      throw new UserError(time.ambiguous(dateTimeWithDistance(parsed.either), dateTimeWithDistance(parsed.or)));
    case 'twice': {
      const [either, or] = [dateTimeWithDistance(parsed.either), dateTimeWithDistance(parsed.or)];
      throw new UserError(time.twice(either, or, withOffset(parsed.either, zone)));
    }
    default:
      throw new UserError(time[parsed.kind]);
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
