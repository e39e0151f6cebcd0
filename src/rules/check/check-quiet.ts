import type { RuleDraft } from '../grammar/rule-file.ts';
import type { Quiet } from '../rule.ts';
import type { Step } from '../step.ts';
import { checkZone } from './check-zone.ts';
import type { Desk } from './desk.ts';

/** The hours in which the rule does not speak; `steps` are those that get what was held. */
export function checkQuiet({ quiet, when }: RuleDraft, steps: readonly Step[], desk: Desk): Quiet | undefined {
  if (!quiet) return undefined;
  const { from, to, timezone, then } = quiet;
  const zone = timezone === undefined ? (when?.timezone ?? 'UTC') : checkZone(timezone, ['quiet', 'timezone'], desk);
  if (from === undefined || to === undefined) return undefined;
  const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)];
  if (fromMinute === toMinute) {
    desk.report.error(
      desk.document.spot(['quiet', 'to']),
      'quiet hours that end when they begin are none, or all',
      'write another time, or enabled: false',
    );
  }
  if (then === undefined) return undefined;
  return {
    fromMinute,
    toMinute,
    timezone: zone,
    then: typeof then === 'string' ? then : steps,
  };
}

function minuteOf(wallTime: string): number {
  const [hours, minutes] = wallTime.split(':');
  return Number(hours) * 60 + Number(minutes);
}
