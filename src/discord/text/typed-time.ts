import type { Caller } from '#src/discord/caller.ts';
import type { TypedTime } from '#src/engine/posting/posting.ts';
import { writeTime } from '#src/engine/posting/write-time.ts';
import { UserError } from '#src/errors.ts';
import { dateTimeWithDistance } from './format.ts';

/** The instant that a user typed. Throws a {@link UserError} that shows how Fanfare understood an unclear time. */
export function instantOf(parsed: TypedTime, { zone, texts }: Pick<Caller, 'zone' | 'texts'>): Date {
  const { time } = texts.posting.errors;
  const inZone = (message: string): UserError => new UserError(`${message}\n-# ${texts.posting.zone(zone)}`);
  switch (parsed.kind) {
    case 'at':
      return parsed.at;
    case 'past':
    case 'far':
    case 'skipped':
      throw inZone(time[parsed.kind](dateTimeWithDistance(parsed.at)));
    case 'ambiguous':
    case 'twice': {
      const [either, or] = [dateTimeWithDistance(parsed.either), dateTimeWithDistance(parsed.or)];
      const { wall, offset } = writeTime(parsed.either, zone);
      throw inZone(parsed.kind === 'twice' ? time.twice(either, or, `${wall}${offset}`) : time.ambiguous(either, or, wall));
    }
    default:
      throw new UserError(time[parsed.kind]);
  }
}
