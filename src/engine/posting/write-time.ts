/** A time that a person can type, for example `2027-10-31 02:30`, and its offset from UTC, for example `+02:00`. */
export interface WrittenTime {
  readonly wall: string;
  readonly offset: string;
}

/** Formats an instant in a time zone such that {@link import('./read-time.ts').readTime} reads it, to the minute. */
export function writeTime(at: Date, timeZone: string): WrittenTime {
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
  return {
    wall: `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`,
    offset: part('timeZoneName').replace('GMT', '') || 'Z',
  };
}
