/** The hours of time zones east of UTC: those of RFC 822, and others that feeds have. */
const ZONES: readonly (readonly [hours: number, names: readonly string[]])[] = [
  [0, ['Z', 'UT', 'UTC', 'GMT', 'WET']],
  [1, ['CET', 'MEZ', 'MET', 'WEST', 'BST']],
  [2, ['CEST', 'MESZ', 'MEST', 'EET', 'SAST']],
  [3, ['EEST', 'MSK']],
  [5.5, ['IST']],
  [8, ['HKT', 'SGT', 'AWST']],
  [9, ['JST', 'KST']],
  [9.5, ['ACST']],
  [10, ['AEST']],
  [10.5, ['ACDT']],
  [11, ['AEDT']],
  [12, ['NZST']],
  [13, ['NZDT']],
  [-3, ['BRT', 'ADT']],
  [-4, ['EDT', 'AST']],
  [-5, ['EST', 'CDT']],
  [-6, ['CST', 'MDT']],
  [-7, ['MST', 'PDT']],
  [-8, ['PST', 'AKDT']],
  [-9, ['AKST']],
  [-10, ['HST']],
];
const HOURS_BY_NAME: ReadonlyMap<string, number> = new Map(ZONES.flatMap(([hours, names]) => names.map((name) => [name, hours] as const)));
const HOUR_MS = 3_600_000;

/** The longest text with an instant. */
const LONGEST = 100;
/** The name of a zone behind its offset. */
const COMMENT = /\([^()]*\)$/u;
/** An instant with a zone, as most platforms write it, and a day, a month or a year, which `Date` reads in UTC. */
const FIXED = /^(?:\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})|\d{4}(?:-\d{2}){0,2})$/iu;
const ZONELESS = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/iu;
/** A time with a zone behind it: an offset, or a name. */
const ZONED = /(\d:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]m\b)?)\s*(?:(?:UTC?|GMT)?([+-])(\d{1,2}):?(\d{2})?(?!\d)|([a-z]{1,4})\b)/iu;

/** Parses ISO 8601, an HTTP date, or a date of a feed. Without a zone, UTC applies, whatever the zone of the machine. */
export function parseInstant(text: string): Date | undefined {
  if (FIXED.test(text)) return valid(Date.parse(text));
  const written = text.trim().replace(COMMENT, '').trim();
  if (written.length > LONGEST) return undefined;
  const [whole = '', time = '', sign, hours, minutes = '0', name = ''] = ZONED.exec(written) ?? [];
  const offset = sign === undefined ? HOURS_BY_NAME.get(name.toUpperCase()) : Number(`${sign}1`) * (Number(hours) + Number(minutes) / 60);
  // Another word behind a time can be a month.
  const local = offset === undefined ? written : written.replace(whole, time);
  const iso = ZONELESS.exec(local);
  return valid(Date.parse(iso ? `${iso[1]}T${iso[2]}Z` : `${local} UTC`) - (offset ?? 0) * HOUR_MS);
}

function valid(ms: number): Date | undefined {
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
