import { readTime } from '#src/engine/posting/read-time.ts';
import { UsageError } from './usage-error.ts';

/** The instant of a typed time in the zone of this machine. Throws a {@link UsageError} if it is no time or is over. */
export function typedTime(typed: string, argument: string): Date {
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  const time = readTime(typed, { zone, nowMs: Date.now() });
  if (time.kind === 'at' || time.kind === 'skipped') return time.at;
  throw new UsageError(`${typed} ${time.kind === 'past' ? 'is in the past' : 'is not a time'}`, {
    argument,
    hint: 'Use for example "in 2h", "tomorrow 9:00" or "2026-12-24 18:00".',
  });
}
