/** A parsed point in time: an instant, or a wall time without a zone. */
export type WrittenInstant = { readonly atMs: number } | { readonly wallMs: number };

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2})?$/iu;

/** Parses `2030-12-24T18:00:00+01:00`, or a local time without an offset; undefined for other text. */
export function parseInstant(text: string): WrittenInstant | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = FORM.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const wallMs = Date.parse(wall);
  // Date.parse turns 30 February into a day of March.
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString() !== wall) return undefined;
  if (offset === undefined) return { wallMs };
  const offsetMs = parseOffset(offset);
  return offsetMs === undefined ? undefined : { atMs: wallMs - offsetMs };
}

/** Whether a time ends with its offset from UTC. */
export function hasOffset(text: string): boolean {
  return /(?:Z|[+-]\d{2}:?\d{2})$/iu.test(text);
}

function parseOffset(offset: string): number | undefined {
  if (/^z$/iu.test(offset)) return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
