import type { TypedTime } from '#src/engine/posting/posting.ts';
import { readTime } from '#src/engine/posting/read-time.ts';
import { writeTime } from '#src/engine/posting/write-time.ts';
import { localZone } from './local-zone.ts';
import { UsageError } from './usage-error.ts';

const MONTH_MS = 30 * 86_400_000;

/** The instant of a typed time in the zone of this machine. Throws a {@link UsageError} if it is not one time in the future. */
export function typedTime(typed: string, argument: string): Date {
  const zone = localZone();
  const time = readTime(typed, { zone, nowMs: Date.now() });
  if (time.kind === 'at' || time.kind === 'skipped') return time.at;
  const [problem, hint] = problemOf(time, zone);
  throw new UsageError(`${typed} ${problem}`, { argument, hint });
}

/** What is wrong with a time, and what to type instead. */
function problemOf(time: TypedTime, zone: string): readonly [problem: string, hint: string] {
  switch (time.kind) {
    case 'past':
      return [`is in the past (${writeTime(time.at, zone).wall})`, 'Add the day, for example "tomorrow 9:00".'];
    case 'far':
      return [`is more than a year away (${writeTime(time.at, zone).wall})`, 'Use an earlier date.'];
    case 'ambiguous':
      return [
        `can mean ${writeTime(time.either, zone).wall} or ${writeTime(time.or, zone).wall}`,
        `Use the date: "${writeTime(time.either, zone).wall}".`,
      ];
    case 'twice': {
      const [either, or] = [writeTime(time.either, zone), writeTime(time.or, zone)];
      return [
        'occurs twice, because the clocks change then',
        `Add the offset: "${either.wall}${either.offset}" or "${or.wall}${or.offset}".`,
      ];
    }
    case 'dayOnly':
      return ['has no time of day', 'Add it, for example "tomorrow 9:00".'];
    default:
      return ['is not a time', `Use for example "in 2h", "tomorrow 9:00" or "${writeTime(new Date(Date.now() + MONTH_MS), zone).wall}".`];
  }
}
