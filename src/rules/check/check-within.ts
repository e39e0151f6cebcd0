import { parseDuration } from '#src/clients/operation/duration.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Watched } from '#src/rules/rule.ts';
import { isSet, type CheckContext } from './check-context.ts';

/** The shortest interval of polls. */
export const LEAST_MS = 5_000;

/** Checks `within` beside `every`; undefined without it. At least the shortest interval. */
export function checkWithin({ within }: WhenDraft, everyMs: number, { document, report }: CheckContext): number | undefined {
  const withinMs = within === undefined ? undefined : parseDuration(within);
  if (withinMs === undefined) return undefined;
  const location = document.locationOf(['when', 'within']);
  if (withinMs < LEAST_MS) {
    const message = `within: ${within} is not possible: the shortest interval of polls is 5 seconds, and notifications can stop at any time`;
    report.warning(location, 'impossible-within', message, 'write within: 5s or more');
  } else if (withinMs < everyMs) {
    const message = `within is shorter than every: the rule is always polled every ${formatDuration(withinMs)}`;
    report.warning(location, 'within-below-every', message, `write every: ${within}, or a longer within`);
  }
  return Math.max(withinMs, LEAST_MS);
}

/** Warns of `within` beside a schedule whose polls keep their times. */
export function checkUnusedWithin(schedule: 'cron' | 'at', context: CheckContext): void {
  const { document, report } = context;
  if (!isSet(context, ['when', 'within'])) return;
  const message = `within has no effect with ${schedule}: the rule is polled at its times only, and notifications bring no poll forward`;
  report.warning(document.keyLocation(['when'], 'within'), 'impossible-within', message, 'write every, or remove within');
}

/** Warns of keys of the rule that alone make an announcement later than `within`. */
export function checkDelays(
  { within }: WhenDraft,
  { settleMs, confirm, per }: Pick<Watched, 'settleMs' | 'confirm' | 'per'>,
  { everyMs, context: { document, report } }: { readonly everyMs: number; readonly context: CheckContext },
): void {
  const withinMs = within === undefined ? undefined : parseDuration(within);
  if (withinMs === undefined) return;
  const location = document.locationOf(['when', 'within']);
  if (per === 'slot') {
    const message = 'within has no effect with per: slot: the rule fires at its slots only';
    report.warning(location, 'impossible-within', message, 'remove within, or per');
    return;
  }
  const waitsMs = waitBeforeAnnouncement({ settleMs, confirm }, everyMs);
  if (waitsMs <= withinMs) return;
  const key = settleMs >= waitsMs ? 'settle' : 'confirm';
  const message = `within: ${within} is not possible: ${key} delays each announcement by at least ${formatDuration(waitsMs)}`;
  report.warning(location, 'impossible-within', message, `make ${key} smaller, or within longer than ${formatDuration(waitsMs)}`);
}

/** How long `settle` and `confirm` delay each announcement at least. */
export function waitBeforeAnnouncement({ settleMs, confirm }: Pick<Watched, 'settleMs' | 'confirm'>, everyMs: number): number {
  return Math.max(settleMs, (confirm.new - 1) * everyMs);
}
