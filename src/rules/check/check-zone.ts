import type { Path } from '../document/report.ts';
import { isZone } from '../expression/spoken.ts';
import type { Desk } from './desk.ts';

/** The time zone, or UTC in the place of one that there is not. */
export function checkZone(timezone: string, path: Path, { document, report }: Desk): string {
  if (isZone(timezone)) return timezone;
  report.error(document.spot(path), `there is no time zone ${timezone}`, 'for example Europe/Paris');
  return 'UTC';
}
