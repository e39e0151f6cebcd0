import { zone } from '../clocks/zone.ts';
import { parseInstant } from '../grammar/instant.ts';
import type { Schedule } from '../rule.ts';
import { oddityAt } from './clock-changes.ts';
import type { Desk } from './desk.ts';

/** The instant at which the rule looks once. */
export function checkAt(at: string, timezone: string | undefined, desk: Desk): Schedule | undefined {
  const { document, report, nowMs } = desk;
  const spot = document.spot(['when', 'at']);
  const written = parseInstant(at);
  if (!written) {
    report.error(spot, 'this is no instant', 'write 2026-12-24T18:00:00+01:00, or 2026-12-24 18:00 with timezone');
    return undefined;
  }
  if ('wallMs' in written && timezone === undefined) {
    report.error(
      spot,
      'a local time needs timezone: nobody knows where it is meant',
      'add timezone: Europe/Paris, or write the offset: +01:00',
    );
    return undefined;
  }
  const atMs = 'atMs' in written ? written.atMs : instantOf(written.wallMs, timezone ?? 'UTC', desk);
  if ('atMs' in written && timezone !== undefined && desk.document.nodeAt(['quiet']) === undefined) {
    report.warning(document.keySpot(['when'], 'timezone'), 'timezone says nothing here: the instant has its own offset', 'leave it out');
  }
  if (nowMs !== undefined && atMs <= nowMs) report.warning(spot, 'this is over: it never comes again');
  return 'atMs' in written ? { atMs } : { atMs, timezone };
}

function instantOf(wallMs: number, timezone: string, { document, report }: Desk): number {
  const odd = oddityAt(wallMs, timezone);
  if (odd) {
    const what = odd.kind === 'skipped' ? `skip ${odd.wall}: it runs right after` : `show ${odd.wall} twice: it runs the first time`;
    report.warning(document.spot(['when', 'at']), `the clocks of ${timezone} ${what}`, 'write the offset, as 2026-12-24T18:00+01:00');
  }
  return zone(timezone).firstInstantOf(wallMs);
}
