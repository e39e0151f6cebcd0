import { isZone } from '#src/clients/operation/zone.ts';

/** The time zone of this machine. If `TZ` is empty or wrong, Node uses UTC, and names a zone that it does not know, or none. */
export function localZone(): string {
  const { timeZone }: { readonly timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone !== undefined && isZone(timeZone) ? timeZone : 'UTC';
}
