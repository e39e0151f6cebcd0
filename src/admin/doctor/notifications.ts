import type { NotifierReport } from '#src/clients/operation/notifier.ts';
import type { CheckResult } from './check-result.ts';

const OTHER_APPLICATION = 'register another application for some of your installations or accounts';

/** Checks whether the platform of an account notifies about changes; no results if no rule needs it, or if Fanfare does not run. */
export function examineNotifications(about: string, report: NotifierReport | undefined): readonly CheckResult[] {
  if (!report || report.state === 'connecting' || report.state === 'stopped') return [];
  const { subscriptions = 0, cost = 0, maxCost = 0, onlyPolled: count = 0, problem = '', notifiedAt } = report;
  if (report.state === 'failed') {
    const { isLimited = false } = report;
    const remedy = isLimited ? OTHER_APPLICATION : 'Fanfare connects again; if this lasts, check whether a firewall blocks WebSockets';
    const what = `it does not notify about changes, so the rules poll at their slots: ${problem}`;
    return [{ about, state: 'warning', what, remedy, reason: { kind: 'notifiesNot', problem, isLimited } }];
  }
  const last = notifiedAt ? `the last notification came at ${notifiedAt.toISOString()}` : 'no notification has come yet';
  const what = `it notifies about changes: ${subscriptions} subscriptions, which cost ${cost} of ${maxCost}; ${last}`;
  const reason = { kind: 'notifies', subscriptions, cost, maxCost, lastAtMs: notifiedAt?.getTime() } as const;
  const good: CheckResult = { about, state: 'good', what, reason };
  if (count === 0) return [good];
  const isLimited = cost >= maxCost;
  return [
    good,
    {
      about,
      state: 'warning',
      what: `${count} ${count === 1 ? 'channel is' : 'channels are'} only polled: ${problem}`,
      remedy: isLimited ? OTHER_APPLICATION : 'check whether these channels still exist',
      reason: { kind: 'onlyPolled', count, problem, isLimited },
    },
  ];
}
