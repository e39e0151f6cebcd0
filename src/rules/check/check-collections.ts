import { parseDuration } from '#src/clients/operation/duration.ts';
import { cronIssues } from '#src/rules/grammar/cron.ts';
import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { MOST_COLLECTED, type Gather, type Limit } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { checkZone, namesHour, ZONE_HINT } from './check-schedule.ts';
import { isMeant, isWatching } from './meant-keys.ts';
import { meantSchedule } from './meant-text.ts';

/** Checks the limit of firings. `steps` run once when a firing is allowed again, with the further firings. */
export function checkLimit({ limit, when }: RuleDraft, steps: readonly Step[], context: CheckContext): Limit | undefined {
  const { firings, per, then } = limit ?? {};
  if (typeof then === 'object') checkItems('limit', when, context);
  if (firings === undefined || per === undefined || then === undefined) return undefined;
  return { firings, perMs: parseDuration(per) ?? 0, then: typeof then === 'string' ? then : steps };
}

/** Checks what a rule gathers, and when its `steps` run. */
export function checkGather({ gather, when }: RuleDraft, steps: readonly Step[], context: CheckContext): Gather | undefined {
  const { document, report } = context;
  if (!gather) return undefined;
  checkItems('gather', when, context);
  const { count, cron, timezone: name } = gather;
  const isTimed = (['count', 'cron'] as const).some((key) => isMeant(context, ['gather', key]));
  if (!isTimed && !report.hasUnreadableLines) {
    const message = 'gather needs count or cron';
    report.error(document.keyLocation([], 'gather'), 'gather-without-end', message, 'add count: 5, or cron: "0 20 * * SUN"');
  }
  if (name !== undefined && cron === undefined && !isMeant(context, ['gather', 'cron'])) {
    report.warning(
      document.keyLocation(['gather'], 'timezone'),
      'unused-time-zone',
      'timezone has no effect without cron',
      'remove timezone',
    );
  }
  const timezone = name === undefined ? (when?.timezone ?? 'UTC') : checkZone(name, ['gather', 'timezone'], context);
  if (cron !== undefined && name === undefined && when?.timezone === undefined && namesHour(cron)) {
    report.warning(document.keyLocation(['gather'], 'cron'), 'cron-in-utc', 'this time is in UTC', ZONE_HINT);
  }
  const issues = cron === undefined ? [] : cronIssues(cron);
  const meant = issues.length > 0 ? meantSchedule(cron ?? '') : undefined;
  for (const { message, hint } of issues)
    report.error(document.locationOf(['gather', 'cron']), 'cron', message, meant?.startsWith('cron:') === true ? `write ${meant}` : hint);
  const schedule = cron === undefined || issues.length > 0 ? undefined : { cron: cron.trim().replace(/\s+/gu, ' '), timezone };
  return { count: count ?? MOST_COLLECTED, schedule, then: steps };
}

/** Reports steps for a list of items in a rule whose firings have no items. */
function checkItems(key: 'limit' | 'gather', when: RuleDraft['when'], context: CheckContext): void {
  const { document, report } = context;
  if (report.hasUnreadableLines || (isWatching(context) && when?.per !== 'slot')) return;
  const what = key === 'limit' ? 'steps in limit need' : 'gather needs';
  const message = `${what} the items of firings: a rule with watch, and per: item or per: poll`;
  const location =
    key === 'limit' && isSet(context, ['limit', 'then']) ? document.locationOf(['limit', 'then']) : document.keyLocation([], key);
  report.error(location, 'no-items', message, key === 'limit' ? 'write then: hold or then: drop' : 'remove gather');
}
